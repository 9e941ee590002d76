from __future__ import annotations

from harness import OpTable, lod, rand

table = OpTable("sequence_conv")
table.exempt("contextStride", "only 1 is defined")
for start in (-3, -2, -1, 0, 1, 2):
    window = {"contextLength": 3, "contextStart": start}
    x = lod(rand(7, 2), [[0, 1, 1, 4, 7]])
    table.case({"X": x, "Filter": rand(6, 5)}, window)
    rows = max(0, -start) + max(0, start + 2)
    table.case(
        {"X": x, "Filter": rand(6, 5), "PaddingData": rand(rows, 2)},
        {**window, "paddingTrainable": True},
        params=["Filter", "PaddingData"],
    )
table.case({"X": lod(rand(30, 16), [[0, 30]]), "Filter": rand(64, 24)}, {"contextLength": 4})

x = lod(rand(5, 2), [[0, 2, 5]])
three = {"contextLength": 3, "contextStart": -1}
table.error({"X": x, "Filter": rand(4, 3)}, three, error="ShapeError", match="Filter")
table.error({"X": x, "Filter": rand(6, 3)}, {**three, "contextStride": 2}, match="contextStride")
table.error({"X": x, "Filter": rand(6, 3)}, {"contextLength": 0}, match="contextLength")
table.error({"X": x, "Filter": rand(6, 3)}, {"contextLength": -3}, match="contextLength")
table.error({"X": x, "Filter": rand(6, 3)}, {**three, "paddingTrainable": True}, match="Padding")
table.error(
    {"X": x, "Filter": rand(6, 3), "PaddingData": rand(1, 2)},
    {**three, "paddingTrainable": True},
    match="PaddingData",
)
table.error({"X": rand(5, 2), "Filter": rand(6, 3)}, three, error="ShapeError", match="no LoD")
test_sequence_conv = table.tests()
