from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand

# Paddle 3's operator; the reference is what its 3.3.1 computes.


def reference(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x, norm = inputs["x"], attrs["norm_type"]
    size = x.shape[2:]
    kernel = size if attrs.get("global_pooling") else attrs["kernel_size"]
    strides, pads = attrs.get("strides", [1, 1]), attrs.get("paddings", [0, 0])
    starts, ends = [], []
    for n, k, s, p in zip(size, kernel, strides, pads, strict=True):
        if attrs.get("adaptive"):
            starts.append([i * n // k for i in range(k)])
            ends.append([-(-(i + 1) * n // k) for i in range(k)])
            continue
        p = 0 if attrs.get("global_pooling") or attrs.get("padding_algorithm") == "VALID" else p
        count = (n + 2 * p - k + (s - 1 if attrs.get("ceil_mode") else 0)) // s + 1
        starts.append([max(i * s - p, 0) for i in range(count)])
        ends.append([min(i * s - p + k, n) for i in range(count)])
    y = np.zeros((*x.shape[:2], len(starts[0]), len(starts[1])))
    for i, j in np.ndindex(*y.shape[2:]):
        window = x[:, :, starts[0][i] : ends[0][i], starts[1][j] : ends[1][j]].astype("float64")
        y[:, :, i, j] = (window**norm).sum((2, 3)) ** (1 / norm)
    return {"out": y.astype(x.dtype)}


table = OpTable("lp_pool2d")
X = rand(2, 2, 5, 6, low=0.1, high=2)
for attrs in [
    {"kernel_size": [2, 2], "strides": [2, 2], "norm_type": 2.0},
    {"kernel_size": [2, 2], "strides": [2, 2], "norm_type": 2.0, "ceil_mode": True},
    {"kernel_size": [3, 2], "strides": [2, 1], "paddings": [1, 1], "norm_type": 3.0},
    {"kernel_size": [3, 3], "paddings": [1, 0], "norm_type": 1.5, "padding_algorithm": "VALID"},
    {"kernel_size": [2, 2], "norm_type": 1.0, "global_pooling": True, "paddings": [1, 1]},
    {"kernel_size": [2, 4], "norm_type": 2.0, "adaptive": True},
    {"kernel_size": [1, 1], "norm_type": -2.0, "data_format": "AnyLayout"},
]:
    table.case({"x": X}, attrs, reference=reference)
table.case(
    {"x": rand(1, 1, 3, 3) - 0.5}, {"kernel_size": [2, 2], "norm_type": 2.0}, reference=reference
)
doubles = {"x": rand(1, 1, 3, 3, low=0, high=1, dtype="float64")}
table.case(doubles, {"kernel_size": [2, 3], "norm_type": 2.5}, reference=reference)
BASE = {"kernel_size": [2, 2], "norm_type": 2.0}
for name, value in (
    ("kernel_size", [2]),
    ("kernel_size", [9, 9]),
    ("strides", [0, 1]),
    ("norm_type", 0.0),
    ("norm_type", float("inf")),
    ("data_format", "NHWC"),
):
    table.error({"x": X}, {**BASE, name: value})
table.error({"x": X[0]}, BASE, error="ShapeError", match="rank 4")
table.error({"x": X.astype("int64")}, BASE, error="DataTypeError")
table.exempt("exclusive", "it changes nothing")
table.exempt("pooling_type", "it changes nothing")
test_lp_pool2d = table.tests()
