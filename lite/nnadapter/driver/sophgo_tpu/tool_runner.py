"""Runs one of tpu-mlir's programs: tool_runner.py SHARED PROGRAM ARGUMENT...

SHARED is the folder of worker_process.py, which has stand-ins for what the program imports and does
not use.
"""

from __future__ import annotations

import os
import runpy
import sys

UNUSED = ("torch", "transformers", "onnxruntime_extensions", "plotly", "pandas")

shared, program = sys.argv[1:3]
sys.path.insert(0, shared)
from worker_process import stand_in_for  # noqa: E402

for package in UNUSED:
    stand_in_for(package)
sys.argv = sys.argv[2:]
sys.path[:2] = [os.path.dirname(program)]
runpy.run_path(program, run_name="__main__")
