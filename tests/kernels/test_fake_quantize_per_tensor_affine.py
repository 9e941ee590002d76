"""Numbers rounded to a grid with a zero point: what QuantizeLinear and DequantizeLinear make."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand


def rounded(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    scale, zero = np.float32(attrs.get("scale", 1.0)), attrs.get("zero_point", 0)
    steps = np.rint(inputs["X"] / scale) + np.float32(zero)
    steps = np.clip(steps, attrs.get("quant_min", 0), attrs.get("quant_max", 255))
    return {"Out": ((steps - np.float32(zero)) * scale).astype("float32")}


def grid(scale: float, zero: int, low: int = 0, high: int = 255) -> dict[str, Any]:
    return {"scale": scale, "zero_point": zero, "quant_min": low, "quant_max": high}


table = OpTable("fake_quantize_per_tensor_affine")
TIES = (np.arange(-40, 40) + 0.5).astype("float32") * np.float32(0.25)
X = rand(2, 3, 5, 7, low=-6, high=6)
for attrs in (
    {},
    grid(0.25, 0),
    grid(0.25, 255),
    grid(0.013, 77),
    grid(0.02, 0, -128, 127),
    grid(0.07, -100, -128, 127),
    grid(0.3, 9, 0, 15),
    grid(1e-4, 30000, 0, 65535),
    grid(1e-4, -5, -32768, 32767),
    grid(1e-3, 1000, 1000, 1001),
):
    for x in (X, TIES, rand(1), np.empty((0, 3), "float32")):
        table.case({"X": x}, attrs, reference=rounded)
for attrs in (grid(0.0, 0), grid(-1.0, 0), grid(float("nan"), 0), grid(float("inf"), 0)):
    table.error({"X": X}, attrs, error="ShapeError", match="scale")
for attrs in (grid(1.0, -1), grid(1.0, 256), grid(1.0, 0, 5, 1), grid(1.0, 0, 0, 65536)):
    table.error({"X": X}, attrs, error="ShapeError", match="zero_point")
table.error({"X": np.ones((2, 3), "int64")}, {}, error="DataTypeError", match="int64")

test_fake_quantize_per_tensor_affine = table.tests()
