import numpy as np
from arg_cases import arg_table

test_arg_max = arg_table("arg_max", np.argmax).tests()
