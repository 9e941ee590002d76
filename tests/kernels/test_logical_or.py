from elementwise_tables import binary

table = binary(
    "logical_or", types=("bool", "int32", "int64", "int16", "int8"), low=0, int_low=0, int_high=2
)

test_logical_or = table.tests()
