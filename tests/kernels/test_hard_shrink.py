from elementwise_tables import unary

table = unary("hard_shrink", [{}, {"threshold": 1.5}])

test_hard_shrink = table.tests()
