import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("sum")
for dtype in ("float32", "float64", "int32", "int64"):
    for count in (1, 2, 3, 5):
        table.case({"X": [randint(2, 3, 4, 5, dtype=dtype) for _ in range(count)]})
table.case({"X": [rand(), rand()]})
table.case({"X": [lod(rand(5, 2), [[0, 3, 5]]), lod(rand(5, 2), [[0, 1, 5]])]})
table.case({"X": [rand(5, 2), lod(rand(5, 2), [[0, 1, 5]])]})
table.case(
    {"X": [rand(300, 301) for _ in range(20)]},
    reference=lambda i, _: {"Out": np.sum(i["X"], 0, dtype="float64").astype("float32")},
)
table.error({"X": [rand(2), rand(1)]}, error="ShapeError", match="X[1]")
table.error({"X": [rand(2), randint(2)]}, error="DataTypeError", match="X[1]")
table.error({"X": [rand(2) > 0]}, error="DataTypeError", match="bool")

test_sum = table.tests()
