from typing import Any

import numpy as np
from harness import OpTable, rand, randint

NCHW, NHWC = 1, 3

table = OpTable("layout")


def to_nhwc(inputs: dict[str, Any], _: dict[str, Any]) -> dict[str, Any]:
    x = inputs["Input"]
    return {"Out": np.ascontiguousarray(x.transpose(0, 2, 3, 1)).reshape(x.shape)}


SHAPES = [
    (1, 1, 1, 1), (1, 3, 5, 7), (2, 4, 4, 4), (2, 17, 3, 5), (1, 16, 16, 16), (3, 8, 1, 9),
    (1, 33, 31, 29), (2, 64, 57, 55), (1, 3, 224, 224), (0, 3, 2, 2), (2, 100, 1, 1),
]  # fmt: skip
for shape in SHAPES:
    table.case({"Input": rand(*shape)}, {"to": NHWC}, reference=to_nhwc, tol=0)
    table.case({"Input": rand(*shape)}, {"to": NCHW}, reference=lambda i, a: {"Out": i["Input"]})
table.case({"Input": rand(2, 3)}, reference=lambda i, a: {"Out": i["Input"]})
table.case({"Input": randint(2, 3)}, reference=lambda i, a: {"Out": i["Input"]})

test_layout = table.tests()
