from harness import OpTable
from interp_cases import add_cases

table = OpTable("nearest_interp")
add_cases(table, "nearest", version=1)
test_nearest_interp = table.tests()
