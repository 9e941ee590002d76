from harness import OpTable
from interp_cases import add_other_ranks

table = OpTable("linear_interp")
add_other_ranks(table, "linear", version=1)
test_linear_interp = table.tests()
