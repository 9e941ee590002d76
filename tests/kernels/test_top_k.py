"""Cases of top_k."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand

table = OpTable("top_k")
table.case({"X": lod(rand(3, 4), [[0, 1, 3]])}, {"k": 2})
table.case({"X": rand(3, 4)})
table.case({"X": rand(2, 3, 50)}, {"k": 50})
three = np.array([3], "int32")
table.case({"X": rand(3, 4), "K": three}, {"k": 2}, params=["K"])
table.case({"X": rand(3, 4), "K": three})
table.case({"X": rand(3, 20, dtype="float64")}, {"k": 5}, params=["X"])


def integers(inputs: dict[str, np.ndarray], attrs: dict[str, int]) -> dict[str, np.ndarray]:
    order = np.argsort(-inputs["X"], -1)[..., : attrs["k"]]
    return {"Out": np.take_along_axis(inputs["X"], order, -1), "Indices": order}


for dtype in ("int32", "int64"):  # Paddle's top_k takes none, its top_k_v2 does
    distinct = np.argsort(rand(3, 20), 1).astype(dtype)
    table.case({"X": distinct}, {"k": 5}, reference=integers)
table.error({"X": rand(3, 4)}, {"k": 5}, error="ShapeError", match="k is 5")
table.error({"X": rand(3, 4)}, {"k": 0}, error="ShapeError", match="k is 0")
table.error({"X": rand()}, {"k": 1}, error="ShapeError", match="k is 1")
table.error({"X": rand(3, 4) > 0}, error="DataTypeError", match="bool")
test_top_k = table.tests()
