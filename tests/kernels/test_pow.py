import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("pow")
for factor in (0.0, 1.0, 2.0, 3.0, -1.0, 0.5, 2.5):
    table.case({"X": rand(2, 3, 4, 5, low=0.1, high=3)}, {"factor": factor}, tol=1e-5)
    table.case({"X": rand(3, 4, low=0.1, high=3, dtype="float64")}, {"factor": factor}, tol=1e-7)
    if factor >= 0:
        for dtype in ("int32", "int64"):
            table.case({"X": randint(3, 4, low=-4, dtype=dtype)}, {"factor": factor})
for factor in (2.0, 3.0, 5.0):  # beyond what a double holds, then around
    table.case(
        {"X": np.array([2**31 - 1, 94906267, -94906267, 2**40 + 1, 3, 0])},
        {"factor": factor},
        reference=lambda i, a: {"Out": i["X"] ** int(a["factor"])},
    )
table.case({"X": rand(3, 4)}, {"factor": 2.0})
table.case({"X": rand(3, 4)}, {"factor": 0.5})
for dtype in ("float32", "int32"):
    table.case({"X": rand(3, 4), "FactorTensor": np.array([3], dtype)}, {"factor": 2.0})
table.case({"X": rand()})
table.case({"X": lod(rand(5, 2), [[0, 3, 5]])}, {"factor": 2.0})
table.case({"X": np.empty((0, 3), "float32")}, reference=lambda i, _: {"Out": i["X"]})
table.error({"X": rand(2), "FactorTensor": rand(2)}, error="ShapeError", match="FactorTensor")
table.error({"X": rand(2) > 0}, error="DataTypeError", match="bool")

test_pow = table.tests()
