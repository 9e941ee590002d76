"""Cases of crop_tensor."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("crop_tensor")
table.case({"X": lod(rand(3, 4), [[0, 1, 3]])}, {"shape": [2, 2], "offsets": [1, 1]})
table.case({"X": rand(3, 4)}, {"shape": [-1, 2], "offsets": [1, 1]})
table.case({"X": rand(2, 3, 4, 5)}, {"shape": [1, 2, 3, 2], "offsets": [1, 0, 1, 3]})
for dtype in ("float64", "int64", "int32"):
    attrs = {"shape": [2, 3], "offsets": [0, 1]}
    table.case({"X": randint(3, 4, dtype=dtype)}, attrs, params=["X"])
shape, offsets = np.array([2, 3], "int32"), np.array([1, 0], "int32")
table.case({"X": rand(3, 4), "Shape": shape, "Offsets": offsets})
table.case({"X": rand(3, 4), "Shape": shape, "Offsets": offsets}, params=["Shape", "Offsets"])


def each(*values: int) -> list[np.ndarray]:
    return [np.array([value], "int32") for value in values]


lists = {"ShapeTensor": each(2, -1), "OffsetsTensor": each(1, 1)}
table.case({"X": rand(3, 4)} | lists, {"shape": [-1, -1], "offsets": [0, 0]})
table.case({"X": rand(3, 4), "ShapeTensor": each(2, 3)}, {"shape": [-1, -1], "offsets": [0, 1]})
table.error({"X": rand(3, 4)}, {"shape": [2, 2]}, error="ShapeError", match="offsets")
table.error(
    {"X": rand(3, 4)}, {"shape": [3, 4], "offsets": [1, 1]}, error="ShapeError", match="leaves"
)
table.error(
    {"X": rand(3, 4)}, {"shape": [1, 1], "offsets": [-1, 1]}, error="ShapeError", match="offset -1"
)
table.error(
    {"X": rand(3, 4)}, {"shape": [1, -3], "offsets": [0, 0]}, error="ShapeError", match="leaves"
)
test_crop_tensor = table.tests()
