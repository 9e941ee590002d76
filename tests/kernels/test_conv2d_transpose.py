from conv_reference import conv2d_transpose
from harness import OpTable, rand
from transpose_cases import add_shared_cases

table = OpTable("conv2d_transpose")
add_shared_cases(table, c=6, groups=1)
for c, per, groups in [(24, 1, 1), (24, 24, 1), (3, 12, 1), (18, 42, 1), (8, 3, 2), (12, 1, 12)]:
    for kernel, stride, pad in [(2, 2, 0), (4, 2, 1), (3, 2, 1)]:
        table.case(
            {"Input": rand(1, c, 9, 7), "Filter": rand(c, per, kernel, kernel)},
            {"strides": [stride] * 2, "paddings": [pad] * 2, "groups": groups},
            params=["Filter"],
            reference=conv2d_transpose,
        )
# To few channels, whose lanes are pixels: as super-resolution and generators end.
for c, per, kernel, attrs in [
    (56, 1, 9, {"strides": [3, 3], "paddings": [4, 4], "output_padding": [2, 2]}),
    (64, 3, 4, {"strides": [2, 2], "paddings": [1, 1]}),
    (16, 2, 3, {"strides": [1, 3], "paddings": [0, 1], "dilations": [2, 1]}),
    (16, 1, 2, {"strides": [3, 4]}),
    (16, 1, 3, {"paddings": [1, 0]}),
]:
    for size, batch in [((5, 7), 2), ((3, 200), 1), ((2, 1), 1)]:
        arrays = {"Input": rand(batch, c, *size), "Filter": rand(c, per, kernel, kernel)}
        arrays["Bias"] = rand(per)
        table.case(arrays, attrs, params=["Filter", "Bias"], reference=conv2d_transpose)
test_conv2d_transpose = table.tests()

table = OpTable("conv2d_transpose_bias")  # Paddle 3's; the kernels are conv2d_transpose's
for attrs in ({}, {"strides": [2, 2]}, {"strides": [2, 2], "paddings": [1, 1]}, {"groups": 2}):
    table.case(
        {
            "Input": rand(1, 4, 3, 5),
            "Filter": rand(4, 3, 2, 3),
            "Bias": rand(3 * attrs.get("groups", 1)),
        },
        attrs,
        params=["Filter", "Bias"],
        reference=conv2d_transpose,
    )
table.case({"Input": rand(1, 4, 3, 5), "Filter": rand(4, 3, 2, 3)}, reference=conv2d_transpose)
dilated = {"Input": rand(1, 2, 3, 3), "Filter": rand(2, 1, 2, 2), "Bias": rand(1)}
table.case(dilated, {"dilations": [2, 2], "data_format": "AnyLayout"}, reference=conv2d_transpose)
for name, *_ in table.info["attrs"]:
    if name not in ("strides", "paddings", "dilations", "groups", "data_format"):
        table.exempt(name, "conv2d_transpose shows it")
for name in ("OutputSizeTensor", "OutputSizeTensorList"):
    table.exempt(name, "conv2d_transpose shows it")
test_conv2d_transpose_bias = table.tests()
