import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("p_norm")
for porder in (2.0, 1.0, 0.0, 3.0, 0.5, -1.0, float("inf"), float("-inf")):
    for axis in (-1, 0, 1):
        attrs = {"porder": porder, "axis": axis, "keepdim": axis == 0}
        table.case({"X": rand(2, 3, 4, low=0.1)}, attrs, tol=1e-5)
    table.case(
        {"X": rand(2, 3)}, {"porder": porder, "asvector": True}, tol=1e-5
    ) if porder >= 1 else None
    table.case({"X": rand(2, 3, low=0.1, dtype="float64")}, {"porder": porder}, tol=1e-6)
table.case({"X": rand(2, 3)}, {"asvector": True, "keepdim": True})
table.case({"X": rand(5)})
table.case({"X": lod(rand(5, 2), [[0, 3, 5]])})
table.error({"X": rand(2, 3)}, {"axis": 2}, error="ShapeError", match="axis")
table.error({"X": np.empty((2, 0), "float32")}, {}, error="ShapeError", match="no elements")
table.error({"X": randint(2, 3)}, {}, error="DataTypeError", match="int64")

test_p_norm = table.tests()
