"""Cases of expand."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("expand")
table.case({"X": lod(rand(3, 1), [[0, 1, 3]])}, {"expand_times": [1, 4]})
table.case({"X": lod(rand(3, 1), [[0, 1, 3]])}, {"expand_times": [2, 4]})
table.case({"X": rand(2, 3, 4)}, {"expand_times": [2, 1, 3]})
for dtype in ("float64", "int64", "int32", "bool"):
    table.case({"X": randint(3, 2, high=2, dtype=dtype)}, {"expand_times": [2, 2]}, params=["X"])
times = np.array([2, 3], "int32")
table.case({"X": rand(3, 1), "ExpandTimes": times})
table.case({"X": rand(3, 1), "ExpandTimes": times}, params=["ExpandTimes"])
each = [np.array([2], "int32"), np.array([3], "int32")]
table.case({"X": rand(3, 1), "expand_times_tensor": each}, {"expand_times": [-1, -1]})
table.error({"X": rand(3, 1)}, {"expand_times": [2]}, error="ShapeError", match="1 elements")
table.error({"X": rand(3, 1)}, {"expand_times": [2, 0]}, error="ShapeError", match="0 times")
test_expand = table.tests()
