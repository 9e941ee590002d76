import numpy as np
from elementwise_tables import binary, complex_cases, large

table = binary("elementwise_mul", types=("float64", "int32", "int64", "bool"))
large(table, (2, 8, 71, 67), (2, 8, 71, 67), np.multiply)
large(table, (2, 8, 71, 67), (8, 1, 1), np.multiply)
large(table, (2, 8, 71, 67), (67,), np.multiply)
large(table, (2, 8, 71, 67), (71, 1), np.multiply)
large(table, (2, 8, 71, 67), (), np.multiply)
complex_cases(table, np.multiply)

test_elementwise_mul = table.tests()
