"""Cases of sequence_erase and sequence_enumerate."""

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("sequence_erase")
for dtype in ("int32", "int64"):
    for tokens in ([2, 5], [], [0, 1, 2, 3, 4, 5]):
        x = lod(randint(7, 1, high=6, dtype=dtype), [[0, 2, 7]])
        table.case({"X": x}, {"tokens": tokens})
deep = lod(randint(5, 1, high=4), [[0, 1, 3], [0, 2, 2, 5]])
table.case({"X": deep}, {"tokens": [1, 2]})
table.error({"X": randint(5, 1)}, {"tokens": [1]}, error="ShapeError", match="LoD")
table.error({"X": lod(randint(5, 2), [[0, 5]])}, {"tokens": [1]}, error="ShapeError", match="token")
table.error({"X": lod(rand(5, 1), [[0, 5]])}, {"tokens": [1]}, error="DataTypeError", match="X")
table.error({"X": lod(randint(5, 1), [[0, 5]])}, error="ModelFormatError", match="tokens")
test_sequence_erase = table.tests()

table = OpTable("sequence_enumerate")
for dtype in ("int32", "int64"):
    for attrs in ({"win_size": 2}, {"win_size": 3, "pad_value": 9}):
        table.case({"X": lod(randint(6, 1, dtype=dtype), [[0, 2, 6]])}, attrs)
table.case({"X": lod(np.arange(3).reshape(3, 1), [[0, 1, 3]])}, {"win_size": 5, "pad_value": -1})
X = lod(randint(6, 1), [[0, 2, 6]])
for size in (1, 0, -3):
    table.error({"X": X}, {"win_size": size}, error="ShapeError", match="win_size")
table.error({"X": X}, error="ModelFormatError", match="win_size")
table.error({"X": randint(5, 1)}, {"win_size": 2}, error="ShapeError", match="LoD")
table.error({"X": lod(randint(6, 2), [[0, 2, 6]])}, {"win_size": 2}, error="ShapeError")
test_sequence_enumerate = table.tests()
