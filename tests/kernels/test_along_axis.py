"""Cases of take_along_axis, put_along_axis and index_sample."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, randint


def _take(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x, index = inputs["Input"], inputs["Index"]
    axis = attrs.get("Axis", 0) % x.ndim
    part = x[tuple(slice(None) if i == axis else slice(n) for i, n in enumerate(index.shape))]
    return {"Result": np.take_along_axis(part, index, axis)}


take = OpTable("take_along_axis")
for axis in (0, 1, 2, -1, -2):
    shape = [2, 3, 4]
    shape[axis] = 5
    index = randint(*shape, high=[2, 3, 4][axis])
    given = {"Input": rand(2, 3, 4), "Index": index}
    # Paddle 2.6.2 crashes where its operator itself has a negative axis.
    take.case(given, {"Axis": axis}, reference=_take if axis < 0 else None)
for dtype in ("float64", "int64", "int32", "uint8"):
    index = randint(3, 2, high=3, dtype="int32")
    take.case({"Input": randint(3, 2, dtype=dtype), "Index": index}, {"Axis": 0}, params=["Index"])
take.case({"Input": rand(4), "Index": np.array([-1, 0, -4])}, reference=_take)
take.case({"Input": rand(3, 5), "Index": np.array([[1, -1], [4, 0]])}, {"Axis": 1}, reference=_take)
take.case({"Input": rand(3, 4), "Index": np.zeros((3, 0), "int64")}, {"Axis": 1}, reference=_take)
take.case(
    {"Input": np.array(3.5, "float32"), "Index": np.array(0)},
    reference=lambda inputs, attrs: {"Result": inputs["Input"]},
)
x = rand(2, 3)
for bad in (3, -4):
    wrong = np.array([[0], [bad]])
    take.error({"Input": x, "Index": wrong}, {"Axis": 1}, error="ShapeError", match=f"is {bad}")
take.error({"Input": x, "Index": randint(3, 1)}, {"Axis": 1}, error="ShapeError", match="rank")
take.error({"Input": x, "Index": randint(2)}, error="ShapeError", match="rank")
take.error({"Input": x, "Index": randint(2, 3, high=2)}, {"Axis": 2}, match="axis")
take.error({"Input": x, "Index": x}, error="DataTypeError", match="Index")
test_take_along_axis = take.tests()

put = OpTable("put_along_axis")
places = np.array([[0, 0, 0, 1], [0, 2, 2, 1]])
for reduce in ("assign", "add", "mul", "multiply", "mean", "amin", "amax"):
    for include in (True, False):
        for dtype in ("float32", "int32"):
            put.case(
                {
                    "Input": randint(2, 3, low=-5, dtype=dtype),
                    "Index": places,
                    "Value": randint(2, 4, low=-5, dtype=dtype),
                },
                {"Axis": 1, "Reduce": reduce, "Include_self": include},
            )
for dtype in ("float64", "int64", "uint8"):
    put.case(
        {
            "Input": randint(3, 2, 2, high=20, dtype=dtype),
            "Index": randint(2, 2, 2, high=3, dtype="int32"),
            "Value": randint(2, 2, 2, high=20, dtype=dtype),
        },
        {"Axis": 0, "Reduce": "add"},
    )
line = {"Input": rand(4), "Index": np.array([3, 1]), "Value": rand(2)}
put.case(line, {"Axis": 0}, params=["Input", "Index"])


put.case(  # the count does not fit the type
    {
        "Input": np.array([5, 7], "uint8"),
        "Index": np.zeros(256, "int64"),
        "Value": np.ones(256, "uint8"),
    },
    {"Reduce": "mean"},
    reference=lambda inputs, attrs: {"Result": np.array([0, 7], "uint8")},
)


def _put_rows(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    out = inputs["Input"].copy()
    np.put_along_axis(out, inputs["Index"], inputs["Value"], attrs["Axis"])
    return {"Result": out}


put.case(
    {"Input": rand(2, 3), "Index": np.array([[-1, 0], [1, -3]]), "Value": rand(2, 2)},
    {"Axis": -1},
    reference=_put_rows,
)
put.case(
    {"Input": rand(2, 3), "Index": np.array([[2, 0], [1, 0]]), "Value": rand(1, 1)},
    {"Axis": 1},
    reference=_put_rows,
)
good = {"Input": rand(2, 3), "Index": np.array([[0], [1]]), "Value": rand(2, 1)}
put.error(good, {"Axis": 1, "Reduce": "median"}, match="median")
put.error(good | {"Index": np.array([[0], [3]])}, {"Axis": 1}, error="ShapeError", match="is 3")
put.error(good | {"Value": rand(2, 2)}, {"Axis": 1}, error="ShapeError", match="Value has")
put.error(good | {"Value": rand(1, 2, 1)}, {"Axis": 1}, error="ShapeError", match="Value has")
put.error(good | {"Value": randint(2, 1)}, {"Axis": 1}, error="DataTypeError", match="Value is")
put.error(good | {"Input": rand(2, 3) > 0, "Value": rand(2, 1) > 0}, {"Axis": 1}, match="bool")
test_put_along_axis = put.tests()

sample = OpTable("index_sample")
sample.case({"X": rand(3, 4), "Index": randint(3, 2, high=4)})
sample.case({"X": rand(2, 3), "Index": randint(2, 5, high=3, dtype="int32")}, params=["X"])
for dtype in ("float64", "int32", "int64"):
    sample.case({"X": randint(2, 3, dtype=dtype), "Index": randint(2, 2, high=3)})
sample.error({"X": x, "Index": np.array([[0], [3]])}, error="ShapeError", match="is 3")
sample.error({"X": x, "Index": np.array([[0]])}, error="ShapeError", match="rows")
sample.error({"X": rand(2), "Index": np.array([0, 1])}, error="ShapeError", match="two dim")
sample.error({"X": x, "Index": x}, error="DataTypeError", match="Index")
test_index_sample = sample.tests()
