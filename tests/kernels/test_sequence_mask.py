from __future__ import annotations

import numpy as np
from harness import OpTable, rand

table = OpTable("sequence_mask")


def ints(*values: int, dtype: str = "int64") -> np.ndarray:
    return np.array(values, dtype)


for dtype in (0, 2, 3, 5, 6, 20):
    table.case({"X": ints(1, 3, 0)}, {"out_dtype": dtype})
    table.case({"X": ints(1, 3, 0, dtype="int32")}, {"out_dtype": dtype, "maxlen": 2})
table.case({"X": ints(1, 3, 0, 2).reshape(2, 2)}, {"out_dtype": 3})
table.case({"X": ints(1, 3, 0), "MaxLenTensor": ints(5, dtype="int32")}, {"out_dtype": 3})
table.case({"X": rand(4, low=0, high=5)}, {"out_dtype": 3, "maxlen": 6})
table.case({"X": np.array(2)}, {"out_dtype": 2, "maxlen": 4})

table.error({"X": ints(1, 3)}, {"out_dtype": 3, "maxlen": 0}, match="maxlen")
table.error({"X": ints(1, 3)}, {"out_dtype": 99}, error="DataTypeError", match="99")
table.error({"X": ints(1, 2**40)}, {"out_dtype": 3}, match="")
table.error({"X": np.array([np.nan], "float32")}, {"out_dtype": 3}, match="X holds")
table.error({"X": ints(1), "MaxLenTensor": ints(0)}, {"out_dtype": 3}, match="MaxLenTensor")
table.error({"X": ints(1), "MaxLenTensor": ints()[:0]}, {"out_dtype": 3}, match="MaxLenTensor")
test_sequence_mask = table.tests()
