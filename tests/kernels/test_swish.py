import numpy as np
from elementwise_tables import large, unary

table = unary("swish")
# Paddle 2.6 ignores `beta`, which Paddle Lite applies.
large(table, (2, 8, 71, 67), None, lambda x: x / (1 + np.exp(-1.7 * x)), {"beta": 1.7})

test_swish = table.tests()
