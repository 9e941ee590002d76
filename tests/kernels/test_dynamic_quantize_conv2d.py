"""Convolutions whose input is rounded to 256 steps of what it holds."""

from __future__ import annotations

from typing import Any

import numpy as np
from conv_reference import ACTIVATIONS, conv2d
from harness import OpTable, rand, randint


def explicit(attrs: dict[str, Any], x: Any, kernel: tuple[int, ...]) -> tuple[dict[str, Any], Any]:
    """Attributes without an algorithm of padding or paddings below zero, and the input for them."""
    algorithm, pads = attrs.get("padding_algorithm"), attrs.get("paddings", [0, 0])
    if algorithm == "SAME":
        sizes = zip(x.shape[2:], kernel, attrs["strides"], strict=True)
        wanted = [max((-(-size // step) - 1) * step + k - size, 0) for size, k, step in sizes]
        pads = [side for all_ in wanted for side in (all_ // 2, all_ - all_ // 2)]
    elif algorithm == "VALID":
        pads = [0, 0]
    elif min(pads) < 0:
        (top, left), pads = pads, [max(pad, 0) for pad in pads]
        bottom, right = x.shape[2] + min(top, 0), x.shape[3] + min(left, 0)
        x = x[:, :, max(-top, 0) : bottom, max(-left, 0) : right]
    return {**attrs, "padding_algorithm": "EXPLICIT", "paddings": pads}, x


def convolution(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    """By ONNX's definition of DynamicQuantizeLinear, on what the integers stand for."""
    x, w = inputs["Input"], inputs["Filter"]
    low, high = (np.float32(found(x, initial=0)) for found in (np.min, np.max))
    scale = (high - low) / np.float32(255)
    zero = np.rint(np.clip(-low / scale, 0, 255)) if scale else np.float32(0)
    steps = np.clip(np.rint(x / (scale or np.float32(1))), -zero, 255 - zero)
    scales = np.array(attrs["int8_weight_scales"], np.float64).reshape(-1, 1, 1, 1)
    attrs, steps = explicit(attrs, steps, w.shape[2:])
    numbers = {**inputs, "Input": steps * np.float64(scale), "Filter": w * scales}
    return {"Output": conv2d(numbers, attrs)["Output"].astype("float32")}


def scales(channels: int) -> list[float]:
    """Of some channels, a few of them below zero."""
    signs = np.where(np.arange(channels) % 5 == 3, -1, 1)
    return [float(s) for s in rand(channels, low=0.001, high=0.01) * signs]


table = OpTable("dynamic_quantize_conv2d")
for x, w, attrs in (
    ((1, 3, 12, 11), (20, 3, 3, 3), {"strides": [2, 2], "paddings": [1, 1]}),
    ((2, 20, 9, 8), (33, 20, 1, 1), {}),
    ((2, 20, 9, 8), (16, 20, 1, 1), {"strides": [2, 1]}),
    ((1, 33, 14, 14), (32, 33, 3, 3), {"paddings": [1, 1]}),
    ((1, 64, 14, 14), (64, 64, 3, 3), {"paddings": [1, 1]}),
    ((1, 5, 9, 8), (7, 5, 2, 3), {"paddings": [0, 1, 2, 0]}),
    ((1, 16, 9, 8), (8, 4, 3, 3), {"groups": 4, "dilations": [2, 1], "paddings": [2, 2]}),
    ((1, 8, 9, 8), (8, 8, 3, 3), {"padding_algorithm": "SAME", "strides": [2, 2]}),
    (
        (1, 8, 9, 8),
        (8, 8, 3, 3),
        {"padding_algorithm": "VALID", "paddings": [1, 1], "data_format": "AnyLayout"},
    ),
    ((1, 8, 9, 8), (8, 8, 3, 3), {"paddings": [-1, 0]}),
    ((2, 20, 9, 8), (20, 1, 3, 3), {"groups": 20, "paddings": [1, 1]}),
    ((1, 64, 9, 8), (64, 1, 5, 5), {"groups": 64, "paddings": [2, 2], "strides": [2, 2]}),
    ((1, 6, 9, 8), (12, 1, 3, 3), {"groups": 6, "paddings": [1, 0]}),
    ((1, 24, 9, 8), (24, 1, 3, 3), {"groups": 24, "paddings": [-1, 0]}),
):
    # Weights up to 64 are those that onnxruntime multiplies everywhere.
    for weight_scales, most in (([0.003], 64), (scales(w[0]), 128)):
        weights = randint(*w, low=-most, high=most, dtype="int8")
        arrays = {"Input": rand(*x, low=-0.7), "Filter": weights}
        settings = {**attrs, "int8_weight_scales": weight_scales}
        for params in ([], ["Filter"]):
            table.case(arrays, settings, params=params, reference=convolution, tol=1e-5)

arrays = {"Input": rand(0, 3, 9, 8), "Filter": np.ones((4, 3, 3, 3), np.int8)}
settings = {"int8_weight_scales": [0.003]}
table.case(arrays, settings, params=["Filter"], reference=convolution)

for channels, groups in ((24, 1), (24, 24)):
    arrays = {
        "Input": rand(2, 24, 6, 5),
        "Filter": randint(channels, 24 // groups, 3, 3, low=-128, high=128, dtype="int8"),
        "Bias": rand(channels),
    }
    settings = {"groups": groups, "int8_weight_scales": scales(channels), "paddings": [1, 1]}
    for activation in ACTIVATIONS:
        acts = {**settings, "with_act": True, **activation}
        table.case(arrays, acts, params=["Filter", "Bias"], reference=convolution, tol=1e-5)
    arrays["ResidualData"] = rand(2, channels, 6, 5)
    table.case(arrays, settings, params=["Filter", "Bias"], reference=convolution, tol=1e-5)
    for low, high in ((1.0, 3.0), (-5.0, -2.0), (-1e-3, 20.0), (0.0, 0.0), (-1e-38, 1e-38)):
        one = {**arrays, "Input": rand(2, 24, 6, 5, low=low, high=high)}
        table.case(one, settings, params=["Filter"], reference=convolution, tol=1e-5)

good = {"Input": rand(1, 4, 6, 6), "Filter": randint(8, 4, 3, 3, low=-9, high=9, dtype="int8")}
settings = {"int8_weight_scales": [0.01]}
for wrong, error, match in (
    ({"Input": rand(1, 5, 6, 6)}, "ShapeError", "takes 4"),
    ({"Input": rand(1, 4, 6, 6).astype("float64")}, "DataTypeError", "Input is float64"),
    ({"Filter": rand(8, 4, 3, 3)}, "DataTypeError", "Filter is float32"),
    ({"Filter": good["Filter"].astype("uint8")}, "DataTypeError", "Filter is uint8"),
    ({"Bias": rand(7)}, "ShapeError", "Bias"),
):
    table.error({**good, **wrong}, settings, error=error, match=match)
for wrong_scales in ([], [1.0] * 7, [float("inf")]):
    wrong_attrs = {"int8_weight_scales": wrong_scales}
    table.error(good, wrong_attrs, error="ShapeError", match="int8_weight_scales")
long = {"Input": rand(1, 16251, 2, 2), "Filter": np.ones((1, 16251, 2, 2), np.int8)}
table.error(long, settings, error="ShapeError", match="65004 summands in a result")

test_dynamic_quantize_conv2d = table.tests()
