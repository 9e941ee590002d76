"""Operators that pick numbers of lines by their order or their number."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

NUMBERS = ("float32", "float64", "int32", "int64")


def distinct(*shape: int, dtype: str = "float32") -> np.ndarray:
    """No two numbers alike."""
    count = int(np.prod(shape))
    order = np.argsort(rand(count), kind="stable")
    return (order.reshape(shape) * 3 - count).astype(dtype)


table = OpTable("kthvalue")
for dtype in NUMBERS:
    for k, axis in ((1, -1), (3, 1), (2, 0), (4, 2)):
        for keep in (False, True):
            attrs = {"k": k, "axis": axis, "keepdim": keep}
            table.case({"X": distinct(2, 3, 4, dtype=dtype)}, attrs)
table.case({"X": np.array([[3.0, np.nan, 1.0], [np.inf, 5.0, -np.inf]], "float32")}, {"k": 3})
table.case({"X": np.array([[3.0, np.nan, 1.0], [np.inf, 5.0, -np.inf]], "float32")}, {"k": 1})
table.case({"X": rand()}, {"k": 1, "keepdim": True})
table.case({"X": rand()}, {"k": 1})
table.case({"X": lod(distinct(5, 2), [[0, 3, 5]])}, {"k": 2})
table.case({"X": rand(0, 3)}, {"k": 2})
# Of equals it is the first in order; Paddle names any.
same = np.array([[2, 1, 2, 1, 2], [0, 0, 0, 0, 0]], "int32")
table.case(
    {"X": same},
    {"k": 4},
    reference=lambda i, _: {"Out": np.array([2, 0], "int32"), "Indices": np.array([2, 3])},
)
table.case(
    {"X": distinct(60, 300)},
    {"k": 150},
    reference=lambda i, _: {
        "Out": np.sort(i["X"])[:, 149],
        "Indices": np.argsort(i["X"])[:, 149],
    },
)
for k in (0, -1, 4, 2**40):
    table.error({"X": rand(2, 3)}, {"k": k}, error="ShapeError", match="attribute k")
table.error({"X": rand()}, {"k": 2}, error="ShapeError", match="attribute k")
table.error({"X": rand(2, 0)}, {"k": 1}, error="ShapeError", match="attribute k")
table.error({"X": rand(2, 3)}, {"axis": 2}, error="ShapeError", match="axis")
table.error({"X": randint(3, dtype="uint8")}, {}, error="DataTypeError", match="uint8")
test_kthvalue = table.tests()
