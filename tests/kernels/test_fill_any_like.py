"""Cases of fill_any_like."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("fill_any_like")
table.case({"X": lod(rand(3, 2), [[0, 1, 3]])}, {"value": 2.5})
table.case({"X": rand(3, 2)}, {"value": 1.0, "dtype": 0})
for dtype in (2, 3, 4, 5, 6):
    table.case({"X": rand(3, 2)}, {"value": 2.5, "dtype": dtype})
table.case({"X": randint(3, 2, dtype="int32")}, {"value": 2.5})
table.case({"X": rand()}, {"value": np.inf})
table.case({"X": rand(0, 2)}, {"value": 1.0})
table.case({"X": rand(2)}, params=["X"])
table.case({"X": rand(2, 3, 4, 5)}, {"value": -1.0})
table.error({"X": rand(2)}, {"dtype": 50}, error="DataTypeError", match="50")
test_fill_any_like = table.tests()
