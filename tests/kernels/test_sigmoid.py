import numpy as np
from elementwise_tables import large, unary

table = unary("sigmoid")
large(table, (2, 8, 71, 67), None, lambda x: 1 / (1 + np.exp(-x)))

test_sigmoid = table.tests()
