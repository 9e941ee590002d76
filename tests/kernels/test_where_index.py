"""Cases of where_index."""

from __future__ import annotations

import numpy as np
from harness import OpTable, randint

table = OpTable("where_index")
for dtype in ("bool", "int32", "int64", "float32", "float64"):
    table.case({"Condition": randint(3, 4, high=2, dtype=dtype)})
table.case({"Condition": np.zeros((1, 2), "bool")})
table.case({"Condition": randint(2, 3, 2, 2, high=2, dtype="bool")}, params=["Condition"])
table.case({"Condition": np.ones(5, "bool")})
table.case(
    {"Condition": np.ones((0, 2), "bool")},
    reference=lambda inputs, attrs: {"Out": np.zeros((0, 2), "int64")},
)
table.error({"Condition": np.array(True)}, error="ShapeError", match="0-D")
test_where_index = table.tests()
