import numpy as np
from fusion_tables import fusion

table = fusion("fusion_elementwise_mul_activation", np.multiply)

test_fusion_elementwise_mul_activation = table.tests()
