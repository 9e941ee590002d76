"""Cases of share_data."""

from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("share_data")
table.case({"X": lod(rand(3, 2), [[0, 1, 3]])})
table.case({"X": randint(2, 3, 4, 5)}, params=["X"])
table.case({"X": rand()})
test_share_data = table.tests()
