import numpy as np
from elementwise_tables import binary, with_axis

table = binary(
    "greater_than",
    axis_reference=with_axis(np.greater),
    types=("float64", "int32", "int64", "int16", "int8", "uint8", "bool"),
)

test_greater_than = table.tests()
