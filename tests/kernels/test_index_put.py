"""Cases of index_put and index_add."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, randint


def _put(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    out = inputs["x"].copy()
    given = inputs["indices"]
    index = tuple(given) if isinstance(given, list) else (given,)
    if attrs.get("accumulate"):
        np.add.at(out, index, inputs["value"])
    else:
        out[index] = inputs["value"]
    return {"out": out}


put = OpTable("index_put")
for accumulate in (True, False):
    flags = {"accumulate": accumulate}
    pair = [np.array([0, 2, 0]), np.array([1, 3, 2])]
    put.case({"x": rand(3, 4), "indices": pair, "value": rand(3)}, flags)
    put.case({"x": rand(3, 4), "indices": [np.array([2, -3])], "value": rand(2, 4)}, flags)
    put.case({"x": rand(3, 4), "indices": pair, "value": rand(1)}, flags)
    mask = np.array([[True, False, True], [False, False, True]])
    put.case({"x": rand(2, 3), "indices": [mask], "value": rand(3)}, flags)
    put.case({"x": rand(2, 3), "indices": [mask], "value": rand(1)}, flags)
    rows = [np.array([[0], [1]]), np.array([[0, 2, 1]])]
    put.case({"x": rand(2, 3, 2), "indices": rows, "value": rand(2, 3, 2)}, flags, reference=_put)
    put.case({"x": rand(2, 3, 4), "indices": [mask], "value": rand(4)}, flags, reference=_put)
    mixed = [np.array([True, False, True]), np.array([3, 0])]
    put.case({"x": rand(3, 4), "indices": mixed, "value": rand(2)}, flags, reference=_put)
    repeated = [np.array([1, 1, 1], "int32")]
    put.case({"x": rand(2), "indices": repeated, "value": rand(3)}, flags, reference=_put)
for dtype in ("float64", "int32", "int64"):
    numbers = {"x": randint(4, dtype=dtype), "value": randint(2, dtype=dtype)}
    put.case(numbers | {"indices": [np.array([1, 3])]}, {"accumulate": True}, params=["indices"])
nothing = np.zeros((2, 3), "bool")
put.case({"x": rand(2, 3), "indices": [nothing], "value": rand(1)}, reference=_put)
x = rand(3, 4)
put.error({"x": x, "indices": [np.array([3])], "value": rand(4)}, error="ShapeError", match="3")
put.error({"x": x, "indices": [np.array([-4])], "value": rand(4)}, error="ShapeError", match="-4")
put.error({"x": x, "indices": [np.array([0])], "value": rand(3)}, error="ShapeError", match="3")
put.error({"x": x, "indices": [mask], "value": rand(1)}, error="ShapeError", match="mask")
put.error({"x": x, "indices": [np.array(True)], "value": rand(1)}, error="ShapeError", match="0-D")
three = [np.array([0])] * 3
put.error({"x": x, "indices": three, "value": rand(1)}, error="ShapeError", match="axes")
apart = [np.array([0, 1]), np.array([0, 1, 2])]
put.error({"x": x, "indices": apart, "value": rand(1)}, error="ShapeError", match="2")
put.error({"x": x, "indices": [rand(1)], "value": rand(1)}, error="DataTypeError", match="indices")
put.error(
    {"x": x, "indices": [np.array([0])], "value": randint(1)}, error="DataTypeError", match="value"
)
test_index_put = put.tests()

add = OpTable("index_add")
for axis in (0, 1, -1):
    shape = [3, 4, 2]
    shape[axis] = 3
    index = np.array([0, 1, 0])
    add.case({"X": rand(3, 4, 2), "Index": index, "AddValue": rand(*shape)}, {"axis": axis})
for dtype in ("float64", "int32", "int64"):
    numbers = {"X": randint(3, dtype=dtype), "AddValue": randint(2, dtype=dtype)}
    add.case(numbers | {"Index": np.array([2, 1], "int32")}, params=["X"])
row = {"X": x, "AddValue": rand(1, 4)}
add.error(row | {"Index": np.array([3])}, error="ShapeError", match="has 3")
add.error(row | {"Index": np.array([0, 1])}, error="ShapeError", match="AddValue has")
add.error(row | {"Index": np.array([[0]])}, error="ShapeError", match="Index has")
add.error(row | {"Index": rand(1)}, error="DataTypeError", match="Index")
test_index_add = add.tests()
