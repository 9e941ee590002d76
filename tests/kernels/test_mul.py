from typing import Any

from harness import OpTable, lod, rand
from int8_cases import add_int8

table = OpTable("mul")
for x_shape, y_shape, attrs in [
    ((2, 3), (3, 4), {}),
    ((1, 13), (13, 1), {}),
    ((9, 33), (33, 70), {}),
    ((2, 3, 4), (12, 5), {}),
    ((2, 3, 4), (4, 5), {"x_num_col_dims": 2}),
    ((2, 3, 4, 5), (20, 7), {"x_num_col_dims": 2}),
    ((2, 3, 4), (2, 2, 5, 6), {"x_num_col_dims": 2, "y_num_col_dims": 2}),
    ((2, 3), (3, 4, 5), {}),
    ((0, 3), (3, 4), {}),
]:
    arrays = {"X": rand(*x_shape), "Y": rand(*y_shape)}
    table.case(arrays, attrs)
    table.case(arrays, attrs, params=["Y"])
table.case({"X": lod(rand(3, 4), [[0, 1, 3]]), "Y": rand(4, 5)}, params=["Y"])
table.case({"X": rand(3, 4, dtype="float64"), "Y": rand(4, 5, dtype="float64")})

X, Y = rand(2, 3), rand(3, 4)
table.error({"X": X, "Y": rand(4, 3)}, match="columns")
table.error({"X": X, "Y": rand(3)}, match="y_num_col_dims")
table.error({"X": X, "Y": Y}, {"x_num_col_dims": 2}, match="x_num_col_dims")
table.error({"X": X, "Y": Y}, {"x_num_col_dims": 0}, match="x_num_col_dims")
table.error({"X": X, "Y": Y}, {"y_num_col_dims": -1}, match="y_num_col_dims")
table.error({"X": X, "Y": Y.astype("int64")}, error="DataTypeError")


def product(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    return {"Out": inputs["X"] @ inputs["Y"]}


add_int8(table, ("X", "Y"), [((5, 70), (70, 33), {}), ((1, 9), (9, 3), {})], 1, product)

test_mul = table.tests()
