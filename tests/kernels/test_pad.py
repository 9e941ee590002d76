"""Cases of pad."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("pad")
table.case({"X": lod(rand(3, 2), [[0, 1, 3]])}, {"paddings": [0, 0, 1, 1], "pad_value": 2.0})
table.case({"X": rand(3, 2)}, {"paddings": [1, 0, 1, 3]})
table.case({"X": rand(2, 3, 4, 5)}, {"paddings": [0, 1, 1, 0, 2, 1, 0, 3], "pad_value": -1.5})
table.case({"X": rand(3)}, {"paddings": [0, 0]})
for dtype in ("float64", "int64", "int32"):
    table.case(
        {"X": randint(3, 4, dtype=dtype)},
        {"paddings": [1, 1, 0, 2], "pad_value": 3.0},
        params=["X"],
    )


def padded(inputs: dict[str, np.ndarray], attrs: dict[str, Any]) -> dict[str, np.ndarray]:
    """What NNAdapter's PAD adds to the operator."""
    pairs = np.reshape(inputs.get("Paddings", attrs["paddings"]), (-1, 2))
    x, mode = inputs["X"], attrs.get("mode", "constant")
    cut = [
        slice(max(-int(a), 0), n + min(int(b), 0)) for n, (a, b) in zip(x.shape, pairs, strict=True)
    ]
    x, pairs = x[tuple(cut)], np.maximum(pairs, 0)
    if mode != "constant":
        return {"Out": np.pad(x, pairs, mode)}
    value = inputs["Value"][0] if "Value" in inputs else attrs.get("pad_value", 0)
    return {"Out": np.pad(x, pairs, constant_values=value)}


for mode in ("reflect", "edge"):
    table.case({"X": rand(3, 4)}, {"paddings": [1, 2, 0, 3], "mode": mode}, reference=padded)
pads = np.array([1, 0, 0, 2], "int32")
table.case({"X": rand(3, 4), "Paddings": pads}, {"paddings": []}, reference=padded)
for cut in ([-1, 2, 1, -2], [-3, 0, 0, 0], [0, -2, -1, -1], [-2, 4, -4, 1]):
    case = {"X": rand(3, 4), "Paddings": np.array(cut, "int32")}
    table.case(case, {"paddings": [], "may_cut": True}, reference=padded)
    table.error(case, {"paddings": []}, error="ShapeError", match="a padding is -")
gone = {**case, "Paddings": np.array([-3, -1, 0, 0], "int32")}
table.error(gone, {"paddings": [], "may_cut": True}, error="ShapeError", match="cannot be padded")
table.case(
    {"X": randint(3, 4, dtype="int64"), "Value": np.array([2**60 + 1])},
    {"paddings": [1, 0, 0, 2]},
    reference=padded,
)
table.error({"X": rand(3)}, {"paddings": [3, 0], "mode": "reflect"}, error="ShapeError")
table.error({"X": rand(3), "Value": rand(2)}, {"paddings": [1, 0]}, error="ShapeError")
table.error(
    {"X": rand(3, 2)}, {"paddings": [-1, 0, 1, 1]}, error="ShapeError", match="padding is -1"
)
table.error({"X": rand(3, 2)}, {"paddings": [1, 1]}, error="ShapeError", match="2 elements")
test_pad = table.tests()
