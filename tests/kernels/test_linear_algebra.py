"""Square matrices: inverse, determinants, powers, factorisations and linear systems."""

from typing import Any

import numpy as np
from harness import OpTable, rand, randint

SHAPES = ((3, 3), (2, 4, 4), (2, 1, 5, 5), (1, 1))
SINGULAR = np.ones((2, 2, 2), "float32")
BAD = ((2, 3), (3,), (2, 2, 3), ())


def good(*shape: int, dtype: str = "float32") -> np.ndarray:
    """Matrices that are far from singular."""
    return rand(*shape, dtype=dtype) + 2 * np.eye(shape[-1], dtype=dtype)


def definite(*shape: int, dtype: str = "float32") -> np.ndarray:
    a = rand(*shape, dtype=dtype)
    return a @ np.swapaxes(a, -1, -2) + np.eye(shape[-1], dtype=dtype)


inverse = OpTable("inverse")
for dtype in ("float32", "float64"):
    for shape in SHAPES:
        inverse.case({"Input": good(*shape, dtype=dtype)})
inverse.case(
    {"Input": good(31, 13, 13)}, reference=lambda i, a: {"Output": np.linalg.inv(i["Input"])}
)
inverse.case({"Input": rand(0, 2, 2)}, reference=lambda i, a: {"Output": i["Input"]})
inverse.error({"Input": SINGULAR}, match="matrix 0 is singular")
for shape in BAD:
    inverse.error({"Input": rand(*shape)}, error="ShapeError", match="square")
inverse.error({"Input": randint(2, 2)}, error="DataTypeError", match="int64")
test_inverse = inverse.tests()

determinant = OpTable("determinant")
for dtype in ("float32", "float64"):
    for shape in SHAPES:
        determinant.case({"Input": rand(*shape, dtype=dtype)}, tol=1e-3)
determinant.case({"Input": SINGULAR})
determinant.case({"Input": rand(3, 0, 0)}, reference=lambda i, a: {"Out": np.ones(3, "float32")})
for shape in BAD:
    determinant.error({"Input": rand(*shape)}, error="ShapeError", match="square")
test_determinant = determinant.tests()

slogdeterminant = OpTable("slogdeterminant")
for dtype in ("float32", "float64"):
    for shape in SHAPES:
        slogdeterminant.case({"Input": rand(*shape, dtype=dtype)}, tol=1e-3)
slogdeterminant.case({"Input": SINGULAR})
slogdeterminant.case(
    {"Input": 1e30 * np.eye(4, dtype="float32")},
    reference=lambda i, a: {"Out": np.array([1, 4 * np.log(1e30)], "float32")},
)
for shape in BAD:
    slogdeterminant.error({"Input": rand(*shape)}, error="ShapeError", match="square")
test_slogdeterminant = slogdeterminant.tests()

matrix_power = OpTable("matrix_power")
for dtype in ("float32", "float64"):
    for n in (-3, -1, 0, 1, 2, 5):
        matrix_power.case({"X": good(2, 3, 3, dtype=dtype)}, {"n": n})
matrix_power.case(
    {"X": np.array([[0.0, 1], [1, 0]], "float32")},
    {"n": -(2**31)},
    reference=lambda i, a: {"Out": np.eye(2, dtype="float32")},
)
matrix_power.error({"X": SINGULAR}, {"n": -1}, match="singular")
matrix_power.error({"X": rand(2, 3)}, {"n": 2}, error="ShapeError", match="square")
test_matrix_power = matrix_power.tests()

cholesky = OpTable("cholesky")
for dtype in ("float32", "float64"):
    for shape in SHAPES:
        for upper in (False, True):
            cholesky.case({"X": definite(*shape, dtype=dtype)}, {"upper": upper})
cholesky.error({"X": -np.eye(2, dtype="float32")}, match="positive definite")
cholesky.error({"X": np.full((2, 2), np.nan, "float32")}, match="positive definite")
cholesky.error({"X": rand(2, 3)}, error="ShapeError", match="square")
test_cholesky = cholesky.tests()

PAIRS = (
    ((3, 3), (3, 2)),
    ((2, 4, 4), (2, 4, 3)),
    ((4, 4), (2, 4, 1)),
    ((2, 4, 4), (4, 1)),
    ((2, 1, 3, 3), (1, 2, 3, 2)),
)

solve = OpTable("solve")
for dtype in ("float32", "float64"):
    for a, b in (*PAIRS[:4], ((3, 3), (3,)), ((2, 3, 3), (3,)), ((2, 3, 3), (2, 3))):
        solve.case({"X": good(*a, dtype=dtype), "Y": rand(*b, dtype=dtype)})
solve.error({"X": SINGULAR, "Y": rand(2, 2, 1)}, match="singular")
solve.error({"X": rand(3, 3), "Y": rand(2, 2)}, error="ShapeError", match="multiplied")
solve.error({"X": rand(3, 3), "Y": rand()}, error="ShapeError", match="rank")
solve.error({"X": rand(3, 2), "Y": rand(2, 2)}, error="ShapeError", match="square")
solve.error({"X": rand(2, 2), "Y": randint(2, 2)}, error="DataTypeError", match="Y")
test_solve = solve.tests()

triangular_solve = OpTable("triangular_solve")
for dtype in ("float32", "float64"):
    for a, b in PAIRS:
        triangular_solve.case({"X": good(*a, dtype=dtype), "Y": rand(*b, dtype=dtype)})
for upper in (False, True):
    for transpose in (False, True):
        for unit in (False, True):
            triangular_solve.case(
                {"X": good(2, 4, 4), "Y": rand(2, 4, 3)},
                {"upper": upper, "transpose": transpose, "unitriangular": unit},
            )
triangular_solve.error({"X": rand(3, 3), "Y": rand(3)}, error="ShapeError", match="rank 2")
test_triangular_solve = triangular_solve.tests()


def cholesky_reference(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    y = inputs["Y"]
    transposed = np.swapaxes(y, -1, -2)
    product = transposed @ y if attrs.get("upper") else y @ transposed
    return {"Out": np.linalg.solve(product, inputs["X"])}


cholesky_solve = OpTable("cholesky_solve")
for dtype in ("float32", "float64"):
    for a, b in PAIRS:
        for upper in (False, True):
            factor = (np.triu if upper else np.tril)(good(*a, dtype=dtype))
            cholesky_solve.case(
                {"X": rand(*b, dtype=dtype), "Y": factor},
                {"upper": upper},
                reference=cholesky_reference if len(a) != len(b) or len(a) > 3 else None,
            )
cholesky_solve.error({"X": rand(2, 1), "Y": rand(3, 3)}, error="ShapeError", match="multiplied")
test_cholesky_solve = cholesky_solve.tests()

trace = OpTable("trace")
for dtype in ("float32", "float64"):
    for offset in (0, 1, -2, 9, -9):
        trace.case({"Input": rand(3, 4, dtype=dtype)}, {"offset": offset})
for dtype in ("int32", "int64"):
    trace.case({"Input": randint(2, 3, 3, dtype=dtype)}, {"axis1": 1, "axis2": 2})
for offset in (1, -1):
    trace.case({"Input": rand(2, 3, 4, 5)}, {"axis1": -1, "axis2": 1, "offset": offset})
    trace.case({"Input": rand(2, 3, 4, 5)}, {"axis1": 1, "axis2": 3, "offset": offset})
trace.case(
    {"Input": rand(2, 3, 4)},
    {"axis1": 2, "axis2": 0, "offset": -(2**31)},
    reference=lambda i, a: {"Out": np.zeros(3, "float32")},
)
trace.error({"Input": rand(3)}, error="ShapeError", match="rank 2")
trace.error({"Input": rand(3, 3)}, {"axis1": 1}, error="ShapeError", match="both")
trace.error({"Input": rand(3, 3)}, {"axis1": 2}, error="ShapeError", match="axis1")
trace.error({"Input": rand(3, 3) > 0}, error="DataTypeError", match="bool")
test_trace = trace.tests()

cross = OpTable("cross")
for dtype in ("float32", "float64", "int32", "int64"):
    draw = randint if dtype.startswith("int") else rand
    cross.case({"X": draw(2, 3, dtype=dtype), "Y": draw(2, 3, dtype=dtype)})
    cross.case({"X": draw(3, 4, 3, dtype=dtype), "Y": draw(3, 4, 3, dtype=dtype)}, {"dim": -1})
cross.case({"X": rand(3, 4, 3), "Y": rand(3, 4, 3)})
cross.case({"X": rand(3), "Y": rand(3)}, {"dim": 0})
cross.error({"X": rand(2, 3), "Y": rand(3)}, error="ShapeError", match="equal shapes")
cross.error({"X": rand(2, 2), "Y": rand(2, 2)}, error="ShapeError", match="dimension of 3")
cross.error({"X": rand(2, 3), "Y": rand(2, 3)}, {"dim": 0}, error="ShapeError", match="at dim 0")
cross.error({"X": rand(2, 3), "Y": rand(2, 3)}, {"dim": 5}, error="ShapeError", match="dim")
cross.error({"X": rand(3), "Y": randint(3)}, error="DataTypeError", match="Y")
test_cross = cross.tests()


def cosine(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x, y = (inputs[slot].reshape(len(inputs[slot]), -1) for slot in "XY")
    x_norm, y_norm = (np.sqrt((v * v).sum(1, keepdims=True)) for v in (x, y))
    out = (x * y).sum(1, keepdims=True) / (x_norm * y_norm)
    return {"Out": out, "XNorm": x_norm, "YNorm": y_norm}


cos_sim = OpTable("cos_sim")
ALL = {"Out": 1, "XNorm": 1, "YNorm": 1}
for dtype in ("float32", "float64"):
    for shape, rows in (((1, 1, 1, 1), 1), ((6, 1, 2, 4), 6), ((4, 5), 4), ((4, 5), 1)):
        x, y = rand(*shape, dtype=dtype), rand(rows, *shape[1:], dtype=dtype)
        cos_sim.case({"X": x, "Y": y}, outputs=ALL, reference=cosine)
cos_sim.case(
    {"X": rand(2, 3), "Y": rand(2, 3)},
    reference=lambda i, a: {"Out": cosine(i, a)["Out"]},
)
cos_sim.error({"X": rand(3, 4), "Y": rand(2, 4)}, error="ShapeError", match="one row")
cos_sim.error({"X": rand(3), "Y": rand(3)}, error="ShapeError", match="rank 2")
cos_sim.error({"X": rand(2, 3), "Y": randint(2, 3)}, error="DataTypeError", match="Y")
test_cos_sim = cos_sim.tests()
