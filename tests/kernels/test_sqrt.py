import numpy as np
from elementwise_tables import large, unary

table = unary("sqrt", low=0.0, extremes=(0.0, np.inf, -1.0, 30.0))
large(table, (2, 8, 71, 67), None, np.sqrt, low=0.0)

test_sqrt = table.tests()
