"""Cases of split_lod_tensor and merge_lod_tensor."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, lod, rand, randint

MASK = np.array([[True], [False], [True], [True]])

split = OpTable("split_lod_tensor")
for dtype in ("float32", "int32", "int64"):
    split.case({"X": randint(4, 2, dtype=dtype), "Mask": MASK})
split.case({"X": rand(4, 1), "Mask": MASK}, params=["Mask"])


def _sides(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    mask = inputs["Mask"].ravel()
    return {"OutTrue": inputs["X"][mask], "OutFalse": inputs["X"][~mask]}


for mask in (np.ones(3, "bool"), np.zeros((3, 1), "bool")):
    split.case({"X": rand(3, 2), "Mask": mask}, reference=_sides)
split.error({"X": rand(3, 2), "Mask": MASK}, error="ShapeError", match="Mask has")
split.error({"X": rand(4), "Mask": randint(4)}, error="DataTypeError", match="Mask is")
split.error({"X": lod(rand(4), [[0, 1, 4]]), "Mask": MASK}, error="ShapeError", match="LoD")
test_split_lod_tensor = split.tests()

merge = OpTable("merge_lod_tensor")
for dtype in ("float32", "int32", "int64"):
    sides = {"InTrue": randint(3, 2, dtype=dtype), "InFalse": randint(1, 2, dtype=dtype)}
    merge.case({"X": rand(4, 1), "Mask": MASK} | sides)


def _merged(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    yes, no = list(inputs["InTrue"]), list(inputs["InFalse"])
    rows = [(yes if side else no).pop(0) for side in inputs["Mask"].ravel()]
    rest = [np.zeros_like(row) for row in (*yes, *no)]
    return {"Out": np.stack([*rows, *rest])}


wide = {"InTrue": rand(4, 2), "InFalse": rand(4, 2)}
merge.case({"X": rand(4, 1), "Mask": MASK} | wide, reference=_merged, params=["Mask"])
few = {"X": rand(4, 1), "Mask": MASK, "InTrue": rand(2, 2), "InFalse": rand(2, 2)}
merge.error(few, error="ShapeError", match="InTrue than its 2")
merge.error(few | {"InFalse": rand(2, 3)}, error="ShapeError", match="InFalse [2, 3]")
merge.error(few | {"InFalse": randint(2, 2)}, error="DataTypeError", match="InFalse int64")
test_merge_lod_tensor = merge.tests()
