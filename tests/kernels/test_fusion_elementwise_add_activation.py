import numpy as np
from fusion_tables import fusion

table = fusion("fusion_elementwise_add_activation", np.add)

test_fusion_elementwise_add_activation = table.tests()
