from elementwise_tables import unary

table = unary("sin", low=-20.0, high=20.0, extremes=(0.0, 1e4))

test_sin = table.tests()
