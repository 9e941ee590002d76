"""Cases of gather_tree."""

from __future__ import annotations

import numpy as np
from harness import OpTable, rand, randint

table = OpTable("gather_tree")
for dtype in ("int32", "int64"):
    for shape in ((3, 2, 2), (5, 1, 4), (1, 3, 2)):
        ids = randint(*shape, dtype=dtype)
        table.case({"Ids": ids, "Parents": randint(*shape, high=shape[2], dtype=dtype)})
ids = randint(3, 2, 2)
table.error({"Ids": ids, "Parents": np.full((3, 2, 2), 2)}, error="ShapeError", match="has 2")
table.error({"Ids": ids, "Parents": np.full((3, 2, 2), -1)}, error="ShapeError", match="has -1")
table.error({"Ids": ids, "Parents": randint(3, 2)}, error="ShapeError", match="Parents [3, 2]")
table.error({"Ids": ids, "Parents": ids.astype("int32")}, error="DataTypeError", match="Parents")
table.error({"Ids": rand(3, 2, 2), "Parents": ids}, error="DataTypeError", match="Ids")
test_gather_tree = table.tests()
