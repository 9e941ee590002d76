from elementwise_tables import unary

table = unary("selu", [{}, {"scale": 1.2, "alpha": 0.7}])

test_selu = table.tests()
