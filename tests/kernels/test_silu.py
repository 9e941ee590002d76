from elementwise_tables import unary

table = unary("silu")

test_silu = table.tests()
