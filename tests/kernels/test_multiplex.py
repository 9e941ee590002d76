"""Cases of multiplex and shard_index."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, randint

table = OpTable("multiplex")
for dtype in ("float32", "float64", "int32", "int64"):
    several = [randint(4, 3, dtype=dtype) for _ in range(3)]
    table.case({"X": several, "Ids": randint(4, 1, high=3, dtype="int32")})
table.case({"X": [rand(2, 2, 2), rand(2, 2, 2)], "Ids": np.array([[1], [0]], "int32")})


def _chosen(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x, ids = inputs["X"], inputs["Ids"].ravel()
    return {"Out": np.stack([x[which][row] for row, which in enumerate(ids)])}


pair = [rand(3, 2), rand(3, 2)]
table.case({"X": pair, "Ids": np.array([1, 0, 1])}, reference=_chosen, params=["Ids"])
table.error({"X": pair, "Ids": np.array([0, 2, 0])}, error="ShapeError", match="is 2")
table.error({"X": pair, "Ids": np.array([0, -1, 0])}, error="ShapeError", match="is -1")
table.error({"X": pair, "Ids": np.array([0, 1])}, error="ShapeError", match="Ids has")
table.error({"X": [pair[0], rand(3)], "Ids": np.zeros(3, "int64")}, match="X[1] has")
table.error({"X": [pair[0], randint(3, 2)], "Ids": np.zeros(3, "int64")}, match="X[1] is")
table.error({"X": pair, "Ids": rand(3)}, error="DataTypeError", match="Ids")
test_multiplex = table.tests()

shard = OpTable("shard_index")
for dtype in ("int32", "int64"):
    x = np.array([[0], [6], [9], [10], [19]], dtype)
    for which in (0, 1):
        attrs = {"index_num": 20, "nshards": 2, "shard_id": which}
        shard.case({"X": x}, attrs)
        shard.case({"X": x}, attrs | {"ignore_value": -7})
    shard.case({"X": x}, {"index_num": 21, "nshards": 4, "shard_id": 2}, params=["X"])
two = {"index_num": 20, "nshards": 2, "shard_id": 0}
shard.error({"X": np.array([[20]])}, two, error="ShapeError", match="is 20")
shard.error({"X": np.array([[-1]])}, two, error="ShapeError", match="is -1")
shard.error({"X": np.array([[1]])}, two | {"nshards": 0}, error="ShapeError", match="of 0")
shard.error({"X": np.array([[1]])}, two | {"shard_id": 2}, error="ShapeError", match="shard 2")
shard.error({"X": rand(2, 1)}, two, error="DataTypeError", match="X")
test_shard_index = shard.tests()
