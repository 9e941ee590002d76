from harness import OpTable
from interp_cases import add_cases

table = OpTable("nearest_interp_v2")
add_cases(table, "nearest", version=2)
test_nearest_interp_v2 = table.tests()
