"""Cases of pad3d."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("pad3d")
for mode in ("constant", "reflect", "replicate", "circular"):
    attrs = {"paddings": [2, 1, 1, 0, 1, 1], "mode": mode, "value": 9.0}
    table.case({"X": lod(rand(1, 2, 2, 3, 4), [[0, 1]])}, attrs)
    table.case({"X": rand(1, 2, 3, 4, 2)}, attrs | {"data_format": "NDHWC"})
    cut = {"paddings": [-1, 2, 1, 0, 0, 0], "mode": mode}
    table.case({"X": rand(1, 1, 1, 2, 3)}, cut)
    paddings = np.array([1, 0, 0, 1, 0, 0], "int32")
    table.case(
        {"X": rand(1, 1, 1, 2, 3), "Paddings": paddings}, {"mode": mode, "paddings": [0] * 6}
    )
table.case({"X": rand(1, 1, 1, 2, 3)}, {"paddings": [5, 4, 3, 7, 2, 2], "mode": "circular"})
table.case({"X": rand(1, 1, 1, 2, 3)}, {"paddings": [5, 4, 3, 7, 2, 2], "mode": "replicate"})
table.case({"X": rand(1, 1, 1, 2, 3)}, {"paddings": [0] * 6})
for dtype in ("float64", "int64", "int32"):
    table.case(
        {"X": randint(1, 1, 2, 2, 3, dtype=dtype)},
        {"paddings": [1] * 6, "value": 4.0},
        params=["X"],
    )
small = {"X": rand(1, 1, 1, 2, 3)}
table.error(
    small,
    {"paddings": [3, 0, 0, 0, 0, 0], "mode": "reflect"},
    error="ShapeError",
    match="dimension 4",
)
table.error(small, {"paddings": [0, 0, -3, 0, 0, 0]}, error="ShapeError", match="dimension 3")
table.error(small, {"paddings": [1, 1]}, error="ShapeError", match="2 paddings")
table.error(small, {"paddings": [0] * 6, "data_format": "NCHW"}, match="NCHW")
table.error({"X": rand(2, 3)}, {"paddings": [0] * 6}, error="ShapeError", match="5 dimensions")
test_pad3d = table.tests()
