"""Cases of lookup_table_v2."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("lookup_table_v2")
ids = lod(np.array([[0], [2], [4]]), [[0, 1, 3]])
for padding in (-1, 2, -2):
    table.case({"W": rand(5, 4), "Ids": ids}, {"padding_idx": padding}, params=["W"])
table.case({"W": rand(5, 4), "Ids": ids})
table.case({"W": rand(5, 4, dtype="float64"), "Ids": randint(2, 3, 1, high=5)})
table.case({"W": randint(5, 4, dtype="int8"), "Ids": randint(2, 1, high=5)})
table.case({"W": rand(5, 4), "Ids": randint(0, 1)})
table.case({"W": rand(5, 4), "Ids": randint(3, high=5, dtype="int32")})
table.case({"W": rand(5, 4), "Ids": np.array(1)})
table.error({"W": rand(5, 4), "Ids": np.array([[5]])}, error="ShapeError", match="is 5")
table.error({"W": rand(5, 4), "Ids": np.array([[-1]])}, error="ShapeError", match="is -1")
table.error(
    {"W": rand(5, 4), "Ids": np.array([[-1]])},
    {"padding_idx": -1},
    error="ShapeError",
    match="is -1",
)
table.error({"W": rand(5), "Ids": np.array([[1]])}, error="ShapeError", match="W has shape")
table.error({"W": rand(5, 4), "Ids": rand(3, 1)}, error="DataTypeError", match="float32")
test_lookup_table_v2 = table.tests()
