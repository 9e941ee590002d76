"""Cases of lrn."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand


def lrn(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x, n = inputs["X"].astype("float64"), attrs.get("n", 5)
    middle = np.full(x.shape, attrs.get("k", 2.0))
    for i in range(x.shape[1]):
        first = max(0, i - (n - 1) // 2)
        last = min(x.shape[1], i - (n - 1) // 2 + n)
        squares = (x[:, first:last] ** 2).sum(axis=1)
        middle[:, i] += attrs.get("alpha", 1e-4) * squares
    out = x * middle ** -attrs.get("beta", 0.75)
    return {"Out": out.astype(inputs["X"].dtype)}


table = OpTable("lrn")
table.case({"X": rand(2, 6, 3, 4)}, {})
table.case({"X": rand(2, 6, 3, 4)}, {}, outputs={"Out": 1, "MidOut": 1})
table.case({"X": rand(1, 3, 2, 2)}, {"n": 3, "k": 1.0, "alpha": 0.5, "beta": 0.5})
table.case({"X": rand(1, 8, 2, 2)}, {"n": 9, "alpha": 2.0, "data_format": "NCHW"})
table.case({"X": rand(1, 8, 30, 40)}, {"n": 1, "alpha": 3.0})
# Paddle takes odd numbers of channels and float32 only.
table.case({"X": rand(1, 8, 2, 2)}, {"n": 4, "alpha": 2.0}, reference=lrn)
table.case({"X": rand(1, 8, 3, 5, dtype="float64")}, {"alpha": 1.0}, reference=lrn)
table.error({"X": rand(2, 3)}, match="four dimensions")
table.error({"X": rand(1, 2, 3, 3)}, {"n": 0}, match="attribute n is 0")
table.error({"X": rand(1, 2, 3, 3)}, {"data_format": "NHWC"}, match="NCHW")
test_lrn = table.tests()
