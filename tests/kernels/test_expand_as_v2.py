"""Cases of expand_as_v2."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("expand_as_v2")
table.case({"X": lod(rand(3, 1), [[0, 1, 3]])}, {"target_shape": [2, 3, 4]})
table.case({"X": rand(3, 1), "Y": rand(2, 3, 4)}, {"target_shape": [2, 3, 4]})
table.case({"X": rand(3, 1), "Y": rand(2, 3, 4)}, {"target_shape": [-1, 3, 4]})
table.case({"X": rand(3, 1), "Y": rand(2, 3, 4)}, {"target_shape": [-1, -1, -1]}, params=["Y"])
for dtype in ("float64", "int64", "int32", "bool"):
    table.case({"X": randint(3, 1, high=2, dtype=dtype)}, {"target_shape": [3, 2]}, params=["X"])
table.case(
    {"X": rand(3, 1), "Y": rand(2, 3, 4)},  # Paddle wants the attribute
    reference=lambda inputs, attrs: {"Out": np.broadcast_to(inputs["X"], (2, 3, 4))},
)
table.error(
    {"X": rand(3, 2)}, {"target_shape": [3, 4]}, error="ShapeError", match="does not expand"
)
table.error({"X": rand(3, 1)}, {"target_shape": [-1, 4]}, error="ShapeError", match="no Y")
table.error({"X": rand(3, 1)}, {"target_shape": [4]}, error="ShapeError", match="does not expand")
test_expand_as_v2 = table.tests()
