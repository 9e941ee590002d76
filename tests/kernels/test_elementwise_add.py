import numpy as np
from elementwise_tables import binary, complex_cases, large

table = binary(
    "elementwise_add",
    full=True,
    types=("float64", "int32", "int64", "int16"),
    broken_types=["bool"],
)
large(table, (2, 8, 71, 67), (2, 8, 71, 67), np.add)
large(table, (2, 8, 71, 67), (8, 1, 1), np.add)
large(table, (2, 8, 71, 67), (67,), np.add)
large(table, (2, 8, 71, 67), (71, 1), np.add)
large(table, (2, 8, 71, 67), (), np.add)
complex_cases(table, np.add)

test_elementwise_add = table.tests()
