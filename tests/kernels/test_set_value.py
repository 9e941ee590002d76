"""Cases of set_value."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("set_value")


def at(*axes: tuple[int, int, int, int], **more: object) -> dict[str, object]:
    """Attributes from (axis, start, end, step) tuples."""
    names = ("axes", "starts", "ends", "steps")
    given = {name: [axis[i] for axis in axes] for i, name in enumerate(names)}
    return given | {"dtype": 5} | more


table.case({"Input": lod(rand(3, 4), [[0, 1, 3]])}, at((0, 1, 2, 1), shape=[1], values=[9.0]))
table.case({"Input": rand(3, 4)}, at((0, 1, 2, 1), shape=[4], values=[9.0, 8.0, 7.0, 6.0]))
table.case({"Input": randint(3, 4)}, at((0, 1, 2, 1), shape=[4], values=[9, 8, 7, 6], dtype=3))
# Without axes Value takes the place of everything, as x[i, j] = v ends up in Paddle 3.
table.case({"Input": rand(2, 3), "ValueTensor": rand(2, 3)}, at())
table.case({"Input": rand(2, 3)}, at(shape=[1], values=[9.0]))
value = rand(2, low=10, high=20)
for start, end, step in ((0, 4, 2), (3, -5, -2), (2, -1, -2), (1, 3, 1), (-3, -1, 1)):
    table.case({"Input": rand(3, 4), "ValueTensor": value}, at((1, start, end, step)))
three = rand(3, low=10, high=20)
table.case(
    {"Input": rand(3, 4), "ValueTensor": three},
    at((1, 2, 3, 1), decrease_axes=[1]),
    params=["ValueTensor"],
)
table.case(
    {"Input": rand(3, 4), "ValueTensor": three[:1]},
    at((0, 1, 2, 1), (1, 2, 3, 1), decrease_axes=[0, 1]),
)
table.case({"Input": rand(3, 4), "ValueTensor": rand(3, 1)}, at((1, 2, 4, 1)))
table.case({"Input": rand(3, 4), "ValueTensor": rand(3, 1, 1)}, at((1, 2, 4, 1), none_axes=[1]))
table.case({"Input": rand(2, 3, 4), "ValueTensor": rand(2, 2)}, at((1, 0, 2, 1), (2, 1, 3, 1)))
each = {
    f"{name}TensorList": [np.array([v])] for name, v in (("Starts", 1), ("Ends", 3), ("Steps", 1))
}
table.case({"Input": rand(3, 4), "ValueTensor": rand(3, 1)} | each, {"dtype": 5, "axes": [1]})
table.case(
    {"Input": rand(3, 4), "ValueTensor": rand(3, 1)} | each,
    {"dtype": 5, "axes": [1]},
    params=list(each),
)
# Values in the attributes of Paddle before 2.5.
for name, number, dtype in (
    ("fp32_values", 9.5, "float32"),
    ("fp64_values", 9.5, "float64"),
    ("int64_values", 9, "int64"),
    ("int32_values", 9, "int32"),
    ("bool_values", 1, "bool"),
):

    def fill(
        inputs: dict[str, np.ndarray], attrs: dict[str, object], number: float = number
    ) -> dict[str, np.ndarray]:
        out = inputs["Input"].copy()
        out[1:2] = number
        return {"Out": out}

    attrs = at((0, 1, 2, 1), shape=[1], **{name: [number]})
    table.case({"Input": randint(3, 4, high=2, dtype=dtype)}, attrs, reference=fill)
grid = {"Input": rand(3, 4)}
table.error(grid, at((0, 0, 1, 1)), match="neither")
table.error(
    grid, at((0, 0, 1, 0), shape=[1], values=[1.0]), error="ShapeError", match="step of axis 0"
)
table.error(grid, at((0, 0, 1, 1), shape=[3], values=[1.0]), error="ShapeError", match="1 values")
table.error(grid, at((2, 0, 1, 1), shape=[1], values=[1.0]), error="ShapeError", match="axes")
table.error(
    grid | {"ValueTensor": rand(3)}, at((0, 0, 1, 1)), error="ShapeError", match="does not fit"
)
table.error(
    grid | {"ValueTensor": randint(4)}, at((0, 0, 1, 1)), error="DataTypeError", match="int64"
)
table.error(
    grid | {"ValueTensor": rand(4)},
    at((0, 0, 2, 1), decrease_axes=[0]),
    error="ShapeError",
    match="not 1",
)
test_set_value = table.tests()
