from harness import OpTable
from interp_cases import add_other_ranks

table = OpTable("trilinear_interp_v2")
add_other_ranks(table, "trilinear", version=2)
test_trilinear_interp_v2 = table.tests()
