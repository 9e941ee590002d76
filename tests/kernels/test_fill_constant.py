"""Cases of fill_constant."""

from __future__ import annotations

import numpy as np
from harness import OpTable, rand

table = OpTable("fill_constant")
for dtype in (0, 1, 2, 3, 4, 5, 6, 20, 21):
    table.case({}, {"shape": [2, 3], "value": 2.5, "dtype": dtype})
table.case({}, {"shape": []})
table.case({}, {"shape": [0, 2], "value": -3.0})
table.case({}, {"shape": [2], "value": -1.0, "dtype": 20})
for text in ("7.25", "inf", "-inf", "nan", "1e3", "-4"):
    table.case({}, {"shape": [2], "value": 1.5, "str_value": text})
for text in ("7.25", "300", "-5", "1e3", "9007199254740992"):
    table.case({}, {"shape": [2], "str_value": text, "dtype": 3})
table.case({}, {"shape": [2], "str_value": "300", "dtype": 20})
table.case({}, {"shape": [1], "str_value": "True", "dtype": 0})
table.case(
    {},
    {"shape": [1], "str_value": "9007199254740993", "dtype": 3},  # Paddle goes through a double
    reference=lambda inputs, attrs: {"Out": np.array([9007199254740993])},
)
sizes = np.array([2, 3], "int32")
each = [np.array([2], "int32"), np.array([3], "int32")]
table.case({"ShapeTensor": sizes}, {"shape": [5], "value": 2.75})
table.case({"ShapeTensor": sizes.astype("int64")}, params=["ShapeTensor"])
table.case({"ShapeTensorList": each}, {"shape": [5]})
table.case({"ShapeTensorList": each, "ShapeTensor": np.array([7], "int32")})
for dtype in ("float32", "float64", "int32", "int64", "bool"):
    table.case(
        {"ValueTensor": np.array([3.5], dtype)}, {"shape": [2], "value": 2.0, "str_value": "8"}
    )
table.case({"ValueTensor": np.array(3)}, {"shape": [2], "dtype": 3}, params=["ValueTensor"])
table.case(
    {},
    {"shape": [300, 301], "value": 1.5},
    reference=lambda inputs, attrs: {"Out": np.full((300, 301), 1.5, "float32")},
)
table.error({}, {"shape": [-1, 2]}, error="ShapeError", match="negative")
table.error({}, {"shape": [2], "dtype": 77}, error="DataTypeError", match="77")
table.error({}, {"shape": [2], "str_value": "abc"}, match="abc")
table.error({}, {"shape": [2**40, 2**40]}, error="ShapeError", match="2^63")
table.error({"ValueTensor": rand(2)}, {"shape": [2]}, error="ShapeError", match="one element")
NUMBERS = {
    "(1+2j)": 1 + 2j,
    "-1.5-infj": complex(-1.5, -np.inf),
    "2j": 2j,
    "-3": -3,
    "1e2-1e1j": 100 - 10j,
}
for text, number in NUMBERS.items():
    for dtype, name in ((23, "complex64"), (24, "complex128")):
        table.case(
            {},
            {"shape": [2], "str_value": text, "dtype": dtype},
            reference=lambda i, a, v=number, n=name: {"Out": np.array([v, v], n)},
        )
table.case(
    {"ValueTensor": np.array([1 - 2j], "complex64")},
    {"shape": [3], "dtype": 23},
    reference=lambda i, a: {"Out": np.full(3, 1 - 2j, "complex64")},
)
for text in ("(1+2j", "1+j", "(", "j", "1+2"):
    table.error({}, {"shape": [2], "str_value": text, "dtype": 23}, match="expected a number")
table.error(
    {}, {"shape": [2], "str_value": "1+2j"}, error="DataTypeError", match="does not fit into"
)

test_fill_constant = table.tests()
