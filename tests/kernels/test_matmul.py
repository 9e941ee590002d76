from typing import Any

import numpy as np
from harness import OpTable, lod, rand
from int8_cases import add_int8

table = OpTable("matmul")
table.exempt("head_number", "anything but 1 is an error")
for x_shape, y_shape in [
    ((3,), (3,)),
    ((3,), (3, 4)),
    ((2, 3), (3,)),
    ((5, 2, 3), (3,)),
    ((3,), (5, 3, 4)),
    ((2, 3), (3, 4)),
    ((2, 3), (3, 1)),
    ((1, 3), (3, 4)),
    ((5, 2, 3), (3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (5, 3, 4)),
    ((2, 3, 4, 5), (2, 3, 5, 2)),
    ((2, 3, 4, 5), (6, 5, 2)),
    ((6, 4, 5), (2, 3, 5, 2)),
]:
    for attrs in [{}, {"alpha": 0.3}]:
        for params in ([], ["Y"]):
            table.case({"X": rand(*x_shape), "Y": rand(*y_shape)}, attrs, params=params)
for x_shape, y_shape, tx, ty in [
    ((3, 2), (3, 4), True, False),
    ((2, 3), (4, 3), False, True),
    ((3, 2), (4, 3), True, True),
    ((2, 5, 3, 2), (2, 5, 4, 3), True, True),
    ((3,), (4,), True, True),
    ((3,), (1, 4), True, False),
    ((3,), (4, 3), False, True),
    ((2, 1), (3,), False, True),
]:
    attrs = {"transpose_X": tx, "transpose_Y": ty}
    table.case({"X": rand(*x_shape), "Y": rand(*y_shape)}, attrs)
    table.case({"X": rand(*x_shape), "Y": rand(*y_shape)}, {**attrs, "alpha": 2.0}, params=["Y"])
table.case({"X": lod(rand(3, 4), [[0, 1, 3]]), "Y": rand(4, 5)})
table.case({"X": rand(3, 4, dtype="float64"), "Y": rand(4, 5, dtype="float64")}, {"alpha": 0.5})


def product(inputs: dict, attrs: dict) -> dict:
    return {"Out": np.matmul(inputs["X"], inputs["Y"])}


table.case({"X": rand(2, 4, 5), "Y": rand(1, 5, 3)}, reference=product)
table.case({"X": rand(0, 4), "Y": rand(4, 5)}, reference=product)

table.error({"X": rand(2, 3), "Y": rand(4, 3)}, match="multiplied over 3 and 4")
table.error({"X": rand(3), "Y": rand(3)}, {"transpose_X": True}, match="multiplied")
table.error({"X": rand(2, 2, 3), "Y": rand(3, 3, 4)}, match="batch")
table.error({"X": rand(2, 3), "Y": rand(3, 4)}, {"head_number": 2}, match="head_number")
table.error({"X": rand(), "Y": rand(3, 4)}, match="dimension")


def product(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    return {"Out": attrs["alpha"] * (inputs["X"] @ inputs["Y"])}


add_int8(
    table,
    ("X", "Y"),
    [((2, 3, 70), (70, 33), {"alpha": 1.0}), ((1, 9), (9, 3), {"alpha": 0.5})],
    1,
    product,
)

test_matmul = table.tests()
