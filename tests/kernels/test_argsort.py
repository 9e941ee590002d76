"""Cases of argsort."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("argsort")
table.case({"X": lod(rand(3, 4), [[0, 1, 3]])})
for axis in (0, 1, 2, -3):
    for descending in (True, False):
        ties = randint(4, 5, 6, high=5, dtype="float32")
        table.case({"X": ties}, {"axis": axis, "descending": descending})
for descending in (True, False):
    with_nan = np.array([1, np.nan, 0, np.nan], "float32")
    table.case({"X": with_nan}, {"descending": descending})
table.case({"X": rand()})
for dtype in ("float64", "int32", "int64"):
    table.case({"X": rand(3, 20, low=-1000, high=1000).astype(dtype)}, params=["X"])


def stable(inputs: dict[str, np.ndarray], attrs: dict[str, object]) -> dict[str, np.ndarray]:
    order = np.argsort(inputs["X"], -1, kind="stable")
    return {"Out": np.take_along_axis(inputs["X"], order, -1), "Indices": order}


for dtype in ("float32", "uint8", "int8", "int16"):
    table.case({"X": randint(3, 50, dtype=dtype)}, {"stable": True}, reference=stable)
for dtype in ("float32", "int32", "int64"):  # equals in the order that std::sort leaves, as Paddle
    for size in (17, 50, 300):
        for high in (1, 2, 9):
            ties = randint(2, size, high=high, dtype=dtype)
            table.case({"X": ties}, {"descending": size != 50}, cpu_only=["Indices"])
table.case({"X": rand(0, 3)})
table.error({"X": rand(3, 4)}, {"axis": 2}, error="ShapeError", match="axis")
table.error({"X": rand(3, 4) > 0}, error="DataTypeError", match="bool")
test_argsort = table.tests()
