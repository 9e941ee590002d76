from elementwise_tables import unary

table = unary("brelu", [{}, {"t_min": -1.0, "t_max": 2.0}])

test_brelu = table.tests()
