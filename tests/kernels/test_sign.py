import numpy as np
from elementwise_tables import unary

table = unary("sign", integers=("int32", "int64", "int16", "int8"))
table.case({"X": np.array([np.nan, 0.0, -0.0], "float32")})

test_sign = table.tests()
