"""Cases of strided_slice."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("strided_slice")


def cut(*axes: tuple[int, int, int, int], **more: list[int]) -> dict[str, list[int]]:
    """Attributes from (axis, start, end, stride) tuples."""
    names = ("axes", "starts", "ends", "strides")
    given = {name: [axis[i] for axis in axes] for i, name in enumerate(names)}
    return given | {"infer_flags": [1] * len(axes)} | more


table.case({"Input": lod(rand(3, 6), [[0, 1, 3]])}, cut((1, 1, 6, 2)))
table.case({"Input": lod(rand(3, 6), [[0, 1, 3]])}, cut((0, 0, 2, 1)))
ranges = (
    (5, 0, -2),
    (-1, -100, -1),
    (5, -1, -1),
    (5, -7, -1),
    (-100, 100, 3),
    (100, -100, -2),
    (0, 2147483647, 1),
    (-9, -8, -1),
)
for start, end, stride in ranges:
    table.case({"Input": rand(3, 6)}, cut((1, start, end, stride)))
for axis in (0, 1, 2, 3):
    table.case({"Input": rand(2, 4, 5, 6)}, cut((axis, 0, 4, 2)))
table.case({"Input": rand(2, 4, 5, 6)}, cut((1, 3, 0, -1), (2, 0, 5, 3), (3, 5, -1, -2)))
table.case({"Input": rand(3, 6)}, cut((1, 2, 3, 1), decrease_axis=[1]))
table.case({"Input": rand(3, 6)}, cut((0, 2, 3, 1), (1, 1, 2, 1), decrease_axis=[0, 1]))
for dtype in ("float64", "int64", "int32", "bool"):
    table.case({"Input": randint(3, 6, high=2, dtype=dtype)}, cut((1, 0, 6, 2)), params=["Input"])
one = {
    name: np.array([value], "int32") for name, value in (("Starts", 1), ("Ends", 5), ("Strides", 2))
}
unknown = cut((1, -1, -1, -1), infer_flags=[-1])
tensors = {f"{name}Tensor": value for name, value in one.items()}
table.case({"Input": rand(3, 6)} | tensors, unknown)
table.case({"Input": rand(3, 6)} | tensors, unknown, params=list(tensors))
lists = {f"{name}TensorList": [value] for name, value in one.items()}
table.case({"Input": rand(3, 6)} | lists, unknown)
table.case(
    {"Input": rand(3, 6)},
    cut((-1, 10, 12, 1)),  # Paddle returns garbage
    reference=lambda inputs, attrs: {"Out": inputs["Input"][:, :0]},
)
for start, end, stride in (*ranges, (4, 1, 1), (1, 4, -1), (5, -2, -1), (-1, -(2**31), -2)):
    stop = None if end < -6 and stride < 0 else end
    table.case(
        {"Input": rand(3, 6)},
        cut((1, start, end, stride)) | {"as_numpy": True},
        reference=lambda i, _, part=slice(start, stop, stride): {"Out": i["Input"][:, part]},
    )
table.error({"Input": rand(3, 6)}, cut((1, 4, 1, 1)), error="ShapeError", match="is empty")
table.error({"Input": rand(3, 6)}, cut((1, 1, 4, -1)), error="ShapeError", match="is empty")
table.error({"Input": rand(3, 6)}, cut((1, 1, 4, 0)), error="ShapeError", match="stride is 0")
table.error({"Input": rand(3, 6)}, cut((2, 1, 4, 1)), error="ShapeError", match="axes")
table.error(
    {"Input": rand(3, 6)},
    cut((1, 1, 5, 1), decrease_axis=[1]),
    error="ShapeError",
    match="4 elements",
)
table.error(
    {"Input": rand(3, 6)},
    {"axes": [1], "starts": [0], "ends": [1]},
    error="ShapeError",
    match="0 strides",
)
test_strided_slice = table.tests()
