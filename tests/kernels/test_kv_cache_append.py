"""Keys or values of new tokens behind those of earlier ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand


def appended(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    cache, x = inputs["Cache"], inputs["X"]
    out = np.zeros((*cache.shape[:2], max(cache.shape[2], *inputs["Total"]), x.shape[3]), "float32")
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
test_kv_cache_append = table.tests()
