from harness import OpTable, rand

table = OpTable("unfold")
BASE = {"kernel_sizes": [2, 3], "strides": [1, 1], "paddings": [0] * 4, "dilations": [1, 1]}
for attrs in [
    {},
    {"strides": [2, 3]},
    {"paddings": [1, 0, 2, 1]},
    {"dilations": [2, 2], "paddings": [1, 1, 1, 1]},
    {"kernel_sizes": [5, 6]},
    {"kernel_sizes": [1, 1], "strides": [2, 2]},
]:
    table.case({"X": rand(2, 3, 5, 6)}, {**BASE, **attrs})
table.case({"X": rand(1, 1, 5, 6, dtype="float64")}, BASE)
X = rand(1, 2, 5, 6)
table.error({"X": rand(5, 6)}, BASE, match="rank 4")
table.error({"X": X}, {}, error="ModelFormatError", match="kernel_sizes")
for name, value in [
    ("kernel_sizes", [0, 1]),
    ("kernel_sizes", [7, 1]),
    ("kernel_sizes", [2]),
    ("strides", [0, 1]),
    ("dilations", [-1, 1]),
    ("paddings", [1, 1]),
]:
    table.error({"X": X}, {**BASE, name: value})
table.error({"X": X.astype("int64")}, BASE, error="DataTypeError")
test_unfold = table.tests()
