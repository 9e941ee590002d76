from harness import OpTable
from interp_cases import add_cases

table = OpTable("bilinear_interp_v2")
add_cases(table, "bilinear", version=2)
test_bilinear_interp_v2 = table.tests()
