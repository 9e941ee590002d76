import numpy as np
from fusion_tables import fusion

table = fusion("fusion_elementwise_div_activation", np.divide, low=0.5)

test_fusion_elementwise_div_activation = table.tests()
