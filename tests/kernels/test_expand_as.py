"""Cases of expand_as."""

from __future__ import annotations

import numpy as np
from harness import OpTable, rand, randint

table = OpTable("expand_as")


def expand_as(inputs: dict[str, np.ndarray], attrs: dict[str, object]) -> dict[str, np.ndarray]:
    x, target = inputs["X"], inputs["target_tensor"]
    times = [t // s for t, s in zip(target.shape, x.shape, strict=True)]
    return {"Out": np.tile(x, times)}


# Paddle 2.6 has dropped this operator.
table.case({"X": rand(3, 1), "target_tensor": rand(3, 4)}, reference=expand_as)
table.case({"X": rand(2, 3), "target_tensor": rand(4, 9)}, reference=expand_as)
table.case(
    {"X": randint(2, 1, 3), "target_tensor": rand(2, 5, 3)}, reference=expand_as, params=["X"]
)
table.error({"X": rand(2, 3), "target_tensor": rand(4, 5)}, error="ShapeError", match="repeated")
table.error({"X": rand(3), "target_tensor": rand(4, 3)}, error="ShapeError", match="repeated")
test_expand_as = table.tests()
