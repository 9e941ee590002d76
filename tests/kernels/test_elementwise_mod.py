from elementwise_tables import binary

table = binary("elementwise_mod", nonzero=True)

test_elementwise_mod = table.tests()
