import numpy as np
from elementwise_tables import unary

table = unary("hard_shrink", [{}, {"threshold": 1.5}])
table.case(
    {"X": np.array([np.nan, np.inf, -np.inf, 0.0], "float32")},
    reference=lambda i, _: {"Out": np.array([np.nan, np.inf, -np.inf, 0.0], "float32")},
)

test_hard_shrink = table.tests()
