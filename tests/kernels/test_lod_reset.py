"""Cases of lod_reset."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("lod_reset")
table.case({"X": rand(3, 2)}, {"target_lod": [0, 1, 3]})
offsets = np.array([0, 2, 3], "int32")
table.case({"X": lod(rand(3, 2), [[0, 1, 3]]), "Y": offsets})
table.case({"X": rand(3, 2), "Y": offsets}, params=["Y"])
table.case({"X": rand(3, 2), "Y": lod(rand(3, 1), [[0, 1, 3]])}, {"target_lod": [0, 3]})
table.case({"X": rand(3, 2), "Y": lod(rand(3, 1), [[0, 1, 2], [0, 2, 3]])})
table.case({"X": lod(rand(3, 2), [[0, 2, 3]])}, {"target_lod": [0, 1, 2, 3], "append": True})
table.case({"X": lod(rand(3, 2), [[0, 2, 3]]), "Y": lod(rand(3, 1), [[0, 1, 3]])}, {"append": True})
table.case({"X": lod(randint(3, 1), [[0, 2, 3]])}, {"target_lod": [0, 3, 3]}, params=["X"])
table.error({"X": rand(3, 2)}, {"target_lod": [0, 1, 4]}, error="ShapeError", match="ends at 4")
table.error({"X": rand(3, 2)}, {"target_lod": [1, 3]}, error="ShapeError", match="begin at 0")
table.error({"X": rand(3, 2)}, {"target_lod": [0, 2, 1, 3]}, error="ShapeError", match="falls")
table.error({"X": rand(3, 2)}, {"target_lod": [0, -2, 3]}, error="ShapeError", match="negative")
table.error({"X": rand(3, 2)}, error="ShapeError", match="begin at 0")
table.error({"X": rand()}, {"target_lod": [0]}, error="ShapeError", match="ends at 0")
test_lod_reset = table.tests()
