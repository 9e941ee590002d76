from harness import OpTable
from interp_cases import add_cases

table = OpTable("bicubic_interp_v2")
add_cases(table, "bicubic", version=2)
test_bicubic_interp_v2 = table.tests()
