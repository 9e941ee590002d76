import numpy as np
from elementwise_tables import large, unary

table = unary(
    "log1p", integers=("int32", "int64"), low=-0.9, extremes=(0.0, np.inf, -1.0, -2.0, 1e-8, 3e38)
)
large(table, (2, 8, 71, 67), None, np.log1p, low=-0.99)

test_log1p = table.tests()
