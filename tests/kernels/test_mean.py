import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("mean")
for dtype in ("float32", "float64"):
    for shape in ((), (1,), (37,), (2, 3, 4, 5)):
        table.case({"X": rand(*shape, dtype=dtype)}, tol=1e-6)
table.case({"X": lod(rand(5, 2), [[0, 3, 5]])})
table.case(
    {"X": rand(700, 701, low=0)},
    reference=lambda i, _: {"Out": np.asarray(i["X"].mean(dtype="float64"), "float32")},
    tol=1e-6,
)
table.error({"X": np.empty((0, 2), "float32")}, error="ShapeError", match="no elements")
table.error({"X": randint(2)}, error="DataTypeError", match="int64")

test_mean = table.tests()
