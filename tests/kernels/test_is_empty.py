"""Cases of is_empty."""

from __future__ import annotations

from harness import OpTable, rand, randint

table = OpTable("is_empty")
table.case({"X": rand(0, 2)})
table.case({"X": rand(2)})
table.case({"X": rand()})
table.case({"X": randint(2, 2, 2, 2)}, params=["X"])
test_is_empty = table.tests()
