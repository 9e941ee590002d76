"""Small relatives of matmul: mv, dot, addmm, baddbmm, multi_dot, bilinear and linear_v2."""

from typing import Any

import numpy as np
from harness import OpTable, rand, randint

mv = OpTable("mv")
for m, k in ((3, 4), (1, 1), (17, 33), (0, 3)):
    mv.case({"X": rand(m, k), "Vec": rand(k)}, reference=lambda i, a: {"Out": i["X"] @ i["Vec"]})
mv.case({"X": rand(5, 7), "Vec": rand(7)})
mv.case({"X": rand(5, 7, dtype="float64"), "Vec": rand(7, dtype="float64")})
mv.error({"X": rand(2, 3), "Vec": rand(2)}, error="ShapeError", match="Vec")
mv.error({"X": rand(3), "Vec": rand(3)}, error="ShapeError", match="m x k")
mv.error({"X": rand(2, 3), "Vec": randint(3)}, error="DataTypeError", match="Vec")
test_mv = mv.tests()

dot = OpTable("dot")
for dtype in ("float32", "float64"):
    for shape in ((5,), (3, 4), (1, 100), (7, 1)):
        dot.case({"X": rand(*shape, dtype=dtype), "Y": rand(*shape, dtype=dtype)})
for dtype in ("int32", "int64"):
    dot.case({"X": randint(6, dtype=dtype), "Y": randint(6, dtype=dtype)})
dot.case({"X": rand(0), "Y": rand(0)})
dot.error({"X": rand(2, 3), "Y": rand(3)}, error="ShapeError", match="equal shapes")
dot.error({"X": rand(2, 2, 2), "Y": rand(2, 2, 2)}, error="ShapeError", match="rank 1 or 2")
dot.error({"X": rand(2), "Y": rand(2, dtype="float64")}, error="DataTypeError", match="Y")
test_dot = dot.tests()

addmm = OpTable("addmm")
for dtype in ("float32", "float64"):
    for shape in ((4, 5), (5,), (4, 1), (1, 5), (1, 1), (1,)):
        addmm.case(
            {
                "Input": rand(*shape, dtype=dtype),
                "X": rand(4, 6, dtype=dtype),
                "Y": rand(6, 5, dtype=dtype),
            },
            {"Alpha": 2.0, "Beta": 0.5} if len(shape) == 1 else {},
        )
nan = np.full((2, 3), np.nan, "float32")
addmm.case({"Input": nan, "X": rand(2, 4), "Y": rand(4, 3)}, {"Beta": 0.0})
addmm.error(
    {"Input": rand(3, 3), "X": rand(2, 4), "Y": rand(4, 3)}, error="ShapeError", match="broadcast"
)
addmm.error(
    {"Input": rand(2, 3), "X": rand(2, 4), "Y": rand(5, 3)}, error="ShapeError", match="multiplied"
)
addmm.error(
    {"Input": rand(2, 3), "X": rand(1, 2, 4), "Y": rand(1, 4, 3)},
    error="ShapeError",
    match="rank 2",
)
test_addmm = addmm.tests()


def sum_of_batch(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    product = inputs["X"] @ inputs["Y"]
    out = attrs.get("beta", 1.0) * inputs["Input"] + attrs.get("alpha", 1.0) * product
    return {"Out": out.astype(product.dtype)}


baddbmm = OpTable("baddbmm")
for dtype in ("float32", "float64"):
    for shape in ((2, 4, 5), (1, 4, 5), (2, 1, 5), (4, 5), (5,)):
        baddbmm.case(
            {
                "Input": rand(*shape, dtype=dtype),
                "X": rand(2, 4, 6, dtype=dtype),
                "Y": rand(2, 6, 5, dtype=dtype),
            },
            {"alpha": 2.0, "beta": -0.5} if len(shape) == 3 else {},
            reference=sum_of_batch,
        )
baddbmm.case(
    {"Input": rand(0, 2, 3), "X": rand(0, 2, 4), "Y": rand(0, 4, 3)}, reference=sum_of_batch
)
baddbmm.error(
    {"Input": rand(2, 2), "X": rand(1, 2, 3), "Y": rand(2, 3, 2)}, error="ShapeError", match="batch"
)
test_baddbmm = baddbmm.tests()

multi_dot = OpTable("multi_dot")
for dtype in ("float32", "float64"):
    for shapes in (
        ((3, 4), (4, 5)),
        ((10, 2), (2, 12), (12, 3)),
        ((4,), (4, 5), (5, 2)),
        ((2, 4), (4, 5), (5,)),
        ((4,), (4, 5), (5, 3), (3,)),
        ((2, 9), (9, 3), (3, 8), (8, 2), (2, 7)),
    ):
        multi_dot.case({"X": [rand(*s, dtype=dtype) for s in shapes]})
multi_dot.error({"X": [rand(2, 3), rand(4, 5)]}, error="ShapeError", match="4 rows")
multi_dot.error({"X": [rand(2, 3)]}, error="ShapeError", match="expected 2")
multi_dot.error({"X": [rand(2, 3), rand(3), rand(3, 2)]}, error="ShapeError", match="rank 2")
multi_dot.error({"X": [rand(2, 3), randint(3, 2)]}, error="DataTypeError", match="[1]")
test_multi_dot = multi_dot.tests()

bilinear = OpTable("bilinear_tensor_product")
for dtype in ("float32", "float64"):
    for bias in (True, False):
        inputs = {
            "X": rand(3, 4, dtype=dtype),
            "Y": rand(3, 5, dtype=dtype),
            "Weight": rand(6, 4, 5, dtype=dtype),
        }
        bilinear.case(inputs | ({"Bias": rand(1, 6, dtype=dtype)} if bias else {}))
bilinear.error(
    {"X": rand(3, 4), "Y": rand(2, 5), "Weight": rand(6, 4, 5)}, error="ShapeError", match="b x m"
)
bilinear.error(
    {"X": rand(3, 4), "Y": rand(3, 5), "Weight": rand(6, 4, 5), "Bias": rand(5)},
    error="ShapeError",
    match="Bias",
)
test_bilinear_tensor_product = bilinear.tests()


def linear(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    weight = inputs["weight"].T if attrs.get("transpose_weight") else inputs["weight"]
    return {"out": inputs["input"] @ weight + inputs["bias"]}


linear_v2 = OpTable("linear_v2")
for dtype in ("float32", "float64"):
    for shape in ((3, 4), (2, 3, 4), (4,), (0, 4)):
        for transposed in (False, True):
            linear_v2.case(
                {
                    "input": rand(*shape, dtype=dtype),
                    "weight": rand(*((5, 4) if transposed else (4, 5)), dtype=dtype),
                    "bias": rand(5, dtype=dtype),
                },
                {"transpose_weight": transposed} if transposed else {},
                params=("weight", "bias"),
                reference=linear,
            )
linear_v2.error(
    {"input": rand(2, 3), "weight": rand(4, 5), "bias": rand(5)},
    error="ShapeError",
    match="multiplied",
)
linear_v2.error(
    {"input": rand(2, 4), "weight": rand(4, 5), "bias": rand(4)}, error="ShapeError", match="bias"
)
test_linear_v2 = linear_v2.tests()


def gate(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x = inputs["x"]
    x, y = (x, inputs["y"]) if "y" in inputs else np.split(x, 2, axis=-1)
    return {"out": x / (1 + np.exp(-x)) * y}


swiglu = OpTable("swiglu")
for dtype in ("float32", "float64"):
    swiglu.case({"x": rand(3, 4, low=-5, high=5, dtype=dtype)}, reference=gate)
    swiglu.case({"x": rand(2, 5, dtype=dtype), "y": rand(2, 5, dtype=dtype)}, reference=gate)
swiglu.case({"x": rand(2, 0)}, reference=gate)
swiglu.case({"x": rand(), "y": rand()}, reference=gate)
swiglu.case({"x": rand(40, 1000)}, reference=gate)
swiglu.error({"x": rand(2, 3)}, error="ShapeError", match="even")
swiglu.error({"x": rand(2, 3), "y": rand(3)}, error="ShapeError", match="y")
swiglu.error({"x": randint(2, 4)}, error="DataTypeError", match="int64")
test_swiglu = swiglu.tests()
