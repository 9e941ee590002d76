import numpy as np
from fusion_tables import fusion


def power(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return np.asarray(np.power(x, y))


table = fusion("fusion_elementwise_pow_activation", power, low=0.1)

test_fusion_elementwise_pow_activation = table.tests()
