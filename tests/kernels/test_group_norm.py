from typing import Any

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("group_norm")
ALL = {"Y": 1, "Mean": 1, "Variance": 1}
for shape in ((2, 6), (2, 6, 4), (2, 6, 3, 2), (2, 6, 2, 3, 2)):
    for groups in (1, 2, 6):
        for layout in ("NCHW", "NHWC"):
            x = rand(*shape) if layout == "NCHW" else rand(shape[0], *shape[2:], shape[1])
            inputs = {"X": x, "Scale": rand(6), "Bias": rand(6)}
            attrs = {"groups": groups, "data_layout": layout, "epsilon": 1e-3 / groups}
            table.case(inputs, attrs, outputs=ALL, tol=1e-5, params=["Scale", "Bias"])
for slots in ((), ("Scale",), ("Bias",)):
    inputs = {slot: rand(6, dtype="float64") for slot in slots}
    inputs["X"] = rand(2, 6, 3, 2, dtype="float64")
    table.case(inputs, {"groups": 3}, outputs=ALL, tol=1e-5)
table.case({"X": lod(rand(2, 4, 3), [[0, 1, 2]])}, {"groups": 2}, outputs=ALL)
table.case({"X": rand(2, 4, 3, 3)}, {"groups": 2})


def reference(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x = inputs["X"].astype("float64").reshape(2, 8, -1)
    y = (x - x.mean(2, keepdims=True)) / np.sqrt(x.var(2, keepdims=True) + 1e-5)
    return {"Y": y.reshape(inputs["X"].shape).astype("float32")}


table.case({"X": rand(2, 32, 71, 67)}, {"groups": 8}, reference=reference, tol=1e-5)
table.case({"X": rand(0, 4, 2, 2)}, {"groups": 2}, reference=lambda i, a: {"Y": i["X"]})
for groups in (0, -1, 5):
    table.error({"X": rand(2, 4, 3)}, {"groups": groups}, error="ShapeError", match="groups")
table.error({"X": rand(2, 4), "Scale": rand(2)}, {"groups": 2}, error="ShapeError", match="Scale")
table.error({"X": rand(2, 4)}, {"groups": 2, "data_layout": "x"}, match="data_layout")
table.error({"X": randint(2, 4)}, {"groups": 2}, error="DataTypeError", match="int64")

test_group_norm = table.tests()
