from elementwise_tables import unary

table = unary("softshrink", [{}, {"lambda": 1.5}], extremes=(0.0, 30.0, -30.0))

test_softshrink = table.tests()
