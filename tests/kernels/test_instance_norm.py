from typing import Any

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("instance_norm")
ALL = {"Y": 1, "SavedMean": 1, "SavedVariance": 1}
for shape in ((2, 3), (2, 3, 4), (2, 3, 4, 5), (1, 19, 3, 2), (2, 3, 2, 3, 2)):
    for slots in ((), ("Scale", "Bias")):
        for dtype in ("float32", "float64"):
            inputs = {slot: rand(shape[1], dtype=dtype) for slot in slots}
            inputs["X"] = rand(*shape, dtype=dtype)
            attrs = {"epsilon": 1e-3} if slots else {}
            table.case(inputs, attrs, outputs=ALL, tol=1e-5, params=list(slots))
table.case({"X": lod(rand(2, 3, 4), [[0, 1, 2]])}, outputs=ALL)
table.case({"X": rand(2, 3, 4)})


def reference(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x = inputs["X"].astype("float64")
    y = (x - x.mean((2, 3), keepdims=True)) / np.sqrt(x.var((2, 3), keepdims=True) + 1e-5)
    return {"Y": y.astype("float32")}


table.case({"X": rand(2, 3, 131, 127, low=5, high=6)}, reference=reference, tol=1e-5)
table.case({"X": rand(0, 3, 2, 2)}, reference=lambda i, a: {"Y": i["X"]})
table.error({"X": rand(4)}, error="ShapeError", match="2 to 5")
table.error({"X": rand(2, 3), "Scale": rand(2)}, error="ShapeError", match="Scale")
table.error({"X": randint(2, 3)}, error="DataTypeError", match="int64")

test_instance_norm = table.tests()
