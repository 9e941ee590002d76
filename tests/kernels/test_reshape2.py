"""Cases of reshape2."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("reshape2")
table.case({"X": rand(2, 6)}, {"shape": [3, 4]})
table.case({"X": lod(rand(3, 4), [[0, 1, 3]])}, {"shape": [4, -1]}, outputs={"Out": 1, "XShape": 1})
table.case({"X": rand(2, 3, 4)}, {"shape": [0, -1]})
table.case({"X": rand(2, 3, 4)}, {"shape": [-1, 0, 2]})
table.case({"X": rand(1, 1)}, {"shape": []})
table.case({"X": rand()}, {"shape": [1, -1]})
table.case({"X": rand(0, 4)}, {"shape": [-1, 2]})
table.case({"X": rand(0, 4)}, {"shape": [0, 2, 2]})
table.case({"X": rand(3, 0, 4)}, {"shape": [3, -1]})
table.case({"X": rand(2, 3) > 0}, {"shape": [6]})
table.case({"X": randint(2, 3)}, {"shape": [3, 2]})
table.case({"X": rand(2, 3, dtype="float64")}, {"shape": [3, 2]}, params=["X"])
table.case({"X": rand(1, 2, 3, 4)}, {"shape": [0, 0, -1]})
shape = np.array([2, -1], "int32")
one, two = np.array([6], "int32"), np.array([-1], "int64")
table.case({"X": rand(3, 4), "Shape": shape}, {"shape": [4, 3]}, params=["Shape"])
table.case({"X": rand(3, 4), "Shape": shape.astype("int64")}, {"shape": [4, 3]})
table.case({"X": rand(3, 4), "ShapeTensor": [one, two]}, {"shape": [4, 3]}, params=["ShapeTensor"])
table.case({"X": rand(3, 4), "ShapeTensor": [one, two], "Shape": shape}, {"shape": [4, 3]})
table.error({"X": rand(2, 3)}, {"shape": [4]}, error="ShapeError", match="does not fit")
table.error({"X": rand(2, 3)}, {"shape": [-1, -1]}, error="ShapeError", match="more than one -1")
table.error({"X": rand(2, 3)}, {"shape": [-1, 4]}, error="ShapeError", match="does not fit")
table.error({"X": rand(2, 3)}, {"shape": [6, 1, 0]}, error="ShapeError", match="dimension 2")
table.error({"X": rand(0, 3)}, {"shape": [0, -1]}, error="ShapeError", match="anything")
table.error({"X": rand(2, 3)}, {"shape": [-2, -3]}, error="ShapeError", match="below -1")
table.error({"X": rand(2)}, {"shape": [1] * 10}, error="ShapeError", match="9 dimensions")
table.error({"X": rand(2, 3), "Shape": rand(2)}, error="DataTypeError", match="int32 or int64")
table.error({"X": rand(2)}, {"shape": [2**31 - 1] * 4}, error="ShapeError", match="elements")
test_reshape2 = table.tests()
