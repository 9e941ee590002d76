"""Cases of unsqueeze2."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("unsqueeze2")
table.case({"X": lod(rand(3, 4), [[0, 1, 3]])}, {"axes": [1]}, outputs={"Out": 1, "XShape": 1})
table.case({"X": lod(rand(3, 4), [[0, 1, 3]])}, {"axes": [0, 1]})
for axes in ([-1, 1], [1, 0], [-1, -1], [2, 2], []):
    table.case({"X": rand(3, 4)}, {"axes": axes})
table.case({"X": rand()}, {"axes": [-1, 0]})
table.case({"X": rand(0, 2)}, {"axes": [0]})
table.case({"X": randint(2, 3)}, {"axes": [2]}, params=["X"])
axes = np.array([1, -1], "int32")
table.case({"X": rand(3, 4), "AxesTensor": axes}, params=["AxesTensor"])
table.case({"X": rand(3, 4), "AxesTensor": axes.astype("int64")}, {"axes": [0]})
table.case({"X": rand(3, 4), "AxesTensorList": [np.array([1], "int32"), np.array([0], "int32")]})
table.error({"X": rand(3, 4)}, {"axes": [3]}, error="ShapeError", match="axes")
table.error({"X": rand(3, 4)}, {"axes": [0, -5]}, error="ShapeError", match="axes")
table.error({"X": rand(3, 4)}, {"axes": [0] * 8}, error="ShapeError", match="9 dimensions")
test_unsqueeze2 = table.tests()
