"""Conversion for vendors' devices without their drivers: as many subgraphs as real opt makes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from checking import program

from lite.api.device_check import DeviceCheck
from lite.api.targets import NNADAPTER_TARGETS
from lite.core.optimizer.vendors import listed_operators, vendor_operators
from lite.core.partition import PartitionOptions, PartitionRequest, partition
from lite.model.load import load_program
from lite.model.program import AttrType

REAL_OPT = {
    ("ch_PP-OCRv4_det_infer", "huawei_ascend_npu"): 1,
    ("ch_PP-OCRv4_det_infer", "rockchip_npu"): 37,
    ("ch_PP-OCRv4_det_infer", "imagination_nna"): 38,
    ("ch_ppocr_mobile_v2_cls_infer", "imagination_nna"): 29,
}
"""Subgraphs after paddle_lite_opt 2.13."""


def test_every_vendor_target_has_a_list() -> None:
    lists = vendor_operators()
    assert set(NNADAPTER_TARGETS) <= lists.keys()
    assert {len(ops) for ops in lists.values()} != {0}
    assert "conv2d" in lists["rockchip_npu"] and "hard_swish" not in lists["rockchip_npu"]
    assert listed_operators(["rockchip_npu", "mediatek_apu"]) == (
        lists["rockchip_npu"] | lists["mediatek_apu"]
    )
    assert listed_operators(["rockchip_npu", "other"]) is None
    assert listed_operators([]) is None


def test_an_absent_device_is_judged_by_its_list() -> None:
    before = program("Out: [a] = relu(X: [x])\nOut: [y] = hard_swish(X: [a])", {"x": (2, 4)}, ["y"])
    request = PartitionRequest(("android_nnapi",), DeviceCheck(("android_nnapi",), offline=True))
    after, placement = partition(before, request)
    assert [op.type for op in after.root.ops] == ["feed", "subgraph", "hard_swish", "fetch"]
    reason = placement.operators[2].reason
    assert reason == "hard_swish is not in the list of android_nnapi"


def test_a_device_of_integers_takes_no_floats() -> None:
    text = "Out: [a] = relu(X: [x])\nOut: [y] = softmax(X: [a]) {axis: int -1}"
    before = program(text, {"x": (2, 4)}, ["y"])
    for op, scales in zip(before.root.ops[1:3], ([0.1, 0.1], [0.1, None]), strict=True):
        for slot, scale in zip(("X0_scale", "Out0_scale"), scales, strict=True):
            if scale:
                op.set_attr(slot, AttrType.FLOATS, [scale])
    request = PartitionRequest(("rockchip_npu",), DeviceCheck(("rockchip_npu",), offline=True))
    _, placement = partition(before, request)
    relu, softmax = placement.operators[1:3]
    assert relu.place == "device", relu.reason
    assert softmax.reason == (
        "rockchip_npu takes quantised operators only, this one computes in floats"
    )
    both = ("rockchip_npu", "huawei_ascend_npu")
    request = PartitionRequest(both, DeviceCheck(both, offline=True))
    _, placement = partition(before, request)
    assert [op.place for op in placement.operators[1:3]] == ["device", "device"]


@pytest.mark.models
@pytest.mark.parametrize(("name", "device"), REAL_OPT)
def test_as_many_subgraphs_as_real_opt(
    name: str, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Real opt knows no precisions: what it gives such a device, the device does not run.
    monkeypatch.setattr("lite.api.device_check.INTEGERS_ONLY", frozenset())
    folder = os.environ.get("LITE_TEST_MODELS")
    if not folder:
        pytest.skip("LITE_TEST_MODELS names no folder of real models")
    files = (file for file in sorted(Path(folder).rglob("*.pdmodel")) if file.name[0] != ".")
    path = next((file for file in files if file.parent.name == name), None)
    if path is None:
        pytest.skip(f"{folder} has no {name}")
    options = PartitionOptions(no_compute=True, shape_arithmetic=True)
    request = PartitionRequest((device,), DeviceCheck((device,), offline=True), options=options)
    _, placement = partition(load_program(path.parent), request)
    assert len(placement.subgraphs) == REAL_OPT[name, device]
