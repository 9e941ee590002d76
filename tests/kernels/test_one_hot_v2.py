"""Cases of one_hot_v2."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("one_hot_v2")
table.case({"X": lod(np.array([0, 2, 1]), [[0, 1, 3]])}, {"depth": 3})
for dtype in (2, 3, 5, 6):
    table.case({"X": randint(2, 5, high=4, dtype="int32")}, {"depth": 4, "dtype": dtype})
four = np.array([4], "int32")
table.case({"X": np.array([0, 2]), "depth_tensor": four}, {"depth": 3}, params=["depth_tensor"])
table.case({"X": np.array([0, 2]), "depth_tensor": four})
table.case({"X": np.array(2)}, {"depth": 3})
table.case(
    {"X": np.array([0, 3, -1])},
    {"depth": 3, "allow_out_of_range": True},  # Paddle 2.6 ignores the attribute
    reference=lambda inputs, attrs: {"Out": np.diag(np.float32([1, 0, 0]))},
)
table.error({"X": np.array([0, 3])}, {"depth": 3}, error="ShapeError", match="is 3")
table.error({"X": np.array([-1])}, {"depth": 3}, error="ShapeError", match="is -1")
table.error({"X": np.array([0])}, error="ShapeError", match="depth is -1")
table.error({"X": rand(2)}, {"depth": 3}, error="DataTypeError", match="X")
test_one_hot_v2 = table.tests()
