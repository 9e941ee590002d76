from __future__ import annotations

from harness import OpTable, rand

table = OpTable("density_prior_box")
BASE = {
    "fixed_sizes": [6.0, 9.0],
    "fixed_ratios": [1.0, 2.0],
    "densities": [2, 1],
    "variances": [0.1, 0.1, 0.2, 0.2],
}
SHAPES = {"Input": rand(1, 2, 3, 4), "Image": rand(1, 3, 30, 50)}
table.case(SHAPES, BASE)
for change in (
    {"fixed_sizes": [5.0, 3.0]},
    {"fixed_ratios": [1.0]},
    {"densities": [3, 4]},
    {"variances": [0.5, 0.25, 1.0, 2.0]},
    {"clip": False},
    {"flatten_to_2d": True},
    {"step_w": 7.0, "step_h": 9.0},
    {"offset": 0.0},
):
    table.case(SHAPES, {**BASE, **change})

table.error(SHAPES, {**BASE, "densities": [2]}, error="ShapeError", match="densities")
table.error(SHAPES, {**BASE, "densities": [2, 0]}, error="ShapeError", match="densities")
table.error(SHAPES, {**BASE, "densities": [2**31 - 1, 1]}, error="ShapeError", match="densities")
table.error(SHAPES, {**BASE, "variances": [0.1]}, error="ShapeError", match="variances")
table.error(SHAPES, {**BASE, "step_w": 1e30, "step_h": 1.0}, error="ShapeError", match="steps")
test_density_prior_box = table.tests()
