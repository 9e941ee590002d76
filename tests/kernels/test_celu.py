from elementwise_tables import unary

table = unary("celu", [{}, {"alpha": 0.4}])

test_celu = table.tests()
