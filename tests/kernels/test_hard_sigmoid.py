import numpy as np
from elementwise_tables import large, unary

table = unary("hard_sigmoid", [{}, {"slope": 0.7, "offset": 0.05}])
large(table, (2, 8, 71, 67), None, lambda x: np.clip(0.2 * x + 0.5, 0, 1))

test_hard_sigmoid = table.tests()
