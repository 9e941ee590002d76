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


def nearest(inputs: dict, attrs: dict) -> dict:
    x, grid = inputs["X"], inputs["Grid"]
    at = []
    for i, size in enumerate(x.shape[:1:-1]):
        c, n, half = grid[..., i], np.float32(size), np.float32(0.5)
        one = np.float32(1)
        p = (c + one) * half * (n - one) if attrs["align_corners"] else ((c + one) * n - one) * half
        if attrs["padding_mode"] == "border":
            p = np.clip(p, 0, n - one)
        p = p.astype("float64")
        at.append(
            np.rint(p)
            if attrs["mode"] == "nearest_even"
            else np.copysign(np.floor(abs(p) + 0.5), p)
        )
    inside = (at[0] >= 0) & (at[0] < x.shape[3]) & (at[1] >= 0) & (at[1] < x.shape[2])
    column, row = (np.where(inside, a, 0).astype("int64") for a in at)
    images = np.arange(len(x))[:, None, None]
    found = np.where(inside[..., None], x[images, :, row, column], np.float32(0))
    return {"Output": found.transpose(0, 3, 1, 2)}


# Enough points for several blocks, many of them between two pixels, many outside.
for size in ((40, 50), (1, 7)):
    steps = np.float32(np.linspace(-1.5, 1.5, 4 * size[1] * 3 // 2 + 1))
    points = np.stack(np.meshgrid(steps, steps[::7]), -1)[None].repeat(2, 0)
    arrays = {"X": rand(2, 3, *size), "Grid": np.concatenate([points, rand(*points.shape)], 1)}
    for mode in ("nearest", "nearest_even"):
        for padding in ("zeros", "border"):
            for align in (True, False):
                attrs = {"mode": mode, "padding_mode": padding, "align_corners": align}
                table.case(arrays, attrs, reference=nearest, tol=0)
table.case({"X": rand(1, 1, 4, 5), "Grid": wild}, {"mode": "nearest"}, reference=nothing)
arrays = {"X": rand(1, 1, 4, 5), "Grid": rand(1, 3, 2, 2)}
table.error({**arrays, "X": rand(4, 5)}, match="rank 4")
table.error({**arrays, "Grid": rand(1, 3, 2, 3)}, match="Grid")
table.error({**arrays, "Grid": rand(2, 3, 2, 2)}, match="Grid")
table.error(arrays, {"mode": "trilinear"}, match="mode")
table.error(arrays, {"padding_mode": "wrap"}, match="padding_mode")
table.error({**arrays, "Grid": arrays["Grid"].astype("float64")}, error="DataTypeError")
table.error({**arrays, "X": rand(1, 1, 0, 5)}, match="empty")
test_grid_sampler = table.tests()
