"""rockchip_rknpu2 in the simulator of rknn-toolkit2: NNAdapter's cases, published models."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from npu.published import NAMES, comes_whole

import lite
from lite.api.devices import DeviceOptions
from lite.errors import DeviceError
from lite.nnadapter.conformance.suite import run_suite

DEVICE = "rockchip_rknpu2"
CONV = Path(__file__).parents[1] / "model" / "data" / "conv.pdmodel"


def test_what_nnadapter_expects() -> None:
    """In half precision, as the device says."""
    results = run_suite(DEVICE)
    assert not [(r.name, r.text) for r in results if r.outcome == "fail"]
    assert sum(r.outcome == "pass" for r in results) >= 1200


@pytest.mark.models
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("given", [False, True], ids=["", "shapes"])
def test_published_models_come_whole(name: str, given: bool, tmp_path: Path) -> None:
    comes_whole(DEVICE, name, given, tmp_path, exact=True)


@pytest.mark.parametrize("platform", ["rk3576", "rk3568", "rk3566", "rk3562", "rv1126b", "rk2118"])
def test_other_chips(platform: str) -> None:
    properties = f"ROCKCHIP_RKNPU2_TARGET_PLATFORM={platform};"
    predictor = lite.load(CONV, devices=DeviceOptions((DEVICE,), properties=properties))
    x = np.random.default_rng(0).standard_normal((1, 3, 8, 8), np.float32)
    (found,), (expected,) = predictor.run([x]).values(), lite.load(CONV).run([x]).values()
    np.testing.assert_allclose(found, expected, rtol=0, atol=4e-3 * np.abs(expected).max())
    assert predictor.placement().subgraphs[0].devices == [DEVICE]


def test_a_chip_that_is_none() -> None:
    properties = "ROCKCHIP_RKNPU2_TARGET_PLATFORM=rk1808;"
    with pytest.raises(DeviceError, match="is 'rk1808', expected one of rk3588, rk3576"):
        lite.load(CONV, devices=DeviceOptions((DEVICE,), properties=properties))
