"""Cases of slice."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("slice")


def cut(*axes: tuple[int, int, int], **more: list[int]) -> dict[str, list[int]]:
    """Attributes from (axis, start, end) triples."""
    names = ("axes", "starts", "ends")
    return {name: [axis[i] for axis in axes] for i, name in enumerate(names)} | more


sequences = lod(rand(3, 4), [[0, 1, 3]])
table.case({"Input": sequences}, cut((1, 1, 3)))
table.case({"Input": sequences}, cut((0, 0, 3)))
table.case({"Input": sequences}, cut((0, 1, 3)))
for start, end in ((-3, 2147483647), (-30, -1), (7, 9), (-9, -7), (2, 2), (0, 4)):
    table.case({"Input": rand(3, 4)}, cut((1, start, end)))
table.case({"Input": rand(3, 4)}, cut((1, 1, 3), (1, 0, 2)))
table.case({"Input": rand(3, 4)}, cut((1, 2, 3), decrease_axis=[1]))
table.case({"Input": rand(3, 4)}, cut((0, 1, 2), (1, 2, 3), decrease_axis=[0, 1]))
table.case({"Input": randint(3)}, cut((0, 2, 3), decrease_axis=[0]))
table.case({"Input": rand(3, 4)}, cut((0, -1, 2147483647), (1, 1, 3), decrease_axis=[0]))
table.case({"Input": rand(3, 0)}, cut((0, 1, 3)))
for axis in (0, 1, 2, 3):
    table.case({"Input": rand(2, 4, 5, 6)}, cut((axis, 1, 2)))
table.case({"Input": rand(2, 4, 5, 6)}, cut((1, 1, 3), (2, 0, 4), (3, 2, 6)))
table.case({"Input": rand(2, 4, 5, 6)}, cut((1, 1, 2), decrease_axis=[1]))
for dtype in ("float64", "int64", "int32", "bool"):
    table.case({"Input": randint(3, 5, high=2, dtype=dtype)}, cut((1, 1, 4)), params=["Input"])
starts, ends = np.array([1, 2], "int32"), np.array([2, 4], "int32")
unknown = {"axes": [0, 1], "infer_flags": [-1, -1], "starts": [-1, -1], "ends": [-1, -1]}
table.case({"Input": rand(3, 4), "StartsTensor": starts, "EndsTensor": ends}, unknown)
table.case(
    {"Input": rand(3, 4), "StartsTensor": starts},
    {"axes": [0, 1], "infer_flags": [-1, -1], "starts": [-1, -1], "ends": [2, 4]},
    params=["StartsTensor"],
)
lists = {
    "StartsTensorList": [np.array([1], "int32"), np.array([2], "int32")],
    "EndsTensorList": [np.array([2], "int32"), np.array([3], "int32")],
}
table.case({"Input": rand(3, 4), **lists}, unknown)
table.case({"Input": rand(3, 4), **lists}, unknown, params=["StartsTensorList", "EndsTensorList"])
table.case(
    {"Input": rand(3, 4)},
    cut((-1, 1, 3)),  # Paddle ignores a negative axis
    reference=lambda inputs, attrs: {"Out": inputs["Input"][:, 1:3]},
)
table.case(
    {"Input": rand(64, 40, 41)},
    cut((1, 3, 39), (2, 1, 41)),
    reference=lambda inputs, attrs: {"Out": inputs["Input"][:, 3:39, 1:41]},
)
table.error({"Input": rand(3, 4)}, cut((1, 3, 1)), error="ShapeError", match="begins after")
table.error({"Input": rand(3, 4)}, cut((2, 0, 1)), error="ShapeError", match="axes")
table.error(
    {"Input": rand(3, 4)}, cut((1, 1, 3), decrease_axis=[1]), error="ShapeError", match="2 elements"
)
table.error(
    {"Input": rand(3, 4)}, cut((1, 4, 5), decrease_axis=[1]), error="ShapeError", match="0 elements"
)
table.error(
    {"Input": rand(3, 4)},
    cut((1, 0, 1), decrease_axis=[2]),
    error="ShapeError",
    match="decrease_axis",
)
table.error({"Input": rand(3)}, {"axes": [0], "starts": [0]}, error="ShapeError", match="0 ends")
test_slice = table.tests()
