"""Cases of crop."""

from __future__ import annotations

import numpy as np
from harness import OpTable, rand, randint

table = OpTable("crop")
table.case({"X": rand(3, 4)}, {"shape": [2, 2], "offsets": [1, 1]})
table.case({"X": randint(3, 4, dtype="float64")}, {"shape": [2, 3], "offsets": [0, 1]})
table.case({"X": rand(2, 3, 4, 5)}, {"shape": [1, 2, 3, 2], "offsets": [1, 0, 1, 3]})
place = np.array([1, 0], "int32")
table.case({"X": rand(3, 4), "Offsets": place}, {"shape": [2, 3]})
table.case({"X": rand(3, 4), "Y": rand(2, 2)}, {"offsets": [1, 2]})
table.case({"X": rand(3, 4), "Y": rand(2, 2), "Offsets": place}, params=["Offsets"])
x = rand(3, 4)
table.error({"X": x}, {"shape": [2, 2]}, error="ShapeError", match="offsets")
table.error({"X": x, "Y": rand(2)}, {"offsets": [0, 0]}, error="ShapeError", match="shape is")
table.error({"X": x}, {"shape": [3, 4], "offsets": [1, 1]}, error="ShapeError", match="leaves")
table.error({"X": x, "Offsets": rand(2)}, {"shape": [1, 1]}, error="DataTypeError", match="Offs")
test_crop = table.tests()
