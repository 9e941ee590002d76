from elementwise_tables import unary

table = unary("thresholded_relu", [{}, {"threshold": 0.3}], extremes=(0.0, 30.0, -30.0))

test_thresholded_relu = table.tests()
