from typing import Any

import numpy as np
from calib_cases import add_edges, conversions
from harness import rand, randint

table = conversions("calib")


def by_threshold(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x, limit = inputs["Input"], attrs["threshold"]
    if x.dtype == np.int8:
        return {"Out": (x * np.float64(limit) / 127).astype("float32")}
    if attrs["round_type"] == 0:
        return {"Out": np.clip(np.rint(x / limit * 127), -128, 127).astype("int8")}
    steps = np.clip(x, -limit, limit).astype("float64") / limit * 127
    return {"Out": (np.sign(steps) * np.floor(np.abs(steps) + 0.5)).astype("int8")}


for rounding in (0, 1):
    attrs = {"scale": 0.5 / 127, "threshold": 0.5, "round_type": rounding}
    table.case({"Input": rand(3, 300, low=-0.7, high=0.7)}, attrs, reference=by_threshold)
    codes = randint(3, 50, low=-128, high=128, dtype="int8")
    table.case({"Input": codes}, attrs, reference=by_threshold)
for bad in (-1.0, float("nan")):
    table.error({"Input": rand(2)}, {"threshold": bad}, error="ShapeError", match="threshold")
table.error({"Input": rand(2)}, {"round_type": 2}, error="ShapeError", match="round_type")
add_edges(table)

test_calib = table.tests()
