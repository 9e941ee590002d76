import numpy as np
from fusion_tables import fusion

table = fusion("fusion_elementwise_floordiv_activation", np.floor_divide, nonzero=True)

test_fusion_elementwise_floordiv_activation = table.tests()
