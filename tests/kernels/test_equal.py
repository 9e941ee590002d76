import numpy as np
from elementwise_tables import binary, with_axis

table = binary(
    "equal",
    axis_reference=with_axis(np.equal),
    types=("float64", "int32", "int64", "int16", "int8", "uint8", "bool"),
    low=0,
    high=2,
)
near = np.array([0, 0, 1, 2, np.inf, np.nan, -0.0])
other = np.array([5e-9, 2e-8, 1 + 1e-7, 2, np.inf, np.nan, 0.0])
for dtype in ("float32", "float64"):
    table.case({"X": near.astype(dtype), "Y": other.astype(dtype)})

test_equal = table.tests()
