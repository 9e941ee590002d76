from harness import OpTable, rand

table = OpTable("max_pool3d_with_index")
BOTH = {"Out": 1, "Mask": 1}
for attrs in [
    {"ksize": [2, 2, 2]},
    {"ksize": [1, 3, 2], "strides": [1, 2, 3]},
    {"ksize": [3, 3, 3], "strides": [2, 2, 2], "paddings": [1, 1, 1]},
    {"ksize": [2, 3, 2], "adaptive": True},
    {"ksize": [1, 1, 1], "global_pooling": True, "paddings": [1, 1, 1]},
]:
    table.case({"X": rand(1, 2, 3, 4, 5)}, attrs, outputs=BOTH)
    table.case({"X": rand(2, 1, 4, 3, 3)}, attrs)
table.case({"X": rand(1, 1, 2, 3, 3, dtype="float64")}, {"ksize": [2, 2, 2]}, outputs=BOTH)
X = rand(1, 2, 3, 4, 5)
table.error({"X": rand(1, 2, 5, 6)}, {"ksize": [2, 2, 2]}, match="rank 5")
table.error({"X": X}, {"ksize": [2, 2]}, match="ksize")
table.error({"X": X}, {"ksize": [0, 2, 2]}, match="ksize")
table.error({"X": X}, {"ksize": [9, 2, 2]}, match="does not fit")
table.exempt("ceil_mode", "Paddle 3's; what it means is max_pool2d_with_index's")
test_max_pool3d_with_index = table.tests()
