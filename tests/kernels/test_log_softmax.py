import numpy as np
from softmax_cases import softmax_table

test_log_softmax = softmax_table("log_softmax", np.log).tests()
