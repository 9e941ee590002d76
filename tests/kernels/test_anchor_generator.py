from __future__ import annotations

from harness import OpTable, rand

table = OpTable("anchor_generator")
VARIANCES = [0.1, 0.1, 0.2, 0.2]
BASE = {"anchor_sizes": [32.0, 64.0], "aspect_ratios": [0.5, 1.0, 2.0], "variances": VARIANCES}
table.case({"Input": rand(1, 2, 3, 4)}, BASE)
for change in (
    {"anchor_sizes": [20.0]},
    {"aspect_ratios": [0.3]},
    {"variances": [1.0, 2.0, 3.0, 4.0]},
    {"stride": [8.0, 4.0]},
    {"offset": 0.0},
):
    table.case({"Input": rand(2, 1, 2, 5)}, {**BASE, **change})

x = rand(1, 2, 3, 4)
table.error({"Input": x}, {**BASE, "stride": [0.0, 4.0]}, error="ShapeError", match="stride")
table.error({"Input": x}, {**BASE, "stride": [4.0]}, error="ShapeError", match="stride")
table.error({"Input": x}, {**BASE, "variances": []}, error="ShapeError", match="variances")
table.error({"Input": x[0]}, BASE, error="ShapeError", match="Input")
test_anchor_generator = table.tests()
