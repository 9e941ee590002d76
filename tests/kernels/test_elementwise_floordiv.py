from typing import Any

import numpy as np
from elementwise_tables import binary

table = binary(
    "elementwise_floordiv",
    types=("float64", "int32", "int64", "int16", "int8", "uint8"),
    nonzero=True,
)

exact = np.float32([28.274334, -28.274334, 1, -1, 5, 0.7, 3, 1e30, np.inf, 0, -0.0, np.nan])
divisors = np.float32([3.1415927, -3.1415927, 0.1, -0.1, 0.7, np.inf, -np.inf, 1e-30, 0, 2])
for dtype in ("float32", "float64"):  # whose quotients would be rounded up to an integer

    def reference(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
        with np.errstate(all="ignore"):
            return {"Out": np.floor_divide(inputs["X"], inputs["Y"])}  # Paddle's to the last bit

    x, y = exact.astype(dtype)[:, None], divisors.astype(dtype)
    table.case({"X": x, "Y": y}, reference=reference, tol=0)

test_elementwise_floordiv = table.tests()
