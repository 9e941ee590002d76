import numpy as np
from elementwise_tables import large, unary

table = unary(
    "exp", integers=("int32", "int64"), extremes=(0.0, np.inf, -np.inf, 100.0, -120.0, 1.0)
)
large(table, (2, 8, 71, 67), None, np.exp)

test_exp = table.tests()
