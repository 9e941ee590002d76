"""Cases of eye, diag_v2, diag_embed, diagonal, fill_diagonal(_tensor), tril_ and triu_indices."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, randint

INT32, INT64, FP64 = 2, 3, 6

eye = OpTable("eye")
eye.case({}, {"num_rows": 3})
for rows, cols in ((2, 4), (4, 2), (1, 1)):
    for dtype in (INT32, INT64, FP64):
        eye.case({}, {"num_rows": rows, "num_columns": cols, "dtype": dtype})
for each in (np.array(4), np.array([4], "int32")):
    eye.case(
        {"RowsTensor": np.array(3), "ColumnsTensor": each},
        reference=lambda inputs, attrs: {"Out": np.eye(3, 4, dtype=np.float32)},
    )
    eye.error({"RowsTensor": -each}, error="ShapeError", match="-4 rows")
eye.error(
    {"RowsTensor": np.array([4, 4])},
    error="ShapeError",
    match="RowsTensor has 2 elements, expected one",
)
eye.error({}, {"num_rows": -2}, error="ShapeError", match="-2 rows")
eye.error({}, {"num_rows": 2, "num_columns": -3}, error="ShapeError", match="-3 columns")
eye.error({}, {"num_rows": 2, "dtype": 99}, error="DataTypeError", match="99")
test_eye = eye.tests()

diag = OpTable("diag_v2")
for offset in (0, 1, -2):
    diag.case({"X": rand(3)}, {"offset": offset, "padding_value": 1.5})
    diag.case({"X": rand(3, 4)}, {"offset": offset})
    diag.case({"X": rand(4, 2)}, {"offset": offset}, params=["X"])
for dtype in ("float64", "int32", "int64"):
    diag.case({"X": randint(2, dtype=dtype)}, {"offset": 1, "padding_value": 7.0})
diag.error({"X": rand(1, 1, 1)}, error="ShapeError", match="at most two")
test_diag_v2 = diag.tests()

embed = OpTable("diag_embed")
for offset in (0, 1, -2):
    embed.case({"Input": rand(2, 3)}, {"offset": offset})
for dims in ((0, 2), (2, 0), (-1, -3), (0, 1)):
    embed.case({"Input": rand(2, 3)}, {"offset": 1, "dim1": dims[0], "dim2": dims[1]})
for dtype in ("float64", "int32", "int64"):
    embed.case({"Input": randint(3, dtype=dtype)})
embed.error({"Input": rand(2, 3)}, {"dim1": 1, "dim2": -2}, error="ShapeError", match="both axes")
embed.error({"Input": rand(2, 3)}, {"dim1": 3}, error="ShapeError", match="axis")
embed.error({"Input": np.array(1.0, "float32")}, error="ShapeError", match="0-D")
test_diag_embed = embed.tests()

diagonal = OpTable("diagonal")
for offset in (0, 1, -2):
    diagonal.case({"Input": rand(3, 4)}, {"offset": offset})
    diagonal.case({"Input": rand(2, 3, 4)}, {"offset": offset, "axis1": -1, "axis2": 1})
for dtype in ("float64", "int32", "int64", "bool"):
    diagonal.case({"Input": randint(2, 3, 2, high=2, dtype=dtype)}, {"axis1": 0, "axis2": 2})
diagonal.case(
    {"Input": rand(2, 3)}, {"offset": 7}, reference=lambda i, a: {"Out": np.zeros(0, "float32")}
)
diagonal.error({"Input": rand(2, 3)}, {"axis2": 0}, error="ShapeError", match="both axes")
diagonal.error({"Input": rand(2)}, error="ShapeError", match="axis")
test_diagonal = diagonal.tests()

fill = OpTable("fill_diagonal")
for offset in (0, 1, -1):
    for wrap in (True, False):
        flags = {"value": 2.5, "offset": offset, "wrap": wrap}
        fill.case({"X": rand(3, 4)}, flags)
        fill.case({"X": rand(7, 3)}, flags)


def _cube(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    out = inputs["X"].copy()
    each = np.arange(out.shape[0])
    out[each, each, each] = attrs["value"]
    return {"Out": out}


# As Paddle 3; 2.6.2 stops after the second dimension's square.
fill.case({"X": rand(3, 3, 3)}, {"value": -1.0}, params=["X"], reference=_cube)
for dtype in ("float64", "int32", "int64"):
    fill.case({"X": randint(3, 3, dtype=dtype)}, {"value": 9.0})
fill.error({"X": rand(3)}, error="ShapeError", match="two dimensions")
fill.error({"X": rand(2, 2, 3)}, error="ShapeError", match="equal dimensions")
test_fill_diagonal = fill.tests()

fill_tensor = OpTable("fill_diagonal_tensor")
for offset, length in ((0, 3), (2, 2), (-1, 2)):
    fill_tensor.case({"X": rand(3, 4), "Y": rand(length)}, {"offset": offset})
fill_tensor.case({"X": rand(2, 3, 4), "Y": rand(3, 2)}, {"dim1": 0, "dim2": 2})
fill_tensor.case({"X": rand(3, 2, 3), "Y": rand(2, 3)}, {"dim1": 2, "dim2": 0}, params=["Y"])
for dtype in ("float64", "int32", "int64"):
    fill_tensor.case({"X": randint(3, 3, dtype=dtype), "Y": randint(3, dtype=dtype)})
fill_tensor.case(
    {"X": np.zeros((2, 3), "float32"), "Y": np.array([[1, 2]], "float32")},
    reference=lambda i, _: {"Out": np.array([[1, 0, 0], [0, 2, 0]], "float32")},
)
square = rand(3, 3)
fill_tensor.error({"X": square, "Y": rand(2)}, error="ShapeError", match="Y has")
fill_tensor.error({"X": square, "Y": rand(1)}, {"offset": 3}, error="ShapeError", match="offset")
fill_tensor.error({"X": square, "Y": rand(1)}, {"offset": -(2**63)}, match="offset")
fill_tensor.error({"X": square, "Y": randint(3)}, error="DataTypeError", match="Y is")
test_fill_diagonal_tensor = fill_tensor.tests()

tril = OpTable("tril_indices")
for offset in (0, 1, -1, -9):
    tril.case({}, {"rows": 3, "cols": 4, "offset": offset, "dtype": INT32})
    tril.case({}, {"rows": 4, "cols": 2, "offset": offset, "dtype": INT64})
no_places = np.zeros((2, 0), "int64")
endless = {"rows": 2**31 - 1, "cols": 7, "offset": -(2**31)}
tril.case({}, endless, reference=lambda inputs, attrs: {"out": no_places})
tril.error({}, {"rows": -1, "cols": 2}, error="ShapeError", match="-1 rows")
tril.error({}, {"rows": 1, "cols": 2, "dtype": FP64}, error="DataTypeError", match="dtype")
test_tril_indices = tril.tests()

triu = OpTable("triu_indices")
for offset in (0, 1, -1, 9):
    triu.case({}, {"row": 3, "col": 4, "offset": offset, "dtype": INT32})
    triu.case({}, {"row": 4, "col": 2, "offset": offset, "dtype": INT64})
triu.error({}, {"row": 1, "col": -2}, error="ShapeError", match="-2 columns")
test_triu_indices = triu.tests()
