from conv_reference import conv2d_transpose
from harness import OpTable, rand
from transpose_cases import add_shared_cases

table = OpTable("depthwise_conv2d_transpose")
add_shared_cases(table, c=6, groups=6)
for c in (1, 3, 17, 42):
    for kernel, stride, pad in [(2, 2, 0), (4, 2, 1), (3, 1, 1)]:
        table.case(
            {"Input": rand(1, c, 9, 7), "Filter": rand(c, 1, kernel, kernel)},
            {"strides": [stride] * 2, "paddings": [pad] * 2, "groups": c},
            params=["Filter"],
            reference=conv2d_transpose,
        )
test_depthwise_conv2d_transpose = table.tests()
