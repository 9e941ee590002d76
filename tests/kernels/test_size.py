from harness import OpTable, lod, rand, randint

table = OpTable("size")
table.case({"Input": rand(2, 3)})
table.case({"Input": rand(0, 2)})
table.case({"Input": rand()})
table.case({"Input": lod(randint(5, 2), [[0, 3, 5]])})
table.case({"Input": rand(2, 2, 2, 2)}, params=["Input"])
test_size = table.tests()
