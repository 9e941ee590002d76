import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("bitwise_not")
for dtype in ("int32", "int64", "int16", "int8", "uint8", "bool"):
    low = -9 if dtype.startswith("int") else 0
    high = 2 if dtype == "bool" else 9
    for shape in ((), (3,), (2, 3, 4, 5)):
        table.case({"X": randint(*shape, low=low, high=high, dtype=dtype)})
table.case({"X": lod(randint(5, 2), [[0, 3, 5]])})
table.case({"X": np.empty((0, 3), "int32")}, reference=lambda i, _: {"Out": i["X"]})
table.error({"X": rand(2)}, error="DataTypeError", match="float32")

test_bitwise_not = table.tests()
