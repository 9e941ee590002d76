import numpy as np
from fusion_tables import fusion

table = fusion("fusion_elementwise_max_activation", np.maximum)

test_fusion_elementwise_max_activation = table.tests()
