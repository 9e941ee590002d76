from conv_reference import ACTIVATIONS, conv2d
from harness import OpTable, rand
from int8_cases import add_int8

table = OpTable("depthwise_conv2d")

for c, kernel, attrs in [
    (3, (3, 3), {"paddings": [1, 1]}),
    (12, (3, 3), {"paddings": [1, 1], "strides": [2, 2]}),
    (18, (5, 5), {"paddings": [2, 2]}),
    (42, (5, 5), {"paddings": [2, 2], "strides": [2, 2]}),
    (16, (3, 3), {}),
    (33, (3, 3), {"paddings": [0, 1, 2, 0], "strides": [2, 1]}),
    (64, (7, 7), {"paddings": [3, 3]}),
    (20, (1, 1), {}),
    (20, (1, 1), {"strides": [2, 3]}),
    (20, (3, 3), {"paddings": [2, 2], "dilations": [2, 2]}),
    (20, (3, 5), {"paddings": [3, 4], "dilations": [3, 2], "strides": [3, 2]}),
    (20, (1, 5), {"paddings": [0, 2]}),
    (20, (2, 4), {"paddings": [1, 1]}),
    (8, (3, 3), {"padding_algorithm": "SAME", "strides": [2, 2]}),
    (8, (3, 3), {"padding_algorithm": "VALID", "paddings": [1, 1], "data_format": "AnyLayout"}),
    (8, (3, 3), {"paddings": [-1, 0]}),
    (8, (3, 3), {"paddings": [7, 7]}),
]:
    for multiplier in (1, 2):
        filters = rand(c * multiplier, 1, *kernel)
        settings = {"groups": c, **attrs}
        if multiplier == 1 or "padding_algorithm" in attrs or min(attrs.get("paddings", [0])) < 0:
            arrays = {"Input": rand(1, c, 8, 7), "Filter": filters}
            table.case(arrays, settings, params=["Filter"])
        else:
            arrays = {"Input": rand(2, c, 13, 11), "Filter": filters}
            table.case(arrays, settings, params=["Filter"], reference=conv2d)
for size in [(1, 1), (2, 2), (1, 17), (30, 4)]:
    table.case(
        {"Input": rand(1, 24, *size), "Filter": rand(24, 1, 3, 3)},
        {"groups": 24, "paddings": [1] * 2},
    )
# One channel, and groups that are not single channels.
table.case({"Input": rand(1, 1, 6, 6), "Filter": rand(1, 1, 3, 3)}, params=["Filter"])
table.case({"Input": rand(1, 8, 6, 6), "Filter": rand(8, 2, 3, 3)}, {"groups": 4}, reference=conv2d)
table.case({"Input": rand(0, 3, 6, 5), "Filter": rand(3, 1, 3, 3)}, {"groups": 3}, reference=conv2d)
table.case(
    {"Input": rand(1, 3, 6, 5, dtype="float64"), "Filter": rand(3, 1, 3, 3, dtype="float64")},
    {"groups": 3},
)
for activation in ACTIVATIONS:
    table.case(
        {"Input": rand(2, 21, 6, 5), "Filter": rand(21, 1, 3, 3), "Bias": rand(21)},
        {"groups": 21, "with_act": True, **activation},
        params=["Filter", "Bias"],
        reference=conv2d,
    )
table.case(
    {
        "Input": rand(2, 21, 6, 5),
        "Filter": rand(21, 1, 3, 3),
        "ResidualData": rand(2, 21, 6, 5),
    },
    {"groups": 21, "with_act": True, "act_type": "relu", "paddings": [1, 1]},
    params=["Filter"],
    reference=conv2d,
)

X, W = rand(1, 4, 6, 6), rand(4, 1, 3, 3)
table.error({"Input": X, "Filter": W}, match="takes 1")
table.error({"Input": X, "Filter": W}, {"groups": 3}, match="groups 3")
table.error({"Input": X, "Filter": W}, {"groups": 4, "strides": [1, 0]}, match="strides")
table.error({"Input": X, "Filter": W}, {"groups": 4, "data_format": "NHWC"}, match="NHWC")
table.error({"Input": X, "Filter": W, "Bias": rand(8)}, {"groups": 4}, match="Bias")

add_int8(
    table,
    ("Input", "Filter"),
    [((2, 20, 9, 8), (20, 1, 3, 3), {"strides": [2, 2], "paddings": [1, 1], "groups": 20})],
    0,
    conv2d,
)

test_depthwise_conv2d = table.tests()
