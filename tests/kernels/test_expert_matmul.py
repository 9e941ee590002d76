"""Products of rows with the matrices of their experts, floats and integers in blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
from byte_rows import rounded
from harness import OpTable, rand, randint


def product(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    y, index = inputs["Y"].astype("float64"), inputs["Index"].reshape(-1)
    if "Scales" in inputs:
        bits, packed = attrs.get("bits", 4), inputs["Y"]
        whole = packed if bits == 8 else np.stack([packed & 15, packed >> 4], -1)
        whole = whole.reshape(*packed.shape[:3], -1).astype("float64")
        scales, zeros = (inputs.get(slot) for slot in ("Scales", "ZeroPoints"))
        middle = 1 << (bits - 1) if zeros is None else zeros.transpose(0, 2, 1)[..., None]
        y = (whole - middle) * scales.transpose(0, 2, 1)[..., None]
        y = y.reshape(*y.shape[:2], -1)[..., : inputs["X"].shape[1]]
    x = inputs["X"]
    if attrs.get("accuracy_level") == 4 and "Scales" in inputs:
        x = rounded(x, attrs["block_size"])
    rows = np.repeat(x, index.size // max(len(inputs["X"]), 1), 0)
    made = np.einsum("rk,rnk->rn", rows, y[index])
    return {"Out": (made + (inputs["Bias"][index] if "Bias" in inputs else 0)).astype("float32")}


def sizes(
    rows: int, each: int, k: int, n: int, experts: int, bits: int = 0, block: int = 32, **more: bool
) -> dict[str, Any]:
    inputs = {
        "X": rand(rows, k),
        "Index": randint(rows, each, low=0, high=experts, dtype="int64"),
        "Y": rand(experts, n, k),
    }
    blocks = -(-k // block)
    if bits:
        inputs["Y"] = randint(experts, n, blocks, block * bits // 8, high=256, dtype="uint8")
        inputs["Scales"] = rand(experts, blocks, n, low=0.01, high=0.1)
    if more.get("zeros"):
        inputs["ZeroPoints"] = randint(experts, blocks, n, high=1 << bits, dtype="uint8")
    if more.get("bias"):
        inputs["Bias"] = rand(experts, n)
    return inputs


table = OpTable("expert_matmul")
for rows, each, experts in ((1, 1, 1), (1, 4, 8), (5, 2, 3), (40, 2, 4), (6, 1, 1), (3, 2, 64)):
    for bits, block in ((0, 32), (4, 16), (4, 32), (8, 32)):
        for more in (False, True):
            inputs = sizes(
                rows, each, 72, 70, experts, bits, block, zeros=more and bits > 0, bias=more
            )
            attrs = {"bits": bits or 4, "block_size": block}
            constant = [slot for slot in inputs if slot not in ("X", "Index")]
            for params in ([], constant):
                table.case(inputs, attrs, params=params, reference=product)
for bits in (0, 4, 8):
    inputs = sizes(5, 2, 72, 70, 3, bits, zeros=bits > 0)
    attrs = {"bits": bits or 4, "block_size": 32, "accuracy_level": 4}
    table.case(inputs, attrs, params=["Y", "Scales", "ZeroPoints"], reference=product)
table.case(sizes(0, 2, 8, 3, 2), {}, reference=product)
table.case(sizes(3, 0, 8, 3, 2), {}, reference=product)
table.case(sizes(2, 2, 33, 17, 3, 4, bias=True), {}, params=["Y", "Scales"], reference=product)

plain = sizes(4, 2, 64, 6, 3)
packed = sizes(4, 2, 64, 6, 3, 4, zeros=True, bias=True)
for bad in (-1, 3):
    table.error(
        {**plain, "Index": np.full((4, 2), bad, "int64")}, {}, error="ShapeError", match="Index"
    )
table.error({**plain, "Index": np.zeros(7, "int64")}, {}, error="ShapeError", match="7 elements")
table.error({**plain, "Index": plain["X"]}, {}, error="DataTypeError", match="Index is float32")
table.error({**plain, "Y": rand(3, 6, 63)}, {}, error="ShapeError", match="Y has shape")
table.error({**plain, "X": rand(4, 2, 32)}, {}, error="ShapeError", match="X has shape")
table.error({**packed, "Y": packed["Y"][0]}, {}, error="ShapeError", match="Y has shape")
table.error(packed, {"bits": 3}, error="ShapeError", match="bits is 3")
table.error(packed, {"block_size": 12}, error="ShapeError", match="block_size")
for slot in ("Scales", "ZeroPoints", "Bias"):
    wrong = {**packed, slot: packed[slot][:2]}
    table.error(wrong, {}, error="ShapeError", match=slot)
table.error({**packed, "Scales": packed["Y"]}, {}, error="DataTypeError", match="Scales is uint8")
del packed["Scales"]
table.error(packed, {}, error="LiteError", match="Scales")

test_expert_matmul = table.tests()
