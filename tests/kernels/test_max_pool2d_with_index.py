from harness import OpTable, rand

table = OpTable("max_pool2d_with_index")
BOTH = {"Out": 1, "Mask": 1}
for attrs in [
    {"ksize": [2, 2]},
    {"ksize": [3, 2], "strides": [2, 3]},
    {"ksize": [3, 3], "strides": [2, 2], "paddings": [1, 1]},
    {"ksize": [2, 2], "adaptive": True},
    {"ksize": [5, 3], "adaptive": True},
    {"ksize": [1, 1], "adaptive": True, "paddings": [1, 1]},
    {"ksize": [1, 1], "global_pooling": True, "paddings": [1, 1]},
]:
    table.case({"X": rand(2, 3, 5, 6)}, attrs, outputs=BOTH)
    table.case({"X": rand(1, 2, 7, 4)}, attrs)
table.case({"X": rand(1, 2, 4, 4, dtype="float64")}, {"ksize": [2, 2]}, outputs=BOTH)
X = rand(1, 2, 5, 6)
table.error({"X": rand(2, 5, 6)}, {"ksize": [2, 2]}, match="rank 4")
table.error({"X": X}, {"ksize": [2]}, match="ksize")
table.error({"X": X}, {"ksize": [0, 2]}, match="ksize")
table.error({"X": X}, {"ksize": [2, 2], "strides": [0, 1]}, match="strides")
table.error({"X": X}, {"ksize": [9, 2]}, match="does not fit")
table.error({"X": X.astype("int64")}, {"ksize": [2, 2]}, error="DataTypeError")
table.exempt("ceil_mode", "NNAdapter's; against numpy in nnadapter/operations/test_images.py")
table.error({"X": X}, {"ksize": [2, 2], "paddings": [0, 1, 0]}, match="paddings")
test_max_pool2d_with_index = table.tests()
