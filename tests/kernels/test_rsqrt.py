import numpy as np
from elementwise_tables import unary

table = unary("rsqrt", low=0.1, extremes=(np.inf, 30.0))

test_rsqrt = table.tests()
