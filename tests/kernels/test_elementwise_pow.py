import numpy as np
from elementwise_tables import binary

table = binary("elementwise_pow", low=0.1, int_low=0, int_high=5)
NUMBERS = np.array([0, -0.0, 1.5, -2.5, 1e-20, 3e38, np.inf, -np.inf, np.nan])


def power_of(inputs: dict, attrs: dict) -> dict:
    with np.errstate(all="ignore"):
        return {"Out": np.power(inputs["X"], inputs["Y"].repeat(9))}


for dtype in ("float32", "float64"):
    for power in (2, 3, 4, 0.5, 0.25, -1):  # the first four are products and a root
        table.case(
            {"X": NUMBERS.astype(dtype), "Y": np.array([power], dtype)},
            reference=power_of,
        )

test_elementwise_pow = table.tests()
