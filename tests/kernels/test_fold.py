from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand

table = OpTable("fold")
BASE = {
    "output_sizes": [4, 5],
    "kernel_sizes": [2, 3],
    "strides": [1, 1],
    "paddings": [0] * 4,
    "dilations": [1, 1],
}


def fold(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    """Paddle 2.6.2 counts the columns of unequal paddings wrongly, and refuses them."""
    x, (height, width), (kh, kw) = inputs["X"], attrs["output_sizes"], attrs["kernel_sizes"]
    (sh, sw), (dh, dw), pads = attrs["strides"], attrs["dilations"], attrs["paddings"]
    padded = (height + pads[0] + pads[2], width + pads[1] + pads[3])
    y = np.zeros((x.shape[0], x.shape[1] // (kh * kw), *padded), x.dtype)
    rows = range(0, y.shape[2] - dh * (kh - 1), sh)
    columns = range(0, y.shape[3] - dw * (kw - 1), sw)
    x = x.reshape(x.shape[0], y.shape[1], kh, kw, len(rows), len(columns))
    for ky, kx, i, j in np.ndindex(*x.shape[2:]):
        y[:, :, rows[i] + ky * dh, columns[j] + kx * dw] += x[:, :, ky, kx, i, j]
    return {"Y": y[:, :, pads[0] : pads[0] + height, pads[1] : pads[1] + width]}


for columns, attrs in [(36, {"paddings": [1, 0, 2, 3]}), (24, {"paddings": [2, 1, 1, 0]})]:
    table.case({"X": rand(2, 12, columns)}, {**BASE, **attrs}, reference=fold)
for columns, attrs in [
    (9, {}),
    (4, {"strides": [2, 2]}),
    (25, {"paddings": [1, 1, 1, 1]}),
    (20, {"dilations": [2, 1], "paddings": [1, 1, 1, 1]}),
    (16, {"output_sizes": [5, 6]}),
]:
    table.case({"X": rand(2, 12, columns)}, {**BASE, **attrs})
table.case({"X": rand(1, 1, 20)}, {**BASE, "kernel_sizes": [1, 1]})
table.case({"X": rand(1, 6, 9, dtype="float64")}, BASE)
table.case(
    {"X": rand(0, 6, 9)}, BASE, reference=lambda *_: {"Y": np.zeros((0, 1, 4, 5), "float32")}
)
X = rand(1, 6, 9)
table.error({"X": rand(6, 9)}, BASE, error="ShapeError", match="rank 3")
table.error({"X": rand(1, 6, 8)}, BASE, error="ShapeError", match="columns")
table.error({"X": rand(1, 7, 9)}, BASE, error="ShapeError", match="taps")
table.error({"X": X}, {}, error="ModelFormatError", match="output_sizes")
for name, value in [
    ("output_sizes", [0, 5]),
    ("output_sizes", [4]),
    ("kernel_sizes", [0, 1]),
    ("kernel_sizes", [2**31 - 1, 2**31 - 1]),
    ("strides", [0, 1]),
    ("dilations", [-1, 1]),
    ("paddings", [1, 1]),
]:
    table.error({"X": X}, {**BASE, name: value})
table.error({"X": X.astype("int64")}, BASE, error="DataTypeError")
test_fold = table.tests()
