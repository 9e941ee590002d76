from elementwise_tables import binary

table = binary(
    "elementwise_floordiv",
    types=("float64", "int32", "int64", "int16", "int8", "uint8"),
    nonzero=True,
)

test_elementwise_floordiv = table.tests()
