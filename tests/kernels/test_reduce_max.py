import numpy as np
from reduce_cases import reduce_table

test_reduce_max = reduce_table("reduce_max", np.max, refused="bool").tests()
