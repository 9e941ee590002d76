import numpy as np
from elementwise_tables import unary

table = unary(
    "logical_not",
    out="bool",
    integers=("int32", "int64", "bool", "int16", "int8"),
    extremes=(0.0, np.inf, 2.0),
)

test_logical_not = table.tests()
