from __future__ import annotations

import numpy as np
from harness import OpTable, rand

table = OpTable("segment_pool")
for kind in ("SUM", "MEAN", "MAX", "MIN"):
    for ids in ([0, 0, 1, 1, 3, 3, 3], [2, 2, 2, 3, 3, 5, 5]):
        for dtype in ("int32", "int64"):
            table.case({"X": rand(7, 2), "SegmentIds": np.array(ids, dtype)}, {"pooltype": kind})
    ids = np.array([0, 1, 1], "int64")
    table.case({"X": rand(3, 2, 2, dtype="float64"), "SegmentIds": ids}, {"pooltype": kind})
IDS = np.array([0, 1, 1], "int64")


def some(values: dict) -> None:
    assert values["SummedIds"][0][0].dtype == np.float32
    assert values["Out"][0][0].shape == (2, 2)


table.case({"X": rand(3, 2), "SegmentIds": IDS}, outputs={"Out": 1, "SummedIds": 1}, check=some)
table.case(
    {"X": np.array([7, 5, -4], "int32"), "SegmentIds": IDS},
    reference=lambda *_: {"Out": np.array([7, 1], "int32")},
)
table.case(
    {"X": rand(0, 2), "SegmentIds": IDS[:0]},
    reference=lambda *_: {"Out": np.zeros((0, 2), "float32")},
)
X = rand(3, 2)
for bad in ([1, 0, 0], [-1, 0, 0]):
    table.error({"X": X, "SegmentIds": np.array(bad)}, error="ShapeError", match="ascending")
huge = np.array([0, 1, 2**62])
table.error({"X": X, "SegmentIds": huge})
table.error({"X": X, "SegmentIds": np.array([0, 1, 2**63 - 1])})
table.error({"X": X, "SegmentIds": IDS[:2]}, error="ShapeError", match="SegmentIds")
table.error({"X": X, "SegmentIds": X[:, 0]}, error="DataTypeError", match="SegmentIds")
table.error({"X": X, "SegmentIds": IDS}, {"pooltype": "PROD"}, match="PROD")
test_segment_pool = table.tests()
