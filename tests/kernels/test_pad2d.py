"""Cases of pad2d."""

from __future__ import annotations

import numpy as np
from harness import OpTable, rand, randint

table = OpTable("pad2d")


def pad2d(inputs: dict[str, np.ndarray], attrs: dict[str, object]) -> dict[str, np.ndarray]:
    given = inputs.get("Paddings", np.array(attrs.get("paddings")))
    top, bottom, left, right = (int(value) for value in given)
    pads = [(0, 0), (0, 0), (top, bottom), (left, right)]
    if attrs.get("data_format") == "NHWC":
        pads = [(0, 0), (top, bottom), (left, right), (0, 0)]
    x, mode = inputs["X"], attrs.get("mode", "constant")
    if mode == "constant":
        return {"Out": np.pad(x, pads, constant_values=attrs.get("pad_value", 0))}
    return {"Out": np.pad(x, pads, mode)}


# Paddle 2.6 declares this operator, but has no kernel.
for mode in ("constant", "reflect", "edge"):
    attrs = {"paddings": [1, 0, 2, 1], "mode": mode}
    table.case({"X": rand(2, 3, 4, 5)}, attrs, reference=pad2d)
    table.case({"X": rand(1, 3, 4, 2)}, attrs | {"data_format": "NHWC"}, reference=pad2d)
    paddings = np.array([1, 1, 0, 1], "int32")
    table.case({"X": rand(1, 1, 2, 3), "Paddings": paddings}, {"mode": mode}, reference=pad2d)
table.case({"X": rand(1, 2, 2, 3)}, {"paddings": [1, 1, 1, 1], "pad_value": 7.5}, reference=pad2d)
table.case({"X": rand(1, 2, 2, 3)}, {"paddings": [0, 0, 0, 0]}, reference=pad2d)
table.case({"X": randint(1, 2, 2, 3)}, {"paddings": [1, 0, 0, 1]}, reference=pad2d, params=["X"])
table.case(
    {"X": rand(1, 1, 4, 5)},
    {"paddings": [-1, 0, 1, -2]},
    reference=lambda inputs, attrs: {
        "Out": np.pad(inputs["X"][:, :, 1:, :-2], [(0, 0), (0, 0), (0, 0), (1, 0)])
    },
)
small = {"X": rand(1, 1, 2, 3)}
table.error(
    small, {"paddings": [2, 0, 1, 1], "mode": "reflect"}, error="ShapeError", match="dimension 2"
)
table.error(small, {"paddings": [-5, 0, 1, 1]}, error="ShapeError", match="dimension 2")
table.error(small, {"paddings": [1, 0, 1]}, error="ShapeError", match="3 paddings")
table.error(small, {"paddings": [1, 0, 1, 1], "mode": "mirror"}, match="mirror")
table.error(small, {"paddings": [1, 0, 1, 1], "data_format": "NCW"}, match="NCW")
table.error({"X": rand(2, 3)}, {"paddings": [1, 0, 1, 1]}, error="ShapeError", match="4 dimensions")
empty = {"X": rand(1, 1, 0, 3)}
table.error(
    empty, {"paddings": [1, 0, 1, 1], "mode": "edge"}, error="ShapeError", match="dimension 2"
)
test_pad2d = table.tests()
