from typing import Any

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("layer_norm")
ALL = {"Y": 1, "Mean": 1, "Variance": 1}
for shape, axis in (
    ((2, 3), 1),
    ((4, 16), 1),
    ((2, 3, 4), 1),
    ((2, 3, 4), 2),
    ((2, 3, 33), 2),
    ((2, 3, 4, 5), 3),
    ((2, 3, 4, 5), 1),
):
    size = int(np.prod(shape[axis:]))
    for slots in ((), ("Scale",), ("Bias",), ("Scale", "Bias")):
        for dtype in ("float32", "float64"):
            inputs = {slot: rand(size, dtype=dtype) for slot in slots}
            inputs["X"] = rand(*shape, low=1, high=3, dtype=dtype)
            attrs = {"begin_norm_axis": axis, "epsilon": 1e-3 if len(slots) == 1 else 1e-5}
            table.case(inputs, attrs, outputs=ALL, tol=1e-5, params=list(slots))
table.case({"X": lod(rand(5, 4), [[0, 3, 5]])}, outputs=ALL)
table.case({"X": rand(5, 4)})
table.case({"X": rand(5, 4, low=1000, high=1001)}, tol=1e-3)


def reference(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x = inputs["X"].astype("float64")
    y = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    return {"Y": (y * inputs["Scale"] + inputs["Bias"]).astype("float32")}


for rows, cols in ((128, 312), (2, 20001), (513, 256), (0, 4)):
    table.case(
        {"X": rand(rows, cols), "Scale": rand(cols), "Bias": rand(cols)},
        {"begin_norm_axis": 1},
        reference=reference,
        tol=1e-5,
    )
for axis in (0, 2, -1):
    table.error(
        {"X": rand(2, 3)}, {"begin_norm_axis": axis}, error="ShapeError", match="begin_norm_axis"
    )
table.error({"X": rand(2, 3), "Scale": rand(2)}, error="ShapeError", match="Scale")
table.error({"X": rand(2, 3), "Bias": rand(4)}, error="ShapeError", match="Bias")
table.error(
    {"X": rand(2, 3), "Bias": rand(3, dtype="float64")}, error="DataTypeError", match="Bias"
)
table.error({"X": rand(2, 3)}, {"epsilon": -1.0}, error="ShapeError", match="epsilon")
table.error({"X": randint(2, 3)}, error="DataTypeError", match="int64")

test_layer_norm = table.tests()
