from elementwise_tables import unary

table = unary("elu", [{}, {"alpha": 0.3}])

test_elu = table.tests()
