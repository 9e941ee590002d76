from harness import OpTable, lod, rand

table = OpTable("bmm")
for b, m, k, n in [(1, 2, 3, 4), (5, 2, 3, 4), (2, 13, 65, 33), (2, 1, 1, 1)]:
    arrays = {"X": rand(b, m, k), "Y": rand(b, k, n)}
    table.case(arrays)
    table.case(arrays, params=["Y"])
table.case({"X": lod(rand(2, 3, 4), [[0, 1, 2]]), "Y": rand(2, 4, 5)})
table.case({"X": rand(2, 3, 4, dtype="float64"), "Y": rand(2, 4, 5, dtype="float64")})
table.error({"X": rand(2, 3, 4), "Y": rand(1, 4, 5)}, match="equal batch sizes")
table.error({"X": rand(2, 3, 4), "Y": rand(2, 3, 5)}, match="multiplied")
table.error({"X": rand(3, 4), "Y": rand(4, 5)}, match="rank 3")
test_bmm = table.tests()
