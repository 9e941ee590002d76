import numpy as np
from fusion_tables import fusion

table = fusion("fusion_elementwise_sub_activation", np.subtract)

test_fusion_elementwise_sub_activation = table.tests()
