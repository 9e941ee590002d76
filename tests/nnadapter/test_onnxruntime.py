"""onnxruntime: every operation against numpy, properties, caches, and the bytes of its models."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from nnadapter.devices import build, close, refusal, run_table_case, table_cases
from nnadapter.operation_cases import Case, all_cases

import lite.nnadapter as nna
from lite.errors import DeviceError
from lite.nnadapter import capi

pytest.importorskip("onnxruntime")
DEVICE = "onnxruntime"
REFUSED = {
    "NON_MAX_SUPPRESSION": "has no NON_MAX_SUPPRESSION",
    "YOLO_BOX": "has no YOLO_BOX",
    "DEFORMABLE_CONV_2D": "DeformConv",  # older releases
    "ADAPTIVE_MAX_POOL_2D": "sizes",
}


@pytest.fixture(autouse=True)
def device() -> Iterator[None]:
    nna.ensure_devices([DEVICE, "python"])
    yield


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.id)
def test_operation(case: Case) -> None:
    model, arrays = build(case)
    reason = refusal(model, DEVICE)
    if reason is not None:
        assert REFUSED.get(case.type, "nothing") in reason
        return
    close(capi.run(model, [DEVICE], arrays), capi.run(model, ["python"], arrays), case.tolerance)


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.id)
def test_unknown_dimensions(case: Case) -> None:
    model, arrays = build(case, unknown=True)
    reason = refusal(model, DEVICE)
    if reason is not None:
        assert "known" in reason or case.type in REFUSED, reason
        return
    close(capi.run(model, [DEVICE], arrays), capi.run(model, ["python"], arrays), case.tolerance)


@pytest.mark.parametrize("case", table_cases())
def test_table(case: Any) -> None:
    reason = run_table_case(case, DEVICE)
    assert reason is None or reason.count(" ") > 2  # a sentence


def test_at_least_fifty_operations() -> None:
    taken = {case.type for case in all_cases() if refusal(build(case)[0], DEVICE) is None}
    assert len(taken) >= 90


def _relu() -> tuple[capi.Model, Any]:
    model = capi.Model()
    x = model.tensor(np.float32, [-1, 4])
    (y,) = model.operation("RELU", [x])
    return model.finish([x], [y]), np.float32([[1, -2, 3, -4]])


def test_properties() -> None:
    model, x = _relu()
    (y,) = capi.run(model, [DEVICE], [x], "ONNXRUNTIME_INTRA_OP_NUM_THREADS=1")
    np.testing.assert_array_equal(y, np.maximum(x, 0))
    for wrong, text in (
        ("ONNXRUNTIME_INTRA_OP_NUM_THREADS=0", "'0'"),
        ("ONNXRUNTIME_PROVIDERS=NothingProvider", "NothingProvider"),
    ):
        with pytest.raises(DeviceError, match=text):
            capi.run(model, [DEVICE], [x], wrong)


def test_cache(tmp_path: Any) -> None:
    model, x = _relu()
    with capi.Context([DEVICE]) as context:
        for _ in range(2):  # written, then read
            kept = {"token": "relu", "directory": str(tmp_path)}
            compilation = capi.Compilation(model, context, **kept).finish()
            (y,) = capi.Execution(compilation).run([x])
            np.testing.assert_array_equal(y, np.maximum(x, 0))
        restored = capi.Compilation(None, context, token="relu", directory=str(tmp_path)).finish()
        (y,) = capi.Execution(restored).run([np.concatenate([x, x])])
    assert y.shape == (2, 4)
    assert [path.name for path in tmp_path.iterdir()] == ["relu.nnc"]


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
