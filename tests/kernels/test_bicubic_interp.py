from harness import OpTable
from interp_cases import add_cases

table = OpTable("bicubic_interp")
add_cases(table, "bicubic", version=1)
test_bicubic_interp = table.tests()
