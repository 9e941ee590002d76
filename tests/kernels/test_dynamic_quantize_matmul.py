"""Products whose input is rounded to 256 steps of what it holds."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, randint


def product(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    """By ONNX's definition of DynamicQuantizeLinear and MatMulInteger."""
    x, y = inputs["X"], inputs["Y"].astype("int64")
    low, high = (np.float32(found(x, initial=0)) for found in (np.min, np.max))
    scale = (high - low) / np.float32(255)
    zero = np.rint(np.clip(-low / scale, 0, 255)) if scale else np.float32(0)
    steps = np.clip(np.rint(x / (scale or np.float32(1))) + zero, 0, 255).astype("int64")
    sums = (steps - int(zero)) @ (y - inputs.get("ZeroPoints", np.int32(0)))
    return {"Out": (sums * (scale * inputs["Scales"])).astype("float32")}


def sizes(
    *x: int, n: int, zeros: bool = False, one: bool = False, most: int = 128, **range_: float
) -> Any:
    """Inputs for an X of a shape and N columns; no attributes."""
    inputs = {
        "X": rand(*x, **range_),
        "Y": randint(x[-1], n, low=-most, high=most, dtype="int8"),
        "Scales": rand(1 if one else n, low=0.01, high=0.1),
    }
    if zeros:
        inputs["ZeroPoints"] = randint(n, low=-128, high=128, dtype="int32")
    return inputs, {}


table = OpTable("dynamic_quantize_matmul")
for rows in (1, 2, 6, 40):
    for k in (1, 7, 64, 301):
        for n in (1, 17, 70):
            for zeros in (False, True):
                most = 64 if n == 17 else 128  # those that onnxruntime multiplies everywhere
                inputs, attrs = sizes(rows, k, n=n, zeros=zeros, one=k == 7, most=most)
                for params in ([], ["Y", "Scales"]):
                    table.case(inputs, attrs, params=params, reference=product)
for shape in ((2, 3, 64), (64,), (1, 1, 5), (0, 32), (3, 2600)):
    for zeros in (False, True):
        table.case(*sizes(*shape, n=40, zeros=zeros), params=["Y"], reference=product)
for low, high in ((1.0, 3.0), (-5.0, -2.0), (-1e-3, 1e3), (0.0, 0.0), (-1e-38, 1e-38)):
    for zeros in (False, True):
        inputs, attrs = sizes(5, 33, n=20, zeros=zeros, low=low, high=high)
        table.case(inputs, attrs, params=["Y"], reference=product)


def no_numbers(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    """An infinite scale reaches every result."""
    return {"Out": np.full((inputs["X"].shape[0], inputs["Y"].shape[1]), np.nan, np.float32)}


for odd in (np.inf, -np.inf):
    for zeros in (False, True):
        inputs, attrs = sizes(3, 9, n=5, zeros=zeros)
        inputs["X"][1, 2] = odd
        table.case(inputs, attrs, reference=no_numbers)

inputs, attrs = sizes(2, 64, n=6, zeros=True)
for wrong, error, match in (
    ({"X": rand(2, 65)}, "ShapeError", "Y has shape"),
    ({"X": np.float32(1)}, "ShapeError", "Y has shape"),
    ({"Y": inputs["Y"][None]}, "ShapeError", "Y has shape"),
    ({"Scales": rand(5)}, "ShapeError", "Scales has shape"),
    ({"ZeroPoints": inputs["ZeroPoints"][:5]}, "ShapeError", "ZeroPoints has shape"),
    ({"X": rand(2, 64).astype("float64")}, "DataTypeError", "X is float64"),
    ({"Y": inputs["Y"].astype("uint8")}, "DataTypeError", "Y is uint8"),
    ({"Scales": rand(6).astype("float64")}, "DataTypeError", "Scales is float64"),
    ({"ZeroPoints": rand(6)}, "DataTypeError", "ZeroPoints is float32"),
):
    table.error({**inputs, **wrong}, attrs, error=error, match=match)
table.error(*sizes(1, 65001, n=1), error="ShapeError", match="65001 rows, expected at most 65000")

test_dynamic_quantize_matmul = table.tests()
