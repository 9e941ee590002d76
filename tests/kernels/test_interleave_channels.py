"""Cases of interleave_channels, which the plan makes of concat and shuffle_channel."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, randint

table = OpTable("interleave_channels")


def interleaved(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    parts = inputs["X"] if isinstance(inputs["X"], list) else [inputs["X"]]
    n, c, h, w = parts[0].shape
    return {"Out": np.stack(parts, 2).reshape(n, c * len(parts), h, w)}


for count in (1, 2, 3):
    for shape in ((2, 5, 3, 4), (1, 17, 7, 5), (1, 3, 1, 1), (0, 3, 2, 2)):
        parts = [rand(*shape) for _ in range(count)]
        table.case({"X": parts}, reference=interleaved, tol=0)
table.case({"X": [rand(1, 200, 40, 30) for _ in range(2)]}, reference=interleaved, tol=0)
table.error({"X": [rand(1, 2, 3)]}, error="ShapeError", match="four dimensions")
table.error({"X": [rand(1, 2, 3, 3), rand(1, 1, 3, 3)]}, error="ShapeError", match="X[1]")
table.error({"X": [rand(1, 2, 3, 3), randint(1, 2, 3, 3)]}, error="DataTypeError", match="int64")
test_interleave_channels = table.tests()
