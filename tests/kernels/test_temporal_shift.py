"""Cases of temporal_shift."""

from __future__ import annotations

from harness import OpTable, lod, rand

table = OpTable("temporal_shift")
table.case({"X": lod(rand(4, 4, 1, 1), [[0, 4]])}, {"seg_num": 2})
for frames in (1, 2, 3, 6):
    table.case({"X": rand(6, 8, 3, 2)}, {"seg_num": frames})
for ratio in (0.1, 0.3, 0.49):
    table.case({"X": rand(4, 7, 2, 3)}, {"seg_num": 2, "shift_ratio": ratio})
table.case({"X": rand(4, 2, 3, 8)}, {"seg_num": 2, "shift_ratio": 0.4, "data_format": "NHWC"})
table.case({"X": rand(4, 4, 2, 2, dtype="float64")}, {"seg_num": 4}, params=["X"])
table.error({"X": rand(4, 4, 1, 1)}, {"seg_num": 3}, error="ShapeError", match="seg_num")
table.error({"X": rand(4, 4, 1, 1)}, {"seg_num": 0}, error="ShapeError", match="seg_num")
table.error({"X": rand(4, 4, 1)}, {"seg_num": 2}, error="ShapeError", match="four dimensions")
table.error(
    {"X": rand(4, 4, 1, 1)},
    {"seg_num": 2, "shift_ratio": 0.7},
    error="ShapeError",
    match="shift_ratio",
)
table.error({"X": rand(4, 4, 1, 1)}, {"seg_num": 2, "data_format": "N"}, match="data_format")
test_temporal_shift = table.tests()
