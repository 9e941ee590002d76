import numpy as np
from elementwise_tables import unary

table = unary("floor", low=-3.0, high=3.0, extremes=(0.0, 0.5, -0.5, 1.5, 2.5, -2.5, np.inf))

test_floor = table.tests()
