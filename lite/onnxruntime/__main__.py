"""``python -m lite.onnxruntime script.py`` or ``-m module``: it gets this for ONNX Runtime.

The program is not edited, and sees its own arguments.
"""

from __future__ import annotations

import sys

from lite.api.redirected import run_program
from lite.onnxruntime import as_onnxruntime

if __name__ == "__main__":
    as_onnxruntime()
    sys.exit(run_program("lite.onnxruntime", "onnxruntime", sys.argv[1:]))
