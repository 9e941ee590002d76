import numpy as np
from elementwise_tables import large, unary

table = unary(
    "log", integers=("int32", "int64"), low=0.1, extremes=(0.0, np.inf, -1.0, 1e-40, 1.0, 3e38)
)
large(table, (2, 8, 71, 67), None, np.log, low=1e-3)

test_log = table.tests()
