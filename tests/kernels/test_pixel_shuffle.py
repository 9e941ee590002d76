"""Cases of pixel_shuffle."""

from __future__ import annotations

from harness import OpTable, lod, rand

table = OpTable("pixel_shuffle")
table.case({"X": lod(rand(1, 4, 1, 2), [[0, 1]])}, {"upscale_factor": 2})
for factor in (1, 2, 3):
    table.case({"X": rand(2, 36, 5, 7)}, {"upscale_factor": factor})
table.case({"X": rand(2, 5, 7, 12)}, {"upscale_factor": 2, "data_format": "NHWC"})
table.case({"X": rand(2, 3, 2, 2)})
table.case({"X": rand(2, 4, 3, 3, dtype="float64")}, {"upscale_factor": 2}, params=["X"])
table.error({"X": rand(1, 3, 1, 2)}, {"upscale_factor": 2}, error="ShapeError", match="divide")
table.error({"X": rand(1, 4, 1, 2)}, {"upscale_factor": 0}, error="ShapeError", match="divide")
table.error(
    {"X": rand(4, 1, 2)}, {"upscale_factor": 2}, error="ShapeError", match="four dimensions"
)
table.error({"X": rand(1, 4, 1, 2)}, {"data_format": "NCDHW"}, match="data_format")
test_pixel_shuffle = table.tests()
