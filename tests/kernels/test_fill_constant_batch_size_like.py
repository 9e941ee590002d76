"""Cases of fill_constant_batch_size_like."""

from __future__ import annotations

from harness import OpTable, lod, rand

table = OpTable("fill_constant_batch_size_like")
table.case({"Input": rand(3, 2)}, {"shape": [-1, 4], "value": 2.5})
table.case({"Input": lod(rand(3, 2), [[0, 1, 3]])}, {"shape": [-1, 4], "value": 2.5})
table.case({"Input": lod(rand(3, 2), [[0, 1, 2], [0, 2, 3]])}, {"shape": [-1, 4]})
table.case(
    {"Input": lod(rand(3, 2), [[0, 1, 3]])},
    {"shape": [5, -1], "value": 2.5, "input_dim_idx": 1, "output_dim_idx": 1, "dtype": 3},
)
table.case({"Input": rand(3, 2)}, {"shape": [5, 4], "str_value": "7"}, params=["Input"])
table.error(
    {"Input": rand(3, 2)},
    {"shape": [5, 4], "input_dim_idx": 3},
    error="ShapeError",
    match="input_dim_idx",
)
table.error(
    {"Input": rand(3, 2)},
    {"shape": [5, 4], "output_dim_idx": 2},
    error="ShapeError",
    match="output_dim_idx",
)
table.error({"Input": rand(3, 2)}, {"shape": [-1, -1]}, error="ShapeError", match="negative")
test_fill_constant_batch_size_like = table.tests()
