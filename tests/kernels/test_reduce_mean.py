import numpy as np
from reduce_cases import reduce_table

test_reduce_mean = reduce_table("reduce_mean", np.mean, more_types=["bool"]).tests()
