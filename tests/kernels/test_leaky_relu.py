import numpy as np
from elementwise_tables import large, unary

table = unary("leaky_relu", [{}, {"alpha": 0.3}, {"alpha": 1.5}, {"alpha": -0.5}])
large(table, (2, 8, 71, 67), None, lambda x: np.where(x < 0, 0.1 * x, x), {"alpha": 0.1})

test_leaky_relu = table.tests()
