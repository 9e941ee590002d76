import numpy as np
from elementwise_tables import large, unary

table = unary("relu6")
# Paddle 2.6 ignores `threshold`, which Paddle Lite applies.
large(table, (2, 8, 71, 67), None, lambda x: np.clip(x, 0, 2), {"threshold": 2.0})

test_relu6 = table.tests()
