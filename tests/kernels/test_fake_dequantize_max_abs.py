import numpy as np
from harness import OpTable, rand, randint

table = OpTable("fake_dequantize_max_abs")
for limit in (127.0, 16129.5):
    x = randint(2, 3, 4, 4, low=-128, high=128, dtype="float32")
    table.case({"X": x, "Scale": rand(1, low=0.5)}, {"max_range": limit})
one = {"X": rand(2, 3), "Scale": rand(1)}
for limit in (0.0, -1.0, float("nan")):
    table.error(one, {"max_range": limit}, error="ShapeError", match="max_range")
table.error({**one, "Scale": rand(2)}, {"max_range": 1.0}, error="ShapeError", match="Scale")
table.error({**one, "X": np.ones(2, "int8")}, {"max_range": 1.0}, error="DataTypeError")

test_fake_dequantize_max_abs = table.tests()
