"""Cases of concat."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("concat")
table.case({"X": [rand(2, 3, 4), rand(2, 5, 4), rand(2, 1, 4)]}, {"axis": 1})
table.case({"X": [rand(2, 3), rand(1, 3)]})
table.case({"X": [rand(2, 3)]}, {"axis": -1})
sequences = lod(rand(3, 2), [[0, 1, 3]])
table.case({"X": [sequences, sequences]}, {"axis": 1})
table.case({"X": [sequences, lod(rand(3, 2), [[0, 2, 3]])]}, {"axis": 0})
table.case({"X": [sequences, lod(rand(2, 2), [[0, 1, 2]])]}, {"axis": -2})
table.case({"X": [sequences, rand(3, 2)]}, {"axis": 0})
table.case({"X": [rand(3, 2), sequences]}, {"axis": 1})
table.case({"X": [sequences]}, {"axis": 0})
table.case({"X": [rand(0, 2), rand(3, 2)]}, {"axis": 0})
table.case({"X": [rand(0), rand(3)]}, {"axis": 0})
table.case(
    {"X": [rand(3, 0), rand(3, 0)]},  # Paddle dies
    {"axis": 1},
    reference=lambda inputs, attrs: {"Out": np.zeros((3, 0), "float32")},
)
for axis in (0, 1, 2, 3, -3):
    shapes = [[2, 3, 4, 5] for _ in range(3)]
    shapes[1][axis], shapes[2][axis] = 1, 7
    table.case({"X": [rand(*shape) for shape in shapes]}, {"axis": axis})
for dtype in ("float64", "int64", "int32", "uint8", "bool"):
    table.case({"X": [randint(2, 3, high=2, dtype=dtype) for _ in range(2)]}, {"axis": 1})
one = np.array([1], "int32")
table.case({"X": [rand(3, 2), rand(3, 1)], "AxisTensor": one}, {"axis": 0}, params=["AxisTensor"])
table.case({"X": [rand(3, 2), rand(3, 1)], "AxisTensor": one.astype("int64")})
table.case(
    {"X": [rand(3, 300, 50), rand(3, 301, 50)]},
    {"axis": 1},
    reference=lambda inputs, attrs: {"Out": np.concatenate(inputs["X"], attrs["axis"])},
)
table.error({"X": [rand(3, 2), rand(2, 2)]}, {"axis": 1}, error="ShapeError", match="X[1]")
table.error({"X": [rand(3, 2), rand(3)]}, {"axis": 0}, error="ShapeError", match="X[1]")
table.error({"X": [rand(2), randint(2)]}, error="DataTypeError", match="int64")
table.error({"X": [rand(), rand()]}, error="ShapeError", match="axis")
table.error({"X": [rand(2)]}, {"axis": 1}, error="ShapeError", match="axis")
table.error({"X": []}, error="ModelFormatError", match="X")
test_concat = table.tests()
