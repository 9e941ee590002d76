"""Cases of one_hot."""

from __future__ import annotations

import numpy as np
from harness import OpTable, randint

table = OpTable("one_hot")


def one_hot(inputs: dict[str, np.ndarray], attrs: dict[str, int]) -> dict[str, np.ndarray]:
    depth = int(inputs["depth_tensor"][0]) if "depth_tensor" in inputs else attrs["depth"]
    hot = inputs["X"] == np.arange(depth)
    return {"Out": hot.astype({5: "float32", 3: "int64"}[attrs.get("dtype", 5)])}


# Paddle 2.6 has dropped this operator.
table.case({"X": np.array([[0], [2], [1]])}, {"depth": 3}, reference=one_hot)
table.case(
    {"X": randint(2, 5, 1, high=4, dtype="int32")}, {"depth": 4, "dtype": 3}, reference=one_hot
)
four = np.array([4], "int32")
table.case({"X": np.array([[0], [2]]), "depth_tensor": four}, reference=one_hot)
table.case({"X": np.array([[0], [7]])}, {"depth": 3, "allow_out_of_range": True}, reference=one_hot)
table.error({"X": np.array([[0], [3]])}, {"depth": 3}, error="ShapeError", match="is 3")
table.error({"X": np.array([0, 1])}, {"depth": 3}, error="ShapeError", match="last dimension")
test_one_hot = table.tests()
