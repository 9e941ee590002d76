"""Cases of expand_v2."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("expand_v2")
table.case({"X": lod(rand(3, 1), [[0, 1, 3]])}, {"shape": [3, 4]})
table.case({"X": rand(3, 1)}, {"shape": [2, -1, 4]})
table.case({"X": rand(1, 3, 1)}, {"shape": [2, 5, -1, 7]})
table.case({"X": rand(2, 3)}, {"shape": [4, 2, 3]})
table.case({"X": rand(1)}, {"shape": [5]})
table.case({"X": rand()}, {"shape": [2]})
table.case({"X": rand()}, {"shape": []})
for dtype in ("float64", "int64", "int32", "bool"):
    table.case({"X": randint(3, 1, high=2, dtype=dtype)}, {"shape": [3, 2]}, params=["X"])
sizes = np.array([2, 3, 4], "int32")
table.case({"X": rand(3, 1), "Shape": sizes}, {"shape": [3, 9]})
table.case({"X": rand(3, 1), "Shape": sizes}, params=["Shape"])
each = [np.array([2], "int32"), np.array([-1], "int32"), np.array([4], "int32")]
table.case({"X": rand(3, 1), "expand_shapes_tensor": each}, {"shape": [-1, -1, -1]})
table.error({"X": rand(3, 1)}, {"shape": [-1, -1, 4]}, error="ShapeError", match="does not expand")
table.error({"X": rand(3, 1)}, {"shape": [3]}, error="ShapeError", match="fewer")
table.error({"X": rand(3, 2)}, {"shape": [3, 4]}, error="ShapeError", match="does not expand")
table.error({"X": rand(3, 1)}, {"shape": [3, -4]}, error="ShapeError", match="does not expand")
test_expand_v2 = table.tests()
