from __future__ import annotations

import numpy as np
from harness import OpTable, rand

table = OpTable("data_norm")
ALL = {"Y": 1, "Means": 1, "Scales": 1}


def arrays(dtype: str = "float32") -> dict:
    x = rand(3, 4, dtype=dtype)
    x[1, 0] = 0
    x[2, 2] = 1e-9
    return {
        "X": x,
        "BatchSize": rand(4, low=2, high=5, dtype=dtype),
        "BatchSum": rand(4, dtype=dtype),
        "BatchSquareSum": rand(4, low=1, high=9, dtype=dtype),
    }


GOOD = arrays()
SHIFT = {"scale_w": rand(4), "bias": rand(4)}
for slot_dim in (-1, 1, 2, 4):
    table.case(GOOD, {"slot_dim": slot_dim}, outputs=ALL)
table.case(arrays("float64"), {"slot_dim": 2}, outputs=ALL)
table.case({**GOOD, **SHIFT}, {"enable_scale_and_shift": True}, outputs=ALL)
table.case(GOOD)
for slot in ("BatchSize", "BatchSum", "BatchSquareSum"):
    table.error({**GOOD, slot: rand(3)}, error="ShapeError", match=slot)
    table.error({**GOOD, slot: np.ones(4)}, error="DataTypeError", match=slot)
table.error(GOOD, {"slot_dim": 3}, error="ShapeError", match="slot_dim")
table.error(GOOD, {"enable_scale_and_shift": True}, error="ShapeError", match="scale_w")
table.error({**GOOD, "X": rand(3, 2, 2)}, error="ShapeError", match="input X")
test_data_norm = table.tests()
