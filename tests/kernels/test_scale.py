import numpy as np
from elementwise_tables import large
from harness import OpTable, lod, rand, rand_complex, randint

table = OpTable("scale")
for attrs in (
    {},
    {"scale": 2.5},
    {"scale": -0.5, "bias": 1.5},
    {"scale": 3.0, "bias": 1.5, "bias_after_scale": False},
):
    for shape in ((), (1,), (2, 3, 4, 5)):
        table.case({"X": rand(*shape)}, attrs, tol=1e-6)
    table.case({"X": rand(3, 4, dtype="float64")}, attrs, tol=1e-6)
    for dtype in ("int32", "int64", "int16", "int8", "uint8", "bool"):
        table.case(
            {"X": randint(3, 4, low=0, high=2 if dtype == "bool" else 9, dtype=dtype)}, attrs
        )
    table.case({"X": randint(3, 4, low=-9, dtype="int64")}, attrs)
table.case({"X": lod(rand(5, 2), [[0, 3, 5]])}, {"scale": 2.0})
for dtype in ("float32", "float64", "int32", "int64"):
    table.case(
        {"X": rand(3, 4), "ScaleTensor": np.array([2.5], dtype)}, {"scale": 3.0, "bias": 1.0}
    )
table.case({"X": randint(3, 4), "ScaleTensor": np.array([2.5], "float32")}, {"bias": 1.7})
table.case({"X": rand(2, 3), "ScaleTensor": np.array([2.5], "float32")}, params=["ScaleTensor"])
table.case({"X": np.empty((0, 3), "float32")}, reference=lambda i, a: {"Out": i["X"]})
big = np.array([2147483647, -2147483648, 3], "int32")
with np.errstate(over="ignore"):
    table.case({"X": big}, {"scale": 3.0}, reference=lambda i, a: {"Out": i["X"] * np.int32(3)})
table.error({"X": rand(3), "ScaleTensor": rand(2)}, {}, error="ShapeError", match="ScaleTensor")
table.error({"X": rand(3)}, {"activation_type": "no_such"}, match="no_such")
table.error({"X": randint(3)}, {"activation_type": "relu"}, error="DataTypeError", match="int64")
large(table, (2, 8, 71, 67), None, lambda x: 2 * x + 1, {"scale": 2.0, "bias": 1.0})
# What Paddle Lite's optimizer fuses into scale.
affine = {"scale": 2.0, "bias": -1.0}
large(
    table, (3, 50), None, lambda x: np.maximum(2 * x - 1, 0), {**affine, "activation_type": "relu"}
)
large(
    table,
    (3, 50),
    None,
    lambda x: np.clip(2 * x - 1, 0, 3),
    {**affine, "activation_type": "relu6", "alpha": 3.0},
)
large(
    table,
    (3, 50),
    None,
    lambda x: np.where(2 * x < 1, 0.1, 1) * (2 * x - 1),
    {**affine, "activation_type": "leaky_relu", "alpha": 0.1},
)
for attrs in ({"scale": 2.5, "bias": 1.5}, {"scale": -2.0, "bias": 0.5, "bias_after_scale": False}):
    for dtype in ("complex64", "complex128"):
        x = rand_complex(3, 4, dtype=dtype)
        table.case(
            {"X": x},
            attrs,
            reference=lambda i, a: {
                "Out": i["X"] * a["scale"]
                + a["bias"] * (1 if a.get("bias_after_scale", True) else a["scale"])
            },
        )
table.error({"X": rand_complex(3)}, {"activation_type": "relu"}, error="DataTypeError", match="X")

test_scale = table.tests()
