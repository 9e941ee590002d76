"""Cases of assign_value."""

from __future__ import annotations

import numpy as np
from harness import OpTable

table = OpTable("assign_value")
table.case({}, {"shape": [2], "dtype": 5, "fp32_values": [1.0, 2.5]})
table.case({}, {"shape": [2, 1], "dtype": 3, "int64_values": [1, -(2**62)]})
table.case({}, {"shape": [2], "dtype": 2, "int32_values": [1, 2]})
table.case({}, {"shape": [3], "dtype": 0, "bool_values": [1, 0, 1]})
table.case({}, {"shape": [2], "dtype": 6, "fp64_values": [1.0, 0.1]})
table.case({}, {"shape": [], "dtype": 5, "fp32_values": [1.0]})
table.case({}, {"shape": [2], "dtype": 5, "fp32_values": [1.0, 2.0, 3.0]})
for dtype, name in ((5, "float32"), (3, "int64"), (0, "bool")):
    table.case(
        {},
        {"shape": [2], "dtype": dtype, "values": [1.0, 0.0]},
        reference=lambda inputs, attrs, name=name: {"Out": np.array([1, 0]).astype(name)},
    )
for dtype, name in ((23, "complex64"), (24, "complex128")):
    values = "fp32_values" if dtype == 23 else "fp64_values"
    table.case(
        {},
        {"shape": [2], "dtype": dtype, values: [1.0, -2.5]},
        reference=lambda inputs, attrs, name=name: {"Out": np.array([1, -2.5]).astype(name)},
    )
table.error({}, {"shape": [2], "dtype": 5, "fp32_values": [1.0]}, error="ShapeError", match="has 1")
table.error(
    {}, {"shape": [-2], "dtype": 5, "fp32_values": [1.0]}, error="ShapeError", match="negative"
)
table.error(
    {}, {"shape": [1], "dtype": 99, "fp32_values": [1.0]}, error="DataTypeError", match="99"
)
test_assign_value = table.tests()
