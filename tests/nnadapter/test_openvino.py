"""intel_openvino: every operation against numpy, properties, caches, and a fork."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from nnadapter.devices import build, close, refusal, run_table_case, table_cases
from nnadapter.operation_cases import Case, all_cases, i

import lite.nnadapter as nna
from lite.errors import DeviceError
from lite.nnadapter import capi

pytest.importorskip("openvino")
DEVICE = "intel_openvino"
REFUSED = {"NON_MAX_SUPPRESSION": "has no NON_MAX_SUPPRESSION"}


@pytest.fixture(autouse=True)
def device() -> Iterator[None]:
    nna.ensure_devices([DEVICE, "python"])
    yield


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.id)
def test_operation(case: Case) -> None:
    model, arrays = build(case)
    reason = refusal(model, DEVICE)
    if case.type in REFUSED:
        assert reason is not None and REFUSED[case.type] in reason
        return
    assert reason is None
    close(capi.run(model, [DEVICE], arrays), capi.run(model, ["python"], arrays), case.tolerance)


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.id)
def test_unknown_dimensions(case: Case) -> None:
    model, arrays = build(case, unknown=True)
    reason = refusal(model, DEVICE)
    if reason is not None:
        assert "known" in reason or case.type in REFUSED, reason
        return
    close(capi.run(model, [DEVICE], arrays), capi.run(model, ["python"], arrays), case.tolerance)


@pytest.mark.parametrize("case", table_cases(most=4))
def test_table(case: Any) -> None:
    reason = run_table_case(case, DEVICE)
    assert reason is None or reason.count(" ") > 2  # a sentence


def test_at_least_sixty_operations() -> None:
    taken = {case.type for case in all_cases() if refusal(build(case)[0], DEVICE) is None}
    assert len(taken) >= 90


def _relu() -> tuple[capi.Model, Any]:
    model = capi.Model()
    x = model.tensor(np.float32, [-1, 4])
    (y,) = model.operation("RELU", [x])
    return model.finish([x], [y]), np.float32([[1, -2, 3, -4]])


def test_properties() -> None:
    model, x = _relu()
    properties = "INTEL_OPENVINO_SELECT_DEVICE_NAMES=CPU;INTEL_OPENVINO_INFERENCE_NUM_THREADS=1"
    (y,) = capi.run(model, [DEVICE], [x], properties)
    np.testing.assert_array_equal(y, np.maximum(x, 0))
    for wrong, text in (
        ("INTEL_OPENVINO_INFERENCE_NUM_THREADS=many", "many"),
        ("INTEL_OPENVINO_SELECT_DEVICE_NAMES=NOTHING", "NOTHING"),
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
