import numpy as np
from arg_cases import arg_table

test_arg_min = arg_table("arg_min", np.argmin).tests()
