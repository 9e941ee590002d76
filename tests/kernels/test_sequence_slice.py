import numpy as np
from harness import OpTable, lod, rand

table = OpTable("sequence_slice")
X = lod(rand(6, 2), [[0, 2, 6]])


def numbers(*values: int, dtype: str = "int64") -> np.ndarray:
    return np.array(values, dtype).reshape(-1, 1)


for start, length in [((0, 1), (1, 2)), ((0, 0), (2, 4)), ((1, 3), (1, 1))]:
    table.case({"X": X, "Offset": numbers(*start), "Length": numbers(*length)})
as_int32 = {"Offset": numbers(0, 1, dtype="int32"), "Length": numbers(2, 1, dtype="int32")}
table.case(
    {"X": X, **as_int32},
    reference=lambda inputs, _: {"Out": lod(inputs["X"][[0, 1, 3]], [[0, 2, 3]])},
)
ints = lod(np.arange(6).reshape(3, 1, 2), [[0, 1, 3]])
table.case({"X": ints, "Offset": numbers(0, 0), "Length": numbers(1, 1)})
for start, length in [
    ((0, 1), (1, 4)),
    ((-1, 0), (1, 1)),
    ((0, 0), (0, 1)),
    ((0, 2**63 - 1), (1, 1)),
]:
    sizes = {"Offset": numbers(*start), "Length": numbers(*length)}
    table.error({"X": X, **sizes}, error="ShapeError", match="Offset and Length")
good = {"X": X, "Offset": numbers(0, 0), "Length": numbers(1, 1)}
table.error({**good, "Offset": numbers(0)}, error="ShapeError", match="Offset")
table.error({**good, "Length": numbers(1, 1, 1)}, error="ShapeError", match="Length")
table.error({**good, "X": rand(6, 2)}, error="ShapeError", match="LoD")
table.error({**good, "Length": rand(2, 1)}, error="DataTypeError", match="Length")
test_sequence_slice = table.tests()
