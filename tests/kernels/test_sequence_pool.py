from __future__ import annotations

from harness import OpTable, lod, rand

table = OpTable("sequence_pool")
for pool in ("AVERAGE", "SUM", "SQRT", "LAST", "FIRST", "MAX"):
    table.case({"X": lod(rand(7, 3), [[0, 2, 2, 6, 7]])}, {"pooltype": pool, "pad_value": 7.5})
    table.case({"X": lod(rand(7, 3), [[0, 2, 2, 6, 7]])}, {"pooltype": pool})
    table.case({"X": lod(rand(5, 4), [[0, 2, 3], [0, 2, 2, 5]])}, {"pooltype": pool})
    table.case({"X": lod(rand(4, 2, 3, dtype="float64"), [[0, 1, 4]])}, {"pooltype": pool})
    if pool != "MAX":
        table.case({"X": lod(rand(5), [[0, 2, 5]])}, {"pooltype": pool})
table.case(
    {"X": lod(rand(7, 3), [[0, 2, 2, 6, 7]])},
    {"pooltype": "MAX"},
    outputs={"Out": 1, "MaxIndex": 1},
)
table.case({"X": lod(rand(40, 130), [[0, 40]])})

table.error({"X": rand(5, 3)}, error="ShapeError", match="no LoD")
table.error({"X": lod(rand(5, 3), [[0, 2, 5]])}, {"pooltype": "MEDIAN"}, match="MEDIAN")
for offsets in ([[0, 2, 4]], [[0, 3, 2, 5]], [[1, 5]], [[]], [[0, 1], [0, 2, 5]], [[0, 10**18]]):
    table.error({"X": lod(rand(5, 3), offsets)}, error="ShapeError", match="LoD")
table.error({"X": lod(rand(5, 3, dtype="int32"), [[0, 5]])}, error="DataTypeError", match="int32")
test_sequence_pool = table.tests()
