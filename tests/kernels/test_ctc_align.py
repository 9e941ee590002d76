from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("ctc_align")
BOTH = {"Output": 1, "OutputLength": 1}
for dtype in ("int32", "int64"):
    tokens = lod(randint(12, 1, high=3, dtype=dtype), [[0, 5, 5, 12]])
    table.case({"Input": tokens})
    table.case({"Input": tokens}, {"blank": 2, "merge_repeated": False})
    padded = {
        "Input": randint(3, 6, high=3, dtype=dtype),
        "InputLength": np.array([[6], [0], [4]], dtype),
    }
    table.case(padded, {"padding_value": 9}, outputs=BOTH)
    table.case(padded, {"blank": 1, "merge_repeated": False}, outputs=BOTH)
table.case({"Input": lod(np.zeros((3, 1), "int32"), [[0, 3]])})

x, lengths = randint(2, 4), np.array([[5], [1]])
table.error({"Input": x, "InputLength": lengths}, error="ShapeError", match="InputLength")
table.error({"Input": x, "InputLength": -lengths}, error="ShapeError", match="InputLength")
table.error({"Input": x, "InputLength": lengths[:1]}, error="ShapeError", match="InputLength")
table.error({"Input": x}, error="ShapeError", match="no LoD")
table.error({"Input": lod(x, [[0, 2]])}, error="ShapeError", match="tokens")
table.error({"Input": lod(rand(4, 1), [[0, 4]])}, error="DataTypeError", match="Input")
test_ctc_align = table.tests()
