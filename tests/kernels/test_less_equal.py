import numpy as np
from elementwise_tables import binary, with_axis

table = binary(
    "less_equal",
    axis_reference=with_axis(np.less_equal),
    types=("float64", "int32", "int64", "int16", "int8", "uint8", "bool"),
)

test_less_equal = table.tests()
