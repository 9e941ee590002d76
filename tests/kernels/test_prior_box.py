from __future__ import annotations

from harness import OpTable, rand

table = OpTable("prior_box")
VARIANCES = [0.1, 0.1, 0.2, 0.2]
BASE = {"min_sizes": [4.0, 6.0], "variances": VARIANCES}
SHAPES = {"Input": rand(1, 2, 3, 4), "Image": rand(1, 3, 30, 50)}
table.case(SHAPES, BASE)
for change in (
    {"min_sizes": [5.0]},
    {"max_sizes": [9.0, 12.0]},
    {"aspect_ratios": [1.0, 2.0, 3.0]},
    {"aspect_ratios": [2.0, 0.5], "flip": False},
    {"aspect_ratios": [2.0, 2.0, 0.5]},
    {"aspect_ratios": [2.0], "max_sizes": [9.0, 12.0], "min_max_aspect_ratios_order": True},
    {"clip": False},
    {"step_w": 7.0, "step_h": 9.0, "clip": False},
    {"step_w": 7.0, "clip": False},
    {"offset": 0.0, "clip": False},
    {"variances": [0.5, 0.25, 1.0, 2.0]},
):
    table.case(SHAPES, {**BASE, **change})
table.case({"Input": rand(2, 1, 19, 19), "Image": rand(2, 1, 300, 300)}, BASE)

table.error(SHAPES, {**BASE, "max_sizes": [9.0]}, error="ShapeError", match="max_sizes")
table.error(SHAPES, {**BASE, "variances": [0.1]}, error="ShapeError", match="variances")
table.error({**SHAPES, "Input": rand(3, 4)}, BASE, error="ShapeError", match="Input")
table.error({**SHAPES, "Image": rand(3, 4)}, BASE, error="ShapeError", match="Image")
test_prior_box = table.tests()
