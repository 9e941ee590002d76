import numpy as np
from elementwise_tables import large, unary

table = unary("abs", integers=("int32", "int64"))
large(table, (2, 8, 71, 67), None, np.abs)

test_abs = table.tests()
