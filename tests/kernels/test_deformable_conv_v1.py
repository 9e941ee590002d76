from harness import OpTable, rand

table = OpTable("deformable_conv_v1")
table.exempt("padding_algorithm", "Paddle has explicit paddings only")
for m, kernel, attrs, size in [
    (3, (3, 3), {}, (2, 3)),
    (2, (3, 2), {"paddings": [1, 2], "strides": [2, 1]}, (2, 8)),
    (2, (2, 2), {"groups": 2, "deformable_groups": 2, "dilations": [2, 2]}, (2, 3)),
]:
    taps = attrs.get("deformable_groups", 1) * kernel[0] * kernel[1]
    arrays = {
        "Input": rand(1, 2, 4, 5),
        "Offset": rand(1, 2 * taps, *size, low=-3, high=3),
        "Filter": rand(m, 2 // attrs.get("groups", 1), *kernel),
    }
    table.case(arrays, {**attrs, "im2col_step": 1})
table.error({**arrays, "Offset": rand(1, 9, 2, 3)}, attrs, match="Offset")
test_deformable_conv_v1 = table.tests()
