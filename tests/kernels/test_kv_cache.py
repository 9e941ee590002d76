"""Keys or values of new tokens behind those of earlier ones, and what of them is kept."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, randint


def appended(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    cache, x = inputs["Cache"], inputs["X"]
    out = np.zeros(
        (*cache.shape[:2], max(cache.shape[2], *inputs["Total"]), x.shape[3]), cache.dtype
    )
    out[:, :, : cache.shape[2]] = cache
    for i, used in enumerate(inputs["Lengths"]):
        out[i, :, used : used + x.shape[2]] = x[i]
    return {"Out": out}


def slots(rows: int, count: int, lengths: list[int], total: int) -> dict[str, Any]:
    batch = len(lengths)
    return {
        "Cache": rand(batch, 3, rows, 5),
        "X": rand(batch, 3, count, 5),
        "Lengths": np.array(lengths, "int64"),
        "Total": np.array([total], "int64"),
    }


table = OpTable("kv_cache_append")
for case in (
    slots(4, 2, [4, 4], 6),  # it grows
    slots(0, 3, [0], 3),  # the first tokens
    slots(8, 1, [3, 5], 6),  # a buffer that is larger
    slots(8, 2, [6, 0], 8),
    slots(2, 2, [0, 2], 7),  # rows that nothing fills
    slots(3, 0, [2], 3),
):
    table.case(case, {}, reference=appended)
for lengths, total in (([5], 6), ([-1], 6), ([4], 5)):
    table.error(slots(4, 2, lengths, total), {}, error="ShapeError", match="Lengths[0] is")
good = slots(4, 2, [4, 4], 6)
for slot, value, error in (
    ("X", rand(2, 3, 2, 4), "ShapeError"),
    ("X", rand(2, 3, 2, 5).astype("float64"), "DataTypeError"),
    ("Lengths", np.zeros(3, "int64"), "ShapeError"),
    ("Lengths", np.zeros(2, "int32"), "DataTypeError"),
    ("Total", np.zeros(2, "int64"), "ShapeError"),
):
    table.error({**good, slot: value}, {}, error=error, match=slot)
for dtype in ("int8", "uint8"):
    of_type = {slot: randint(2, 3, rows, 5, dtype=dtype) for slot, rows in (("Cache", 4), ("X", 2))}
    table.case({**good, **of_type}, {}, reference=appended)
table.error({**good, "X": of_type["X"]}, {}, error="DataTypeError", match="Cache and X are")
test_kv_cache_append = table.tests()


def kept(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x, count = inputs["X"], inputs["Count"][0]
    whole = np.concatenate([x, np.zeros_like(x[:, :, :1]).repeat(count, 2)], 2)
    parts = [row[:, at : at + count] for row, at in zip(whole, inputs["Starts"], strict=True)]
    return {"Out": np.stack(parts)}


table = OpTable("kv_cache_keep")
good = {"X": rand(2, 3, 6, 5), "Starts": np.array([2, 5], "int64"), "Count": np.array([4], "int64")}
for count in (0, 1, 4, 9):
    table.case({**good, "Count": np.array([count], "int64")}, {}, reference=kept)
for dtype in ("int8", "uint8"):
    table.case({**good, "X": randint(2, 3, 6, 5, dtype=dtype)}, {}, reference=kept)
for slot, value, error in (
    ("X", rand(2, 3, 6), "ShapeError"),
    ("X", good["X"].astype("float64"), "DataTypeError"),
    ("Starts", np.zeros(3, "int64"), "ShapeError"),
    ("Starts", np.array([0, 7]), "ShapeError"),
    ("Starts", np.array([-1, 0]), "ShapeError"),
    ("Starts", np.zeros(2, "int32"), "DataTypeError"),
    ("Count", np.array([-1], "int64"), "ShapeError"),
    ("Count", np.zeros(2, "int64"), "ShapeError"),
):
    table.error({**good, slot: value}, {}, error=error, match=slot)
test_kv_cache_keep = table.tests()
