import numpy as np
from harness import rand
from reduce_cases import reduce_table


def near_one(*shape: int) -> np.ndarray:
    return rand(*shape, low=0.9, high=1.1)


table = reduce_table(
    "reduce_prod", np.prod, near_one, refused="bool", of_nothing=True, long_tol=1e-4
)
test_reduce_prod = table.tests()
