import numpy as np
from elementwise_tables import unary

table = unary("thresholded_relu", [{}, {"threshold": 0.3}], extremes=(0.0, 30.0, -30.0))
table.case(
    {"X": np.array([np.nan, np.inf, -np.inf, 0.0], "float32")},
    reference=lambda i, _: {"Out": np.array([np.nan, np.inf, 0.0, 0.0], "float32")},
)

test_thresholded_relu = table.tests()
