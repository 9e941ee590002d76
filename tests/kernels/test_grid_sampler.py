import numpy as np
from harness import OpTable, rand

table = OpTable("grid_sampler")
for mode in ("bilinear", "nearest"):
    for padding in ("zeros", "border", "reflection"):
        for align in (True, False):
            attrs = {"mode": mode, "padding_mode": padding, "align_corners": align}
            arrays = {"X": rand(2, 3, 4, 5), "Grid": rand(2, 6, 7, 2, low=-2, high=2)}
            table.case(arrays, attrs)
            cube = {"X": rand(1, 2, 3, 4, 5), "Grid": rand(1, 2, 3, 4, 3, low=-1.5, high=1.5)}
            table.case(cube, attrs)
arrays = {"X": rand(1, 1, 4, 5), "Grid": rand(1, 3, 2, 2)}
table.case({k: v.astype("float64") for k, v in arrays.items()})


def nothing(inputs: dict, attrs: dict) -> dict:
    return {"Output": np.zeros((1, 1, 1, 4), "float32")}


# Between two elements each: halves go to the even one, or weights are those of a = -0.75.
halves = {"X": rand(1, 2, 1, 4), "Grid": np.float32([[[[-0.5, 0], [0, 0], [0.5, 0]]]])}
outer, inner = -0.09375, 0.59375
middle = [outer, inner, inner, outer]
CUBIC = {
    "zeros": [[inner, inner, outer, 0], middle, [0, outer, inner, inner]],
    "border": [[outer + inner, inner, outer, 0], middle, [0, outer, inner, inner + outer]],
}


def even(inputs: dict, attrs: dict) -> dict:
    return {"Output": inputs["X"][..., [0, 2, 2]]}


def cubic(inputs: dict, attrs: dict) -> dict:
    x, weights = inputs["X"], np.float32(CUBIC[attrs["padding_mode"]])
    return {"Output": x @ weights.T}


plain = {"align_corners": False, "padding_mode": "zeros"}
table.case(halves, {**plain, "mode": "nearest_even"}, reference=even)
for padding in CUBIC:
    attrs = {**plain, "mode": "bicubic", "padding_mode": padding}
    table.case(halves, attrs, reference=cubic)
wild = np.array([[[[np.nan, 0], [np.inf, 0], [1e30, 0], [0, -1e30]]]], "float32")
table.case({"X": rand(1, 1, 4, 5), "Grid": wild}, reference=nothing)
table.error({**arrays, "X": rand(4, 5)}, match="rank 4")
table.error({**arrays, "Grid": rand(1, 3, 2, 3)}, match="Grid")
table.error({**arrays, "Grid": rand(2, 3, 2, 2)}, match="Grid")
table.error(arrays, {"mode": "trilinear"}, match="mode")
table.error(arrays, {"padding_mode": "wrap"}, match="padding_mode")
table.error({**arrays, "Grid": arrays["Grid"].astype("float64")}, error="DataTypeError")
table.error({**arrays, "X": rand(1, 1, 0, 5)}, match="empty")
test_grid_sampler = table.tests()
