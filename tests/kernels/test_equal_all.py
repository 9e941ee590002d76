"""Cases of equal_all."""

from __future__ import annotations

import numpy as np
from harness import OpTable, rand, randint

table = OpTable("equal_all")
for dtype in ("float32", "float64", "int32", "int64", "bool"):
    x = randint(2, 3, high=2, dtype=dtype)
    y = x.copy()
    y[1, 2] = not y[1, 2]
    table.case({"X": x, "Y": x})
    table.case({"X": x, "Y": y})
table.case({"X": rand(2, 3), "Y": rand(3)})
nan = np.array([np.nan, 1], "float32")
table.case({"X": nan, "Y": nan})
table.case({"X": np.array([1, 1 + 5e-9]), "Y": np.array([1.0, 1.0])})
table.case({"X": rand(0, 2), "Y": rand(0, 2)}, reference=lambda i, a: {"Out": np.array(True)})
table.error({"X": rand(2), "Y": randint(2)}, error="DataTypeError", match="X is float32")
test_equal_all = table.tests()
