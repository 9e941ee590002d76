from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("sequence_pad")
BOTH = {"Out": 1, "Length": 1}
one = np.array([9.0], "float32")
table.case({"X": lod(rand(5, 3), [[0, 2, 5]]), "PadValue": one}, outputs=BOTH)
table.case({"X": lod(rand(5, 3), [[0, 2, 2, 5]]), "PadValue": rand(3)}, outputs=BOTH)
table.case({"X": lod(rand(5, 3), [[0, 2, 5]]), "PadValue": rand(3)}, {"padded_length": 4})
table.case({"X": lod(rand(5, 2, 2), [[0, 2, 5]]), "PadValue": rand(2, 2)}, {"padded_length": 4})
table.case({"X": lod(rand(5, 1), [[0, 2, 5]]), "PadValue": one}, {"padded_length": 3})
table.case({"X": lod(randint(5, 2), [[0, 2, 5]]), "PadValue": np.array(3)}, {"padded_length": 4})

x = lod(rand(5, 3), [[0, 2, 5]])
table.error({"X": x, "PadValue": one}, {"padded_length": 2}, error="ShapeError", match="padded_le")
table.error({"X": x, "PadValue": one}, {"padded_length": -7}, error="ShapeError", match="padded_le")
table.error({"X": x, "PadValue": rand(2)}, error="ShapeError", match="PadValue")
table.error({"X": x, "PadValue": randint(1)}, error="DataTypeError", match="PadValue")
table.error({"X": rand(5, 3), "PadValue": one}, error="ShapeError", match="no LoD")
table.error({"X": lod(rand(5), [[0, 2, 5]]), "PadValue": one}, error="ShapeError", match="rank 2")
test_sequence_pad = table.tests()
