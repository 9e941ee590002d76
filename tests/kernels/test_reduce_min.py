import numpy as np
from reduce_cases import reduce_table

test_reduce_min = reduce_table("reduce_min", np.min, refused="bool").tests()
