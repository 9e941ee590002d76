"""intel_openvino: a fork, and integers beyond its 32 bits."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from nnadapter.devices import build, refusal
from nnadapter.operation_cases import Case, i

import lite.nnadapter as nna
from lite.errors import DeviceError
from lite.nnadapter import capi

pytest.importorskip("openvino")
DEVICE = "intel_openvino"


@pytest.fixture(autouse=True)
def device() -> Iterator[None]:
    nna.ensure_devices([DEVICE])
    yield


def test_fork_is_refused_with_a_reason() -> None:
    script = """
import os, numpy as np, lite.nnadapter as nna
from lite.errors import DeviceError
from lite.nnadapter import capi
nna.ensure_devices(["intel_openvino"])
model = capi.Model()
x = model.tensor(np.float32, [4])
(y,) = model.operation("RELU", [x])
model.finish([x], [y])
context = capi.Context(["intel_openvino"])
execution = capi.Execution(capi.Compilation(model, context).finish())
execution.run([np.zeros(4, np.float32)])
child = os.fork()
if not child:
    try:
        execution.run([np.zeros(4, np.float32)])
    except DeviceError as error:
        os._exit(7 if "fork" in str(error) else 8)
    os._exit(9)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == "7", done.stderr


def test_int64_beyond_32_bits_is_never_cut_off() -> None:
    """OpenVINO computes int64 in 32 bits: sums are refused, large inputs are an error."""
    large = np.array([2**33, 1], np.int64)
    total, _ = build(Case("ADD", [large, large, i(0)]))
    reason = refusal(total, DEVICE)
    assert reason is not None and "32 bits" in reason
    model, inputs = build(Case("ASSIGN", [large]))
    with pytest.raises(DeviceError, match="beyond 32 bits"):
        capi.run(model, [DEVICE], inputs)
    (result,) = capi.run(model, [DEVICE], [np.array([5, -6], np.int64)])
    np.testing.assert_array_equal(result, [5, -6])
