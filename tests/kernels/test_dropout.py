from typing import Any

import numpy as np
from harness import OpTable, rand

table = OpTable("dropout")
for how in ("downgrade_in_infer", "upscale_in_train"):
    for probability in (0.0, 0.25, 1.0):
        attrs = {"dropout_prob": probability, "dropout_implementation": how, "is_test": True}
        table.case({"X": rand(2, 3, 4, 5)}, attrs, tol=1e-6)
        table.case({"X": rand(3, 4, dtype="float64")}, attrs, tol=1e-6)


def half(inputs: dict[str, Any], _: dict[str, Any]) -> dict[str, Any]:
    x = inputs["X"]
    return {"Out": x * np.float32(0.5), "Mask": np.ones(x.shape, "uint8")}


# Nothing is dropped at inference, `is_test` or not, and a missing attribute scales by one half.
for attrs in ({}, {"is_test": False}, {"is_test": False, "fix_seed": True, "seed": 3}):
    for shape in ((), (3,), (0, 3), (2, 3, 4)):
        table.case({"X": rand(*shape)}, attrs, outputs={"Out": 1, "Mask": 1}, reference=half)
seed = np.array([7], "int32")
table.case({"X": rand(3), "Seed": seed}, {}, outputs={"Out": 1, "Mask": 1}, reference=half)
table.error({"X": rand(2)}, {"dropout_prob": 1.5}, error="ShapeError", match="dropout_prob")
table.error({"X": rand(2)}, {"dropout_implementation": "x"}, match="dropout_implementation")
table.error({"X": seed}, {}, error="DataTypeError", match="int32")

test_dropout = table.tests()
