"""Chains come from the plan: programs of elementwise operators against numpy."""

from harness import OpTable, rand, randint

table = OpTable("elementwise_chain")
for shape in ((), (0, 2), (5,), (2, 3, 4, 5)):
    table.case({"X": rand(*shape)}, reference=lambda i, a: {"Out": i["X"]}, tol=0)
table.error({"X": randint(2)}, error="DataTypeError", match="int64")

test_elementwise_chain = table.tests()
