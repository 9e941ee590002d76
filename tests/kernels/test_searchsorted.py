"""Cases of searchsorted."""

from __future__ import annotations

import numpy as np
from harness import OpTable, rand, randint

table = OpTable("searchsorted")
for right in (True, False):
    for narrow in (True, False):
        flags = {"right": right, "out_int32": narrow}
        values = randint(3, 2, dtype="float32")
        line = np.sort(randint(8, dtype="float32"))
        table.case({"SortedSequence": line, "Values": values}, flags)
        lines = np.sort(randint(3, 5, dtype="float32"))
        table.case({"SortedSequence": lines, "Values": values}, flags)
for dtype in ("float64", "int32", "int64"):
    line = np.sort(randint(2, 2, 4, dtype=dtype))
    table.case({"SortedSequence": line, "Values": randint(2, 2, 3, dtype=dtype)})
odd = np.array([np.nan, np.inf, -np.inf, 1], "float32")
table.case({"SortedSequence": np.array([0, 1, 2], "float32"), "Values": odd}, params=["Values"])
lines = rand(2, 3)
table.error({"SortedSequence": lines, "Values": rand(3, 3)}, error="ShapeError", match="shape")
table.error({"SortedSequence": lines, "Values": rand(3)}, error="ShapeError", match="shape")
table.error({"SortedSequence": lines, "Values": randint(2, 3)}, error="DataTypeError", match="is")
test_searchsorted = table.tests()
