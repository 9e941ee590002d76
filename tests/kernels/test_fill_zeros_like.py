import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("fill_zeros_like")
for dtype in ("float32", "float64", "int32", "int64", "bool"):
    for shape in ((), (3,), (2, 3, 4, 5)):
        table.case({"X": randint(*shape, dtype=dtype)})
table.case({"X": lod(rand(5, 2), [[0, 3, 5]])})
table.case({"X": np.empty((0, 3), "int8")}, reference=lambda i, _: {"Out": i["X"]})

test_fill_zeros_like = table.tests()
