"""Cases of shape."""

from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("shape")
table.case({"Input": lod(rand(3, 2), [[0, 1, 3]])})
table.case({"Input": rand(3, 0)})
table.case({"Input": rand()})
table.case({"Input": randint(2, 3, 4, 5)}, params=["Input"])
table.case({"Input": rand(2, 3, 4, 5)})
test_shape = table.tests()
