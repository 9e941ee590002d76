from typing import Any

import numpy as np
from harness import OpTable, lod, rand, randint


def reference(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x = inputs["X"]
    wide = x if x.dtype == bool else x.astype("float64")
    value = np.prod(wide, axis=tuple(attrs["dim"]), keepdims=attrs.get("keep_dim", False))
    return {"Out": np.asarray(value, x.dtype)}


def draw(*shape: int) -> np.ndarray:
    return rand(*shape, low=0.9, high=1.1)


table = OpTable("reduce_prod")
for dim in ([0], [1], [-1], [1, 2], [2, 3], [0, 2], [1, 3], [0, 1, 2, 3], [-1, -2], [0, 2, 3]):
    for keep in (False, True):
        table.case({"X": draw(2, 3, 4, 5)}, {"dim": dim, "keep_dim": keep}, tol=1e-5)
        table.case(
            {"X": draw(2, 19, 7, 18)}, {"dim": dim, "keep_dim": keep}, reference=reference, tol=1e-5
        )
for keep in (False, True):
    table.case({"X": draw(2, 3, 4)}, {"dim": [0], "keep_dim": keep, "reduce_all": True}, tol=1e-5)
    table.case({"X": draw(2, 3, 4)}, {"dim": [], "keep_dim": keep}, tol=1e-5)
    table.case({"X": draw(6)}, {"keep_dim": keep}, tol=1e-5)
table.case({"X": draw()}, {"dim": [0]})
table.case({"X": draw()}, {"dim": []})
table.case({"X": draw(2, 1, 3, 1, 2)}, {"dim": [0, 2]}, tol=1e-5)
table.case({"X": lod(draw(5, 2), [[0, 3, 5]])}, {"dim": [1]})
for dtype in (
    "float64",
    "int32",
    "int64",
):
    low, high = (0, 2) if dtype in ("bool", "uint8") else (-4, 5)
    for dim in ([0], [1], [0, 2]):
        table.case({"X": randint(2, 3, 4, low=low, high=high, dtype=dtype)}, {"dim": dim})
for shape, dim in (((70, 5001), [1]), ((5001, 70), [0]), ((8, 37, 71, 67), [2, 3])):
    table.case({"X": draw(*shape)}, {"dim": dim}, reference=reference, tol=1e-4)
table.case({"X": draw(0, 3)}, {"dim": [1]}, reference=reference)
for dim in ([2], [-3], [0, 2147483647]):
    table.error({"X": draw(2, 3)}, {"dim": dim}, error="ShapeError", match="dim")
table.error({"X": draw(2, 0)}, {"dim": [1]}, error="ShapeError", match="nothing to reduce")
table.error({"X": rand(2) > 0}, {}, error="DataTypeError", match="bool")

test_reduce_prod = table.tests()
