from harness import OpTable
from interp_cases import add_other_ranks

table = OpTable("trilinear_interp")
add_other_ranks(table, "trilinear", version=1)
test_trilinear_interp = table.tests()
