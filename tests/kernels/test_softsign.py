from elementwise_tables import unary

table = unary("softsign", extremes=(0.0, 30.0))

test_softsign = table.tests()
