from harness import OpTable, lod, rand, randint

table = OpTable("norm")
ALL = {"Out": 1, "Norm": 1}
for dtype in ("float32", "float64"):
    for axis in (0, 1, 2, 3, -1, -4):
        table.case({"X": rand(2, 3, 4, 5, dtype=dtype)}, {"axis": axis}, outputs=ALL, tol=1e-6)
table.case({"X": rand(3, 4)}, {"axis": 1, "epsilon": 0.5}, outputs=ALL)
table.case({"X": rand(5)}, {"axis": 0, "is_test": True})
table.case({"X": lod(rand(5, 2), [[0, 3, 5]])}, {"axis": 1}, outputs=ALL)
table.error({"X": rand(5)}, {"axis": 1}, error="ShapeError", match="axis")
table.error({"X": rand()}, {"axis": 0}, error="ShapeError", match="rank 0")
table.error({"X": randint(5)}, {"axis": 0}, error="DataTypeError", match="int64")

test_norm = table.tests()
