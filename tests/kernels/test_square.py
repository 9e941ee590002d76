from elementwise_tables import unary

table = unary("square", integers=("int32", "int64"))

test_square = table.tests()
