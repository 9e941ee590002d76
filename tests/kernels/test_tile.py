"""Cases of tile."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("tile")
table.case({"X": lod(rand(3, 1), [[0, 1, 3]])}, {"repeat_times": [1, 4]})
table.case({"X": lod(rand(3, 1), [[0, 1, 3]])}, {"repeat_times": [2, 4]})
table.case({"X": rand(3, 2)}, {"repeat_times": [2]})
table.case({"X": rand(3, 2)}, {"repeat_times": [2, 3, 2]})
table.case({"X": rand(2, 3, 4, 5)}, {"repeat_times": [1, 2, 1, 3]})
table.case({"X": rand(3, 1)}, {"repeat_times": []})
table.case({"X": rand()}, {"repeat_times": [2, 3]})
table.case({"X": rand(0, 2)}, {"repeat_times": [2, 3]})
for dtype in ("float64", "int64", "int32", "bool"):
    table.case({"X": randint(3, 2, high=2, dtype=dtype)}, {"repeat_times": [2, 2]}, params=["X"])
times = np.array([2, 3], "int32")
table.case({"X": rand(3, 1), "RepeatTimes": times})
table.case({"X": rand(3, 1), "RepeatTimes": times}, params=["RepeatTimes"])
each = [np.array([2], "int32"), np.array([3], "int32")]
table.case({"X": rand(3, 1), "repeat_times_tensor": each}, {"repeat_times": [-1, -1]})
for nothing in ([0, 2], [2, 0], [1, 0, 1]):  # as Paddle 3; 2.6 refuses it
    table.case(
        {"X": rand(3, 1)},
        {"repeat_times": nothing},
        reference=lambda i, a: {"Out": np.tile(i["X"], a["repeat_times"])},
    )
table.error({"X": rand(3, 1)}, {"repeat_times": [-1]}, error="ShapeError", match="-1 times")
table.error({"X": rand(3, 1)}, {"repeat_times": [2] * 10}, error="ShapeError", match="9 dimensions")
table.error({"X": rand(3, 1)}, {"repeat_times": [2**31 - 1] * 9}, error="ShapeError", match="2^63")
test_tile = table.tests()
