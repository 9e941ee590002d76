"""The devices that translate a model for another library: every operation against numpy, the table
of cases (a few of each operation; all where LITE_TEST_ALL_CONFIGURATIONS is 1: .ci/nightly),
properties and caches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from nnadapter.devices import COMMON, close, every_case, refusal, run_case

import lite.nnadapter as nna
from lite.errors import DeviceError
from lite.nnadapter import capi
from lite.nnadapter.conformance.case import Case


@dataclass(frozen=True)
class Device:
    """What to expect of a device."""

    name: str
    module: str
    properties: str
    wrong: tuple[tuple[str, str], ...]
    """Properties that are refused, and what the error says."""
    refused: dict[str, str]
    """Operations that are refused, and what the reason says."""
    sometimes: dict[str, str] = field(default_factory=dict)
    """Those that some releases, or some attributes, leave out."""


DEVICES = [
    Device(
        "intel_openvino",
        module="openvino",
        properties="INTEL_OPENVINO_SELECT_DEVICE_NAMES=CPU;INTEL_OPENVINO_INFERENCE_NUM_THREADS=1",
        wrong=(
            ("INTEL_OPENVINO_INFERENCE_NUM_THREADS=many", "many"),
            ("INTEL_OPENVINO_SELECT_DEVICE_NAMES=NOTHING", "NOTHING"),
        ),
        refused={},
        sometimes={"NON_MAX_SUPPRESSION": "rois_num"},
    ),
    Device(
        "onnxruntime",
        module="onnxruntime",
        properties="ONNXRUNTIME_INTRA_OP_NUM_THREADS=1",
        wrong=(
            ("ONNXRUNTIME_INTRA_OP_NUM_THREADS=0", "'0'"),
            ("ONNXRUNTIME_PROVIDERS=NothingProvider", "NothingProvider"),
        ),
        refused={"NON_MAX_SUPPRESSION": "has no NON_MAX_SUPPRESSION"},
        sometimes={"DEFORMABLE_CONV_2D": "DeformConv", "ADAPTIVE_MAX_POOL_2D": "sizes"},
    ),
]
TABLE = [
    pytest.param(device, *case.values, id=f"{device.name}-{case.id}")
    for device in DEVICES
    for case in every_case(2)
    if not case.values[0].common  # those are test_operation's
]


@pytest.fixture(params=DEVICES, ids=lambda device: device.name)
def device(request: pytest.FixtureRequest) -> Device:
    """A device that is ready, beside the one in numpy."""
    found: Device = request.param
    pytest.importorskip(found.module)
    nna.ensure_devices([found.name, "python"])
    return found


def _compare(device: Device, case: Case, model: capi.Model) -> None:
    results = capi.run(model, [device.name], case.variables)
    close(results, capi.run(model, ["python"], case.variables), case.tolerance)


@pytest.mark.parametrize("case", COMMON, ids=lambda case: case.name)
def test_operation(device: Device, case: Case) -> None:
    model = case.build()
    reason = refusal(model, device.name)
    if case.operation in device.refused:
        assert reason is not None and device.refused[case.operation] in reason
        return
    if case.operation in device.sometimes and reason is not None:
        assert device.sometimes[case.operation] in reason
        return
    assert reason is None
    _compare(device, case, model)


@pytest.mark.long
@pytest.mark.parametrize("case", COMMON, ids=lambda case: case.name)
def test_unknown_dimensions(device: Device, case: Case) -> None:
    model = case.build(unknown=True)
    reason = refusal(model, device.name)
    if reason is not None:
        refused = case.operation in device.refused or case.operation in device.sometimes
        assert "known" in reason or refused, reason
        return
    _compare(device, case, model)


@pytest.mark.long
@pytest.mark.parametrize(("device", "case", "unknown"), TABLE, indirect=["device"])
def test_table(device: Device, case: Case, unknown: bool) -> None:
    reason = run_case(case, unknown, device.name)
    assert reason is None or reason.count(" ") > 2  # a sentence


def test_at_least_ninety_operations(device: Device) -> None:
    taken = {case.operation for case in COMMON if refusal(case.build(), device.name) is None}
    assert len(taken) >= 90


def _relu() -> tuple[capi.Model, Any]:
    model = capi.Model()
    x = model.tensor(np.float32, [-1, 4])
    (y,) = model.operation("RELU", [x])
    return model.finish([x], [y]), np.float32([[1, -2, 3, -4]])


def test_properties(device: Device) -> None:
    model, x = _relu()
    (y,) = capi.run(model, [device.name], [x], device.properties)
    np.testing.assert_array_equal(y, np.maximum(x, 0))
    for wrong, text in device.wrong:
        with pytest.raises(DeviceError, match=text):
            capi.run(model, [device.name], [x], wrong)


def test_cache(device: Device, tmp_path: Any) -> None:
    model, x = _relu()
    with capi.Context([device.name]) as context:
        for _ in range(2):  # written, then read
            kept = {"token": "relu", "directory": str(tmp_path)}
            compilation = capi.Compilation(model, context, **kept).finish()
            (y,) = capi.Execution(compilation).run([x])
            np.testing.assert_array_equal(y, np.maximum(x, 0))
        restored = capi.Compilation(None, context, token="relu", directory=str(tmp_path)).finish()
        (y,) = capi.Execution(restored).run([np.concatenate([x, x])])
    assert y.shape == (2, 4)
    assert [path.name for path in tmp_path.iterdir()] == ["relu.nnc"]
