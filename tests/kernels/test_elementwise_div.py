import numpy as np
from elementwise_tables import binary, complex_cases

table = binary(
    "elementwise_div", types=("float64", "int32", "int64", "int16", "int8", "uint8"), nonzero=True
)
complex_cases(table, np.divide)

test_elementwise_div = table.tests()
