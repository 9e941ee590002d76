from harness import OpTable
from interp_cases import add_other_ranks

table = OpTable("linear_interp_v2")
add_other_ranks(table, "linear", version=2)
test_linear_interp_v2 = table.tests()
