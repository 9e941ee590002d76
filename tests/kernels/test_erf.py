from elementwise_tables import unary

table = unary("erf")

test_erf = table.tests()
