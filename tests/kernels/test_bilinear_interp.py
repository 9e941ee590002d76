from harness import OpTable
from interp_cases import add_cases

table = OpTable("bilinear_interp")
add_cases(table, "bilinear", version=1)
test_bilinear_interp = table.tests()
