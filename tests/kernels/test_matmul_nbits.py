"""Products with weights of 4 or 8 bits that share scales in blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
from byte_rows import rounded
from harness import OpTable, rand, randint


def product(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x, packed = inputs["X"], inputs["Y"]
    bits = attrs.get("bits", 4)
    if attrs.get("accuracy_level") == 4:
        x = rounded(x, attrs["block_size"])
    values = packed if bits == 8 else np.stack([packed & 15, packed >> 4], -1)
    values = values.reshape(*packed.shape[:2], -1).astype("float64")
    zeros = inputs.get("ZeroPoints")
    middle = float(1 << (bits - 1)) if zeros is None else zeros.T[..., None].astype("float64")
    weight = (values - middle) * inputs["Scales"].T[..., None]
    weight = weight.reshape(packed.shape[0], -1)[:, : x.shape[-1]]
    return {"Out": (x @ weight.T + inputs.get("Bias", 0.0)).astype("float32")}


def sizes(
    *x: int, n: int, bits: int = 4, block: int = 32, zeros: bool = False, bias: bool = False
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Inputs for an X of a shape and N columns, and attributes."""
    blocks = -(-x[-1] // block)
    inputs = {
        "X": rand(*x),
        "Y": randint(n, blocks, block * bits // 8, low=0, high=256, dtype="uint8"),
        "Scales": rand(blocks, n, low=0.01, high=0.1),
    }
    if zeros:
        inputs["ZeroPoints"] = randint(blocks, n, low=0, high=1 << bits, dtype="uint8")
    if bias:
        inputs["Bias"] = rand(n)
    return inputs, {"bits": bits, "block_size": block}


table = OpTable("matmul_nbits")
for bits in (4, 8):
    for block in (8, 16, 32, 128):
        for zeros in (False, True):
            for rows in (1, 2, 3, 40):  # in registers, as floats first, several tiles
                inputs, attrs = sizes(
                    rows, 72, n=70, bits=bits, block=block, zeros=zeros, bias=zeros
                )
                for params in ([], [slot for slot in inputs if slot != "X"]):
                    table.case(inputs, attrs, params=params, reference=product)
for bits in (4, 8):
    for block in (8, 32, 128):
        for rows in (1, 2, 3, 7, 70):
            inputs, attrs = sizes(rows, 88, n=70, bits=bits, block=block, zeros=rows > 2, bias=True)
            attrs["accuracy_level"] = 4
            table.case(inputs, attrs, params=["Y", "Scales", "ZeroPoints"], reference=product)
            table.case(inputs, attrs, reference=product)
for n in (1, 15, 17, 33, 48, 49, 100):  # widths of panels
    for rows in (1, 5):
        inputs, attrs = sizes(rows, 64, n=n, zeros=True)
        table.case(inputs, attrs, params=["Y", "Scales", "ZeroPoints"], reference=product)
for shape in ((2, 3, 64), (64,), (1, 1, 5), (0, 32), (3, 2600)):
    table.case(*sizes(*shape, n=40), reference=product)
    table.case(*sizes(*shape, n=40, bits=8, bias=True), params=["Y", "Scales"], reference=product)
inputs, attrs = sizes(2, 64, n=6)
table.case(inputs, {}, reference=product)

table.error(inputs, {"bits": 3}, error="ShapeError", match="bits is 3")
for block in (0, -32, 12):
    table.error(inputs, {"block_size": block}, error="ShapeError", match="block_size")
table.error(inputs, {"block_size": 64}, error="ShapeError", match="Y has shape")
table.error({**inputs, "X": rand(2, 65)}, attrs, error="ShapeError", match="Y has shape")
table.error({**inputs, "X": rand(2, 0)}, attrs, error="ShapeError", match="at least one column")
table.error({**inputs, "Scales": rand(6, 2)}, attrs, error="ShapeError", match="Scales")
table.error({**inputs, "Bias": rand(5)}, attrs, error="ShapeError", match="Bias")
table.error(
    {**inputs, "ZeroPoints": rand(2, 6)},
    attrs,
    error="DataTypeError",
    match="ZeroPoints is float32",
)
table.error(
    {**inputs, "Scales": inputs["Y"]}, attrs, error="DataTypeError", match="Scales is uint8"
)
table.error(
    {**inputs, "X": rand(2, 64).astype("float64")}, attrs, error="DataTypeError", match="float32"
)

test_matmul_nbits = table.tests()
