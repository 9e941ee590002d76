"""Quantised operators: scales in attributes become operand types; builtin_device computes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from harness import core, rand, randint

SX, SO = 0.05, 0.2


def run(
    op: str, inputs: dict[str, Any], out: str, attrs: dict[str, Any], **options: Any
) -> dict[str, Any]:
    named = {slot: [(value, [])] for slot, value in inputs.items()}
    options = {"device": "builtin_device", **options}
    return dict(core().nnadapter_convert_op(op, named, {out: 1}, attrs, **options))


def check(result: dict[str, Any], out: str, real: np.ndarray, scale: float = SO) -> None:
    assert "reason" not in result, result
    ((got, _),) = result["outputs"][out]
    assert got.dtype == np.int8 and got.shape == real.shape
    (precision, _) = result["types"][f"out_{out}_0"]
    assert precision == 24  # QUANT_INT8_SYMM_PER_LAYER
    # The nearest integer; halves may go either way.
    assert np.abs(got - np.clip(real / scale, -127, 127)).max() <= 0.501


def conv(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    out = np.zeros((x.shape[0], w.shape[0], x.shape[2] - 2, x.shape[3] - 2))
    for i in range(3):
        for j in range(3):
            part = x[:, :, i : i + out.shape[2], j : j + out.shape[3]]
            out += np.einsum("nchw,oc->nohw", part, w[:, :, i, j])
    return out


@pytest.mark.parametrize("channels", [1, 4])
@pytest.mark.parametrize("act", ["", "relu"])
@pytest.mark.parametrize("has_bias", [False, True])
def test_conv2d(channels: int, act: str, has_bias: bool) -> None:
    x = randint(2, 3, 8, 7, low=-127, high=128, dtype="int8")
    w = randint(4, 3, 3, 3, low=-127, high=128, dtype="int8")
    scales = [0.004, 0.002, 0.001, 0.003][:channels]
    bias = rand(4)
    weights = w * np.array(scales).reshape(-1, 1, 1, 1)
    real = conv(x * SX, weights) + (bias.reshape(4, 1, 1) if has_bias else 0)
    inputs = {"Input": x, "Filter": w, **({"Bias": bias} if has_bias else {})}
    attrs = {"Input0_scale": [SX], "Filter0_scale": scales, "Output0_scale": [SO]}
    if act:
        attrs |= {"with_act": True, "act_type": act}
        real = np.maximum(real, 0)
    got = run("conv2d", inputs, "Output", attrs, params=["Filter", "Bias"], scales={"Input": SX})
    check(got, "Output", real)


@pytest.mark.parametrize("channels", [1, 5])
@pytest.mark.parametrize("rank", [2, 3])
def test_fc(channels: int, rank: int) -> None:
    x = randint(*(2, 3, 8)[3 - rank :], low=-127, high=128, dtype="int8")
    w = randint(8, 5, low=-127, high=128, dtype="int8")
    scales = [0.004, 0.002, 0.001, 0.003, 0.005][:channels]
    bias = rand(5)
    real = np.maximum((x * SX) @ (w * np.array(scales)) + bias, 0)
    attrs = {
        "Input0_scale": [SX],
        "W0_scale": scales,
        "Out0_scale": [SO],
        "in_num_col_dims": rank - 1,
        "activation_type": "relu",
    }
    inputs = {"Input": x, "W": w, "Bias": bias}
    check(run("fc", inputs, "Out", attrs, params=["W", "Bias"], scales={"Input": SX}), "Out", real)


def test_add() -> None:
    x, y = (randint(2, 3, 4, low=-127, high=128, dtype="int8") for _ in range(2))
    attrs = {"X0_scale": [SX], "Y0_scale": [0.1], "Out0_scale": [SO]}
    got = run("elementwise_add", {"X": x, "Y": y}, "Out", attrs, scales={"X": SX, "Y": 0.1})
    check(got, "Out", x * SX + y * 0.1)


@pytest.mark.parametrize("kind", ["max", "avg"])
def test_pool(kind: str) -> None:
    x = randint(1, 2, 6, 6, low=-127, high=128, dtype="int8")
    attrs = {"pooling_type": kind, "ksize": [2, 2], "strides": [2, 2], "Out0_scale": [SX]}
    windows = (x * SX).reshape(1, 2, 3, 2, 3, 2)
    real = windows.max((3, 5)) if kind == "max" else windows.mean((3, 5))
    check(run("pool2d", {"X": x}, "Out", attrs, scales={"X": SX}), "Out", real, SX)


def test_calib_there_and_back() -> None:
    x = rand(3, 4)
    attrs = {"scale": 0.01, "__@kernel_type_attr@__": "calib/fp32_to_int8/2/1/1"}
    quantised = run("calib", {"Input": x}, "Out", attrs)
    check(quantised, "Out", x, 0.01)
    attrs["__@kernel_type_attr@__"] = "calib/int8_to_fp32/2/1/1"
    ((stored, _),) = quantised["outputs"]["Out"]
    back = run("calib", {"Input": stored}, "Out", attrs, scales={"Input": 0.01})
    np.testing.assert_allclose(back["outputs"]["Out"][0][0], stored * 0.01, rtol=1e-5)
    refused = run("calib", {"Input": stored}, "Out", attrs, scales={"Input": 0.02})
    assert "has the scale 0.02, not 0.01" in refused["reason"]


def test_what_keeps_its_scale() -> None:
    x = randint(2, 3, 4, low=-127, high=128, dtype="int8")
    got = run("transpose2", {"X": x}, "Out", {"axis": [0, 2, 1]}, scales={"X": SX})
    check(got, "Out", x.transpose(0, 2, 1) * SX, SX)
    got = run("reshape2", {"X": x}, "Out", {"shape": [0, -1]}, scales={"X": SX})
    check(got, "Out", x.reshape(2, 12) * SX, SX)


def refuse(op: str, inputs: dict[str, Any], out: str, attrs: dict[str, Any], **more: Any) -> str:
    first = next(iter(inputs))
    return str(run(op, inputs, out, attrs, scales={first: SX}, **more)["reason"])


def test_reasons() -> None:
    x = randint(1, 4, 5, 5, low=-127, high=128, dtype="int8")
    w = randint(4, 4, 3, 3, low=-127, high=128, dtype="int8")
    given = {"Filter0_scale": [0.01], "Output0_scale": [SO]}
    inputs = {"Input": x, "Filter": w}
    assert "no scale for Out" in refuse("sigmoid", {"X": x}, "Out", {})
    assert "no scale for Output" in refuse(
        "conv2d", inputs, "Output", {"Filter0_scale": [0.01]}, params=["Filter"]
    )
    swish = given | {"with_act": True, "act_type": "swish"}
    assert "as several NNAdapter operations" in refuse(
        "conv2d", inputs, "Output", swish, params=["Filter"]
    )
    for bad in (0.0, -1.0, float("nan"), float("inf")):
        text = refuse(
            "conv2d", inputs, "Output", given | {"Filter0_scale": [bad]}, params=["Filter"]
        )
        assert "is not a positive number" in text
    text = refuse(
        "conv2d", inputs, "Output", given | {"Filter0_scale": [0.1, 0.2]}, params=["Filter"]
    )
    assert "2 scales, not one for each channel" in text
    assert "different scales" in refuse(
        "dropout",
        {"X": x},
        "Out",
        {"dropout_implementation": "upscale_in_train", "Out0_scale": [1.0]},
    )
    text = refuse("conv2d", inputs, "Output", {"Output0_scale": [SO]}, params=["Filter"])
    assert text == "Filter is int8, not float32 or quant_int8 or quant_int8_per_channel"
    floats = inputs | {"Filter": w.astype("float32")}
    text = refuse("conv2d", floats, "Output", {"Output0_scale": [SO]}, params=["Filter"])
    assert "not both quantised" in text
