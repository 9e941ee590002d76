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
test_conv2d_transpose = table.tests()
