from conv_reference import ACTIVATIONS, conv2d
from harness import OpTable, rand
from int8_cases import add_int8

table = OpTable("conv2d")

# Channels, filters, kernel, attributes: 1x1, 3x3 and larger, odd channels, strides, dilations.
for c, m, kernel, attrs in [
    (3, 12, (3, 3), {"strides": [2, 2], "paddings": [1, 1]}),
    (3, 16, (3, 3), {"strides": [2, 2], "paddings": [0, 1, 0, 1]}),
    (3, 18, (5, 5), {"strides": [1, 1], "paddings": [2, 2]}),
    (1, 8, (3, 3), {"paddings": [1, 1]}),
    (4, 7, (2, 3), {"paddings": [1, 0]}),
    (12, 42, (1, 1), {}),
    (18, 3, (1, 1), {"strides": [2, 2]}),
    (42, 18, (3, 3), {"paddings": [1, 1]}),
    (16, 32, (3, 3), {"paddings": [1, 2, 0, 3], "strides": [2, 1]}),
    (16, 16, (3, 3), {"paddings": [2, 2], "dilations": [2, 2]}),
    (16, 16, (3, 5), {"paddings": [3, 4], "dilations": [3, 2], "strides": [2, 3]}),
    (8, 24, (1, 7), {"paddings": [0, 3]}),
    (8, 24, (7, 1), {"paddings": [3, 0]}),
    (8, 8, (4, 4), {"strides": [4, 4]}),
    (8, 16, (3, 3), {"groups": 2, "paddings": [1, 1]}),
    (12, 18, (3, 3), {"groups": 3, "paddings": [1, 1], "strides": [2, 2]}),
    (12, 12, (3, 3), {"groups": 12, "paddings": [1, 1]}),
    (12, 24, (3, 3), {"groups": 12, "paddings": [1, 1]}),
    (32, 64, (1, 1), {"groups": 4}),
    (5, 6, (3, 3), {"padding_algorithm": "SAME", "strides": [2, 2]}),
    (5, 6, (4, 3), {"padding_algorithm": "SAME", "strides": [3, 1], "paddings": [1, 1]}),
    (5, 6, (3, 3), {"padding_algorithm": "SAME", "dilations": [2, 2]}),
    (5, 6, (3, 3), {"padding_algorithm": "VALID", "paddings": [1, 1]}),
    (5, 6, (3, 3), {"paddings": [-1, -1]}),
    (5, 6, (3, 3), {"paddings": [-1, 2, 0, -2]}),
    (3, 6, (3, 3), {"paddings": [5, 4], "data_format": "AnyLayout"}),
]:
    filters = rand(m, c // attrs.get("groups", 1), *kernel)
    table.case({"Input": rand(1, c, 8, 7), "Filter": filters}, attrs, params=["Filter"])
    if "padding_algorithm" not in attrs and min(attrs.get("paddings", [0])) >= 0:
        arrays = {"Input": rand(2, c, 13, 11), "Filter": filters}
        table.case(arrays, attrs, params=["Filter"], reference=conv2d)

# Kernels as large as the input and larger; single pixels; weights that are not constant.
for size, kernel, attrs in [
    ((5, 5), (5, 5), {}),
    ((5, 5), (6, 6), {"strides": [2, 2]}),
    ((2, 2), (5, 5), {"paddings": [2, 2]}),
    ((1, 1), (3, 3), {"paddings": [1, 1]}),
    ((1, 1), (1, 1), {}),
    ((1, 40), (1, 3), {"paddings": [0, 1]}),
    ((33, 1), (3, 1), {}),
]:
    arrays = {"Input": rand(1, 6, *size), "Filter": rand(5, 6, *kernel)}
    table.case(arrays, attrs)
    table.case(arrays, attrs, params=["Filter"])

# Widths around those of the microkernels, and enough work for several threads and blocks.
for c, m, size in [(17, 33, (7, 9)), (64, 48, (9, 17)), (65, 16, (3, 50)), (96, 130, (14, 14))]:
    table.case(
        {"Input": rand(1, c, *size), "Filter": rand(m, c, 3, 3)},
        {"paddings": [1, 1]},
        params=["Filter"],
        reference=conv2d,
    )
    arrays = {"Input": rand(1, c, *size), "Filter": rand(m, c, 1, 1)}
    table.case(arrays, params=["Filter"], reference=conv2d)
arrays = {"Input": rand(1, 600, 5, 5), "Filter": rand(10, 600, 1, 1)}
table.case(arrays, params=["Filter"], reference=conv2d)

for activation in ACTIVATIONS:
    table.case(
        {"Input": rand(2, 7, 6, 5), "Filter": rand(19, 7, 3, 3), "Bias": rand(19)},
        {"with_act": True, **activation},
        params=["Filter", "Bias"],
        reference=conv2d,
    )
for inputs in [
    {"ResidualData": rand(2, 20, 6, 5)},
    {"ResidualData": rand(2, 20, 6, 5), "Bias": rand(20)},
    {"Bias": rand(20, 1, 1)},
]:
    for attrs in [{}, {"with_act": True, "act_type": "relu"}]:
        table.case(
            {"Input": rand(2, 8, 6, 5), "Filter": rand(20, 8, 3, 3), **inputs},
            {"paddings": [1, 1], **attrs},
            params=["Filter", "Bias"],
            reference=conv2d,
        )
table.case(
    {"Input": rand(0, 3, 6, 5), "Filter": rand(4, 3, 3, 3)}, params=["Filter"], reference=conv2d
)
table.case(
    {"Input": rand(1, 3, 6, 5, dtype="float64"), "Filter": rand(4, 3, 3, 3, dtype="float64")},
    {"strides": [2, 1]},
)

# Few outputs, whose lanes are pixels; maps of one row or pixel, which most of a kernel misses.
for c, m, kernel, attrs in [
    (24, 1, (3, 3), {"paddings": [1, 1]}),
    (24, 3, (5, 3), {"paddings": [2, 0, 1, 3]}),
    (24, 2, (3, 3), {"paddings": [4, 4], "dilations": [3, 2]}),
    (24, 2, (1, 1), {}),
    (24, 1, (1, 1), {"paddings": [1, 0]}),
    (24, 2, (9, 9), {"paddings": [4, 4]}),
]:
    for size, batch in [((7, 9), 2), ((1, 40), 1), ((30, 200), 1)]:
        arrays = {"Input": rand(batch, c, *size), "Filter": rand(m, c, *kernel), "Bias": rand(m)}
        act = {"with_act": True, "act_type": "sigmoid"}
        if size[0] > kernel[0]:
            table.case(arrays, attrs | act, params=["Filter", "Bias"], reference=conv2d)
arrays = {"Input": rand(2, 9, 8, 7), "Filter": rand(2, 9, 3, 3), "ResidualData": rand(2, 2, 8, 7)}
table.case(arrays, {"paddings": [1, 1]}, params=["Filter"], reference=conv2d)
for size, m, attrs in [
    ((1, 40), 64, {"paddings": [1, 1]}),
    ((1, 40), 20, {"paddings": [2, 2], "strides": [2, 2]}),
    ((1, 1), 64, {"paddings": [1, 1]}),
    ((1, 1), 24, {"paddings": [3, 3], "dilations": [3, 3], "strides": [2, 2]}),
    ((2, 3), 24, {"paddings": [2, 2], "strides": [2, 2], "dilations": [2, 2]}),
]:
    arrays = {"Input": rand(2, 48, *size), "Filter": rand(m, 48, 3, 3)}
    table.case(arrays, attrs, params=["Filter"], reference=conv2d)

X, W = rand(1, 4, 6, 6), rand(4, 4, 3, 3)
table.error({"Input": rand(4, 6, 6), "Filter": W}, match="rank 4")
table.error({"Input": X, "Filter": rand(4, 4, 3)}, match="rank 4")
table.error({"Input": X[:, :, :0], "Filter": W}, match="empty spatial")
table.error({"Input": X, "Filter": rand(4, 3, 3, 3)}, match="takes 3")
table.error({"Input": X, "Filter": rand(3, 2, 3, 3)}, {"groups": 2}, match="groups 2")
table.error({"Input": X, "Filter": W}, {"groups": 0}, match="groups is 0")
table.error({"Input": X, "Filter": W}, {"groups": -1}, match="groups is -1")
table.error({"Input": X, "Filter": W}, {"strides": [0, 1]}, match="strides is 0")
table.error({"Input": X, "Filter": W}, {"strides": [1]}, match="strides has 1 values")
table.error({"Input": X, "Filter": W}, {"strides": [-(2**31), 1]}, match="strides")
table.error({"Input": X, "Filter": W}, {"dilations": [0, 1]}, match="dilations is 0")
table.error({"Input": X, "Filter": W}, {"dilations": [2**31 - 1, 1]}, match="does not fit")
table.error({"Input": X, "Filter": W}, {"dilations": [1]}, match="dilations has 1")
table.error({"Input": X, "Filter": W}, {"paddings": [1, 1, 1]}, match="paddings has 3")
table.error({"Input": X, "Filter": W}, {"paddings": [-3, 0]}, match="does not fit")
table.error({"Input": X, "Filter": W}, {"padding_algorithm": "FULL"}, match="padding_algorithm")
table.error({"Input": X, "Filter": W}, {"data_format": "NHWC"}, match="NHWC")
table.error({"Input": X, "Filter": W}, {"data_format": "nhwc"}, match="NHWC")
table.error({"Input": X, "Filter": W}, {"data_format": "CHW"}, match="data_format is 'CHW'")
table.error({"Input": X, "Filter": rand(4, 4, 7, 7)}, match="does not fit")
table.error({"Input": X, "Filter": W, "Bias": rand(3)}, match="Bias")
table.error({"Input": X, "Filter": W, "ResidualData": rand(1, 4, 6, 6)}, match="ResidualData")
table.error({"Input": X, "Filter": W}, {"with_act": True, "act_type": "x"}, match="act_type")
table.error({"Input": X.astype("int64"), "Filter": W}, match="int64", error="DataTypeError")
table.error({"Input": X, "Filter": W.astype("float64")}, match="float64", error="DataTypeError")

add_int8(
    table,
    ("Input", "Filter"),
    [
        ((2, 3, 9, 8), (21, 3, 3, 3), {"strides": [2, 2], "paddings": [1, 1]}),
        ((1, 17, 6, 7), (33, 17, 1, 1), {}),
        ((1, 9, 8, 7), (20, 9, 1, 3), {"strides": [2, 3], "paddings": [0, 1]}),
        ((1, 12, 7, 7), (18, 4, 3, 3), {"groups": 3, "paddings": [2, 2], "dilations": [2, 2]}),
        ((1, 20, 16, 15), (50, 20, 3, 3), {"paddings": [1, 1]}),
    ],
    0,
    conv2d,
)

# A kernel as wide as the input's rows reads all of its own at once.
for x, w, attrs in [
    ((2, 1, 400, 1), (40, 1, 25, 1), {"strides": [10, 1]}),
    ((1, 3, 9, 5), (7, 3, 4, 5), {}),
    ((1, 3, 9, 5), (7, 3, 3, 7), {"paddings": [1, 1]}),
    ((1, 3, 20, 5), (7, 3, 4, 5), {"dilations": [2, 1]}),
    ((2, 64, 70, 1), (66, 64, 3, 1), {"paddings": [1, 0], "strides": [2, 1]}),
    ((1, 512, 70, 1), (32, 512, 3, 1), {"strides": [2, 1]}),
]:
    arrays = {"Input": rand(*x), "Filter": rand(*w)}
    table.case(arrays, attrs, params=["Filter"], reference=conv2d)

# Taps so far apart that most of them read padding only.
for x, w, attrs in [
    ((1, 64, 16, 16), (70, 64, 3, 3), {"paddings": [36, 36], "dilations": [36, 36]}),
    ((2, 70, 11, 9), (33, 70, 3, 3), {"paddings": [7, 7], "dilations": [7, 7]}),
    ((1, 128, 13, 20), (9, 128, 3, 3), {"paddings": [18, 1], "dilations": [18, 1]}),
    ((1, 96, 9, 9), (24, 48, 3, 3), {"paddings": [12, 24], "dilations": [12, 24], "groups": 2}),
    (
        (2, 64, 10, 12),
        (20, 64, 5, 3),
        {"paddings": [40] * 2, "dilations": [20] * 2, "strides": [2, 3]},
    ),
]:
    arrays = {"Input": rand(*x), "Filter": rand(*w), "Bias": rand(w[0])}
    table.case(
        arrays,
        {**attrs, "with_act": True, "act_type": "relu"},
        params=["Filter", "Bias"],
        reference=conv2d,
    )

test_conv2d = table.tests()
