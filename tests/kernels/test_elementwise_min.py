import numpy as np
from elementwise_tables import binary, large

table = binary("elementwise_min")
large(table, (2, 8, 71, 67), (2, 8, 71, 67), np.minimum)
large(table, (2, 8, 71, 67), (8, 1, 1), np.minimum)
large(table, (2, 8, 71, 67), (67,), np.minimum)
large(table, (2, 8, 71, 67), (71, 1), np.minimum)
large(table, (2, 8, 71, 67), (), np.minimum)
for dtype in ("float32", "float64"):  # NaN on either side stays
    x = np.array([np.nan, 1, np.nan, -np.inf, 2], dtype)
    table.case(
        {"X": x, "Y": x[::-1].copy()}, reference=lambda i, _: {"Out": np.minimum(i["X"], i["Y"])}
    )

test_elementwise_min = table.tests()
