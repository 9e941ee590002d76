import numpy as np
from elementwise_tables import large
from harness import OpTable, lod, rand, randint

table = OpTable("clip")
for low, high in ((-1.0, 1.0), (0.5, 0.5), (-1.5, 0.7)):
    attrs = {"min": low, "max": high}
    table.case({"X": rand(2, 3, 4, 5, low=-3, high=3)}, attrs, tol=1e-6)
    table.case({"X": rand(3, 4, low=-3, high=3, dtype="float64")}, attrs, tol=1e-6)
    for dtype in ("int32", "int64"):
        table.case({"X": randint(3, 4, low=-4, high=5, dtype=dtype)}, attrs)
BOUNDS = {"min": -1.0, "max": 1.0}
least, most = np.array([-0.5], "float32"), np.array([0.5], "float32")
table.case({"X": rand(3, 4), "Min": least}, BOUNDS)
table.case({"X": rand(3, 4), "Max": most}, BOUNDS)
table.case({"X": rand(3, 4), "Min": least, "Max": most}, BOUNDS, params=["Min", "Max"])
table.case({"X": lod(rand(5, 2), [[0, 3, 5]])}, BOUNDS)
table.case({"X": rand()}, BOUNDS)
table.case({"X": np.array([np.nan, np.inf, -np.inf], "float32")}, BOUNDS)
table.case({"X": np.empty((0, 3), "float32")}, BOUNDS, reference=lambda i, _: {"Out": i["X"]})
large(table, (2, 8, 71, 67), None, lambda x: np.clip(x, -1, 1), BOUNDS)
table.error({"X": rand(2)}, {"min": 1.0, "max": 0.0}, match="min <= max")
table.error({"X": rand(2), "Min": rand(2)}, BOUNDS, error="ShapeError", match="Min")
table.error({"X": rand(2) > 0}, BOUNDS, error="DataTypeError", match="bool")

test_clip = table.tests()
