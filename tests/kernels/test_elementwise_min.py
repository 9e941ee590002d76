import numpy as np
from elementwise_tables import binary, large

table = binary("elementwise_min")
large(table, (2, 8, 71, 67), (2, 8, 71, 67), np.minimum)
large(table, (2, 8, 71, 67), (8, 1, 1), np.minimum)
large(table, (2, 8, 71, 67), (67,), np.minimum)
large(table, (2, 8, 71, 67), (71, 1), np.minimum)
large(table, (2, 8, 71, 67), (), np.minimum)

test_elementwise_min = table.tests()
