import numpy as np
from reduce_cases import reduce_table, truths

table = reduce_table("reduce_all", np.all, truths, more_types=["bool"], out_type="bool")
test_reduce_all = table.tests()
