"""Cases of lookup_table_dequant, against the format's definition in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, randint


def table_of(rows: int, floats: int) -> np.ndarray:
    """[rows, 2 + floats]: smallest, largest, then four bytes in the place of each float."""
    ranges = np.sort(rand(rows, 2), axis=1)
    packed = randint(rows, floats * 4, high=256, dtype="uint8").view("float32")
    return np.concatenate([ranges, packed], axis=1)


def rows_of(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    w, ids = inputs["W"], inputs["Ids"][..., 0]
    low, high = w[:, :1], w[:, 1:2]
    numbers = np.ascontiguousarray(w[:, 2:]).view("uint8") * ((high - low) / 256) + low
    numbers[max(attrs.get("padding_idx", -1), 0)] *= attrs.get("padding_idx", -1) < 0
    return {"Out": numbers[ids].astype("float32")}


table = OpTable("lookup_table_dequant")
for padding in (-1, 2):
    for ids in (randint(5, 1, high=4), randint(2, 3, 1, high=4, dtype="int32")):
        given = {"W": table_of(4, 3), "Ids": ids}
        table.case(given, {"padding_idx": padding}, reference=rows_of, params=["W"])
table.case({"W": table_of(2, 1), "Ids": np.array([[1], [0]])}, reference=rows_of)
w = table_of(3, 1)
table.error({"W": w, "Ids": np.array([[3]])}, error="ShapeError", match="has 3")
table.error({"W": w, "Ids": np.array([[-1]])}, error="ShapeError", match="has -1")
table.error({"W": w, "Ids": np.array([1, 2])}, error="ShapeError", match="last dimension of 1")
table.error({"W": rand(3, 1), "Ids": np.array([[0]])}, error="ShapeError", match="at least 2")
table.error({"W": w, "Ids": rand(2, 1)}, error="DataTypeError", match="Ids")
test_lookup_table_dequant = table.tests()
