from harness import OpTable, lod, rand

table = OpTable("row_conv")
for taps in (1, 2, 4):
    table.case({"X": lod(rand(6, 3), [[0, 2, 6]]), "Filter": rand(taps, 3)})
    table.case({"X": rand(2, 3, 3), "Filter": rand(taps, 3)})


def two_taps(inputs: dict, attrs: dict) -> dict:
    x, w = inputs["X"], inputs["Filter"]
    y = x * w[0]
    y[:1] += x[1:2] * w[1]  # the first sequence has two rows, the second none, the last one
    return {"Out": lod(y, [[0, 2, 2, 3]])}


doubles = {"X": rand(3, 2, dtype="float64"), "Filter": rand(2, 2, dtype="float64")}
table.case({**doubles, "X": lod(doubles["X"], [[0, 2, 2, 3]])}, reference=two_taps)
table.error({"X": rand(6, 3), "Filter": rand(2, 3)}, error="ShapeError", match="LoD")
table.error({"X": rand(1, 6, 3), "Filter": rand(2, 4)}, error="ShapeError", match="Filter")
table.error({"X": rand(1, 6, 3), "Filter": rand(0, 3)}, error="ShapeError", match="Filter")
table.error({"X": rand(3), "Filter": rand(2, 3)}, error="ShapeError", match="rank 2 or 3")
table.error({"X": rand(1, 6, 3).astype("int64"), "Filter": rand(2, 3)}, error="DataTypeError")
test_row_conv = table.tests()
