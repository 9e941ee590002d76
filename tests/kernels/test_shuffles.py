"""Cases of channel_shuffle and pixel_unshuffle."""

from __future__ import annotations

from harness import OpTable, rand

table = OpTable("channel_shuffle")
for groups in (1, 2, 3, 6):
    table.case({"X": rand(2, 6, 2, 3)}, {"groups": groups})
    table.case({"X": rand(1, 2, 3, 6)}, {"groups": groups, "data_format": "NHWC"})
table.case({"X": rand(1, 4, 2, 2, dtype="float64")}, {"groups": 2})
table.case({"X": rand(0, 4, 2, 2)}, {"groups": 2}, reference=lambda i, _: {"Out": i["X"]})
table.error({"X": rand(1, 4, 1, 2)}, {"groups": 3}, error="ShapeError", match="divide")
table.error({"X": rand(1, 4, 1, 2)}, {"groups": 0}, error="ShapeError", match="divide")
table.error({"X": rand(4, 1, 2)}, {"groups": 2}, error="ShapeError", match="four dimensions")
table.error({"X": rand(1, 4, 1, 2)}, {"groups": 2, "data_format": "NCDHW"}, match="data_format")
table.error({"X": rand(1, 4, 1, 2)}, {}, error="ModelFormatError", match="groups")
test_channel_shuffle = table.tests()

table = OpTable("pixel_unshuffle")
for factor in (1, 2, 3):
    table.case({"X": rand(1, 2, 6, 12)}, {"downscale_factor": factor})
    table.case({"X": rand(2, 6, 6, 2)}, {"downscale_factor": factor, "data_format": "NHWC"})
table.case({"X": rand(1, 1, 2, 4, dtype="float64")}, {"downscale_factor": 2})
table.case({"X": rand(1, 3, 2, 2)})
table.error({"X": rand(1, 1, 3, 4)}, {"downscale_factor": 2}, error="ShapeError", match="divide")
table.error({"X": rand(1, 1, 4, 3)}, {"downscale_factor": 2}, error="ShapeError", match="divide")
table.error({"X": rand(1, 1, 4, 4)}, {"downscale_factor": -2}, error="ShapeError", match="divide")
table.error({"X": rand(4, 4)}, {"downscale_factor": 2}, error="ShapeError", match="four")
table.error({"X": rand(1, 1, 4, 4)}, {"data_format": "NCDHW"}, match="data_format")
test_pixel_unshuffle = table.tests()
