import numpy as np
from fusion_tables import fusion

table = fusion("fusion_elementwise_min_activation", np.minimum)

test_fusion_elementwise_min_activation = table.tests()
