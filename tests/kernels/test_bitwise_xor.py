import numpy as np
from elementwise_tables import binary, with_axis

table = binary(
    "bitwise_xor",
    axis_reference=with_axis(np.bitwise_xor),
    types=("int32", "int64", "int16", "int8", "uint8", "bool"),
    fp32=False,
    broken_types=["float32"],
)

test_bitwise_xor = table.tests()
