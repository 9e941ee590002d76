from harness import OpTable, rand

table = OpTable("polygon_box_transform")
table.case({"Input": rand(2, 4, 3, 5)})
table.case({"Input": rand(1, 2, 2, 2, dtype="float64")})
table.error({"Input": rand(1, 3, 3, 5)}, error="ShapeError", match="even")
table.error({"Input": rand(4, 3, 5)}, error="ShapeError", match="rank 4")
table.error({"Input": rand(1, 4, 3, 5).astype("int64")}, error="DataTypeError", match="Input")
test_polygon_box_transform = table.tests()
