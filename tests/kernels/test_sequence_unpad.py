from __future__ import annotations

import numpy as np
from harness import OpTable, rand, randint

table = OpTable("sequence_unpad")


def lengths(*values: int) -> np.ndarray:
    return np.array(values, "int64")


table.case({"X": rand(2, 4, 3), "Length": lengths(2, 3)})
table.case({"X": rand(2, 4, 3), "Length": lengths(4, 0)}, params=["Length"])
table.case({"X": rand(3, 4), "Length": lengths(1, 0, 2)})
table.case({"X": rand(3, 4, 1), "Length": lengths(1, 4, 2)})
table.case({"X": rand(2, 4, 2, 2), "Length": lengths(1, 1)})
table.case({"X": randint(2, 4, 2), "Length": lengths(3, 1)})
table.case({"X": rand(2, 4, dtype="float64"), "Length": lengths(3, 1)})


def empty(result: dict) -> None:
    array, offsets = result["Out"][0]
    assert array.shape == (0, 3) and [list(level) for level in offsets] == [[0, 0, 0]]


table.case({"X": rand(2, 4, 3), "Length": lengths(0, 0)}, check=empty)

table.error({"X": rand(2, 4), "Length": lengths(5, 1)}, error="ShapeError", match="Length[0]")
table.error({"X": rand(2, 4), "Length": lengths(1, -1)}, error="ShapeError", match="Length[1]")
table.error({"X": rand(2, 4), "Length": lengths(1, 2**62)}, error="ShapeError", match="Length[1]")
table.error({"X": rand(2, 4), "Length": lengths(1)}, error="ShapeError", match="Length")
table.error({"X": rand(2), "Length": lengths(1, 1)}, error="ShapeError", match="X")
table.error({"X": rand(2, 4), "Length": rand(2)}, error="DataTypeError", match="Length")
test_sequence_unpad = table.tests()
