import numpy as np
from elementwise_tables import large, unary

table = unary("relu")
large(table, (2, 8, 71, 67), None, lambda x: np.maximum(x, 0))

test_relu = table.tests()
