"""Cases of repeat_interleave."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, randint


def repeat(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    times = inputs.get("RepeatsTensor", attrs.get("Repeats", 0))
    return {"Out": np.repeat(inputs["X"], times, attrs.get("dim", 0))}


table = OpTable("repeat_interleave")
for dim in (0, 1, -1):  # Paddle 2.6.2 crashes with a negative one
    given = {"X": rand(2, 3, 2)}
    table.case(given, {"Repeats": 2, "dim": dim}, reference=repeat if dim < 0 else None)
for dtype in ("float64", "int32", "int64"):
    table.case({"X": randint(3, 2, dtype=dtype)}, {"Repeats": 3})
for dtype in ("int32", "int64"):
    repeats = np.array([2, 0, 3], dtype)
    table.case({"X": rand(2, 3), "RepeatsTensor": repeats}, {"dim": 1})
    last = {"X": rand(2, 3), "RepeatsTensor": repeats}
    table.case(last, {"dim": -1}, params=["RepeatsTensor"], reference=repeat)


table.case({"X": rand(2, 3), "RepeatsTensor": np.array([2])}, {"dim": 1}, reference=repeat)
table.case({"X": rand(2, 3) > 0}, {"Repeats": 2}, reference=repeat)
table.case({"X": rand(2, 3)}, {"Repeats": 0}, reference=repeat)
table.case({"X": rand(0, 3)}, {"Repeats": 2, "dim": 1}, reference=repeat)
x = rand(2, 3)
table.error({"X": x}, {"Repeats": -1}, error="ShapeError", match="-1 times")
table.error({"X": x, "RepeatsTensor": np.array([1, -2])}, error="ShapeError", match="-2 times")
huge = np.array([2**62, 2**62])
table.error({"X": x, "RepeatsTensor": huge}, error="ShapeError", match="times")
table.error({"X": x, "RepeatsTensor": np.array([1, 2, 3])}, error="ShapeError", match="3 elements")
table.error({"X": x, "RepeatsTensor": rand(2)}, error="DataTypeError", match="RepeatsTensor")
table.error({"X": x}, {"Repeats": 1, "dim": 2}, error="ShapeError", match="dim")
table.error({"X": np.array(1.0, "float32")}, {"Repeats": 1}, error="ShapeError", match="dim")
test_repeat_interleave = table.tests()
