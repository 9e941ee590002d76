from elementwise_tables import binary

table = binary("elementwise_pow", low=0.1, int_low=0, int_high=5)

test_elementwise_pow = table.tests()
