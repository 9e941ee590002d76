"""What makes complex numbers and takes them apart."""

from __future__ import annotations

import numpy as np
from harness import OpTable, rand, rand_complex

SHAPES = [(), (1,), (5,), (2, 3, 4), (1, 5, 1, 3)]
CORNERS = np.array([0, 1, -1, 1j, -1j, -0.0 - 1j, 3 + 4j, np.inf + 1j, np.nan], "complex64")


table = OpTable("complex")
for x, y in [*((s, s) for s in SHAPES), ((2, 1, 4), (3, 1)), ((3,), (2, 3)), ((), (2, 3))]:
    table.case({"X": rand(*x), "Y": rand(*y)})
table.case({"X": rand(2, 3, dtype="float64"), "Y": rand(2, 3, dtype="float64")})
x, y = rand(300, 200), rand(300, 200)
table.case({"X": x, "Y": y}, reference=lambda i, _: {"Out": i["X"] + 1j * i["Y"]})
table.case({"X": rand(2, 3), "Y": rand(2, 3)}, params=["Y"])
table.error({"X": rand(2), "Y": rand(3)}, error="ShapeError", match="[2]")
table.error(
    {"X": rand(2), "Y": rand(2, dtype="float64")}, error="DataTypeError", match="Y is float64"
)
table.error({"X": rand_complex(2), "Y": rand(2)}, error="DataTypeError", match="complex64")
test_complex = table.tests()


def of_complex(op: str) -> OpTable:
    table = OpTable(op)
    for shape in SHAPES:
        table.case({"X": rand_complex(*shape)})
    table.case({"X": rand_complex(3, 4, dtype="complex128")}, tol=1e-12)
    table.case({"X": rand_complex(2, 3)}, params=["X"])
    return table


table = of_complex("real")
table.case({"X": CORNERS}, tol=0)
x = rand_complex(300, 200)
table.case({"X": x}, reference=lambda i, _: {"Out": np.real(i["X"])}, tol=0)
table.error({"X": rand(2)}, error="DataTypeError", match="X is float32")
test_real = table.tests()

table = of_complex("imag")
table.case({"X": CORNERS}, tol=0)
x = rand_complex(300, 200)
table.case({"X": x}, reference=lambda i, _: {"Out": np.imag(i["X"])}, tol=0)
table.error({"X": rand(2)}, error="DataTypeError", match="X is float32")
test_imag = table.tests()

table = of_complex("as_real")
table.case({"X": CORNERS}, tol=0)
table.error({"X": rand(2)}, error="DataTypeError", match="X is float32")
test_as_real = table.tests()

table = OpTable("as_complex")
for shape in SHAPES:
    table.case({"X": rand(*shape, 2)})
table.case({"X": rand(3, 4, 2, dtype="float64")}, tol=0)
table.case({"X": rand(2, 3, 2)}, params=["X"])
table.error({"X": rand(2, 3)}, error="ShapeError", match="last dimension of 2")
table.error({"X": rand()}, error="ShapeError", match="last dimension of 2")
table.error({"X": rand_complex(2)}, error="DataTypeError", match="X is complex64")
test_as_complex = table.tests()

table = of_complex("conj")
table.case({"X": CORNERS}, tol=0)
for dtype in ("float32", "float64", "int32", "int64"):
    table.case({"X": rand(3, 4, low=-9, high=9, dtype=dtype)}, tol=0)
table.error({"X": rand(2).astype(bool)}, error="DataTypeError", match="X is bool")
test_conj = table.tests()

table = of_complex("angle")
table.case({"X": CORNERS[:-2]}, tol=1e-6)
for dtype in ("float32", "float64"):
    table.case({"X": rand(3, 4, dtype=dtype)}, tol=1e-6)
table.case({"X": np.array([0.0, -0.0, np.inf, -np.inf, np.nan], "float32")}, tol=1e-6)
table.error({"X": rand(2).astype("int64")}, error="DataTypeError", match="X is int64")
test_angle = table.tests()
