import numpy as np
from elementwise_tables import unary

table = unary("reciprocal", low=0.1, extremes=(np.inf, -np.inf, 0.5))

test_reciprocal = table.tests()
