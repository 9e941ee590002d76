import numpy as np
from harness import OpTable, lod, rand

table = OpTable("prelu")
for dtype in ("float32", "float64"):
    for shape in ((2, 3), (2, 3, 4), (2, 3, 4, 5), (1, 17, 3, 3), (2, 3, 2, 2, 2)):
        x = rand(*shape, dtype=dtype)
        table.case({"X": x, "Alpha": rand(1, dtype=dtype)}, {"mode": "all"})
        table.case(
            {"X": x, "Alpha": rand(shape[1], dtype=dtype)}, {"mode": "channel"}, params=["Alpha"]
        )
        attrs = {"mode": "channel", "data_format": "NHWC"}
        table.case({"X": x, "Alpha": rand(shape[-1], dtype=dtype)}, attrs)
        alpha = rand(1, *shape[1:], dtype=dtype)
        table.case({"X": x, "Alpha": alpha}, {"mode": "element"}, params=["Alpha"])
x = rand(2, 3, 4, 5)
table.case({"X": x, "Alpha": rand(1, 3, 1, 1)}, {"mode": "channel"}, params=["Alpha"])
table.case({"X": rand(), "Alpha": rand(1)}, {"mode": "all"})
table.case({"X": lod(rand(5, 2), [[0, 3, 5]]), "Alpha": rand(1)}, {"mode": "all"})
table.error({"X": x, "Alpha": rand(2)}, {"mode": "channel"}, error="ShapeError", match="Alpha")
table.error({"X": x, "Alpha": rand(2)}, {"mode": "all"}, error="ShapeError", match="Alpha")
table.error({"X": x, "Alpha": rand(2)}, {"mode": "x"}, match="mode")
table.error(
    {"X": x, "Alpha": rand(3)}, {"mode": "channel", "data_format": "nchw"}, match="data_format"
)
table.error(
    {"X": rand(2), "Alpha": rand(2)}, {"mode": "channel"}, error="ShapeError", match="2 dims"
)

special = np.array([[np.nan, np.inf, -np.inf, 0.0, -0.0, -3e38, 1e-40, -1.0]], "float32")
for slope in (0.25, 0.0, -2.0):
    table.case(
        {"X": special, "Alpha": np.full(8, slope, "float32")},
        {"mode": "element"},
        reference=lambda i, a: {"Out": np.where(i["X"] > 0, i["X"], i["Alpha"] * i["X"])},
    )

test_prelu = table.tests()
