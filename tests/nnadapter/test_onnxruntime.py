"""onnxruntime: a fork, which one thread survives and more do not."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("onnxruntime")


@pytest.mark.parametrize(("threads", "exit_code"), [(1, 0), (2, 7)])
def test_fork(threads: int, exit_code: int) -> None:
    script = f"""
import os, numpy as np, lite.nnadapter as nna
from lite.errors import DeviceError
from lite.nnadapter import capi
nna.ensure_devices(["onnxruntime"])
model = capi.Model()
x = model.tensor(np.float32, [4])
(y,) = model.operation("RELU", [x])
model.finish([x], [y])
context = capi.Context(["onnxruntime"], "ONNXRUNTIME_INTRA_OP_NUM_THREADS={threads}")
execution = capi.Execution(capi.Compilation(model, context).finish())
execution.run([np.zeros(4, np.float32)])
child = os.fork()
if not child:
    try:
        (result,) = execution.run([-np.ones(4, np.float32)])
        os._exit(int(result.any()))
    except DeviceError as error:
        os._exit(7 if "fork" in str(error) else 8)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == str(exit_code), done.stderr
