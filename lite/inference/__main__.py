"""``python -m lite.inference script.py`` or ``-m module``: it gets lite.inference for Paddle's.

The program is not edited, and sees its own arguments.
"""

from __future__ import annotations

import sys

from lite.api.redirected import run_program
from lite.inference import as_paddle

if __name__ == "__main__":
    as_paddle()
    sys.exit(run_program("lite.inference", "paddle.inference", sys.argv[1:]))
