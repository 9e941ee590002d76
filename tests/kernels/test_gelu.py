from elementwise_tables import unary

table = unary("gelu", [{}, {"approximate": True}])

test_gelu = table.tests()
