import numpy as np
from reduce_cases import reduce_table, truths

table = reduce_table("reduce_any", np.any, truths, more_types=["bool"], out_type="bool")
test_reduce_any = table.tests()
