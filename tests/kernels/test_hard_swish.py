import numpy as np
from elementwise_tables import large, unary

table = unary("hard_swish")
# Paddle 2.6 ignores the attributes, which Paddle Lite applies.
large(
    table,
    (2, 8, 71, 67),
    None,
    lambda x: x * np.clip(x + 0.2, 0, 0.5) / 0.7,
    {"threshold": 0.5, "scale": 0.7, "offset": 0.2},
)

test_hard_swish = table.tests()
