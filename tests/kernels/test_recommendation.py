"""Cases of the operators of recommender networks: columns, hashes, trees, pooled embeddings."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("cvm")
COUNTS = np.abs(rand(4, 5)) * 9
for use in (True, False):
    table.case({"X": COUNTS, "CVM": rand(4, 2)}, {"use_cvm": use})
table.case({"X": lod(COUNTS, [[0, 1, 4]]), "CVM": rand(4, 2)})
table.case({"X": COUNTS.astype("float64"), "CVM": rand(4, 2, dtype="float64")})
table.case({"X": COUNTS[:, :2], "CVM": rand(4, 2)})
table.case(
    {"X": COUNTS},
    {"use_cvm": False},
    reference=lambda inputs, attrs: {"Y": inputs["X"][:, 2:]},
)
table.error({"X": rand(4, 1)}, error="ShapeError", match="at least 2 columns")
table.error({"X": rand(4)}, error="ShapeError", match="input X has shape")
table.error({"X": randint(4, 3)}, error="DataTypeError", match="input X")
test_cvm = table.tests()


def add_column_cases(table: OpTable) -> None:
    three = [rand(4, 5) for _ in range(3)]
    for attrs in ({}, {"start_index": 1, "length": 3}, {"start_index": 2, "length": -1}):
        table.case({"X": three}, attrs)
    table.case({"X": three[:1]}, {"start_index": 1})
    table.case({"X": [rand(3, 4, dtype="float64") for _ in range(2)]}, {"length": 2})
    for dtype in ("int32", "int64"):
        table.case({"X": [randint(3, 4, dtype=dtype) for _ in range(2)]}, {"length": 2})
    for attrs in ({"start_index": 5}, {"start_index": -6}):
        table.error({"X": three}, attrs, error="ShapeError", match="start_index")
    for attrs in ({"length": 6}, {"start_index": 3, "length": 3}, {"length": 0}):
        table.error({"X": three}, attrs, error="ShapeError", match="length")
    table.error({"X": [rand(4, 5), rand(4, 4)]}, error="ShapeError", match="X[1]")
    table.error({"X": [rand(4)]}, error="ShapeError", match="X[0]")
    table.error({"X": [rand(2, 2), randint(2, 2)]}, error="DataTypeError", match="X[1]")


table = OpTable("partial_concat")
add_column_cases(table)
table.case({"X": [rand(4, 5), rand(4, 5)]}, {"start_index": -2, "length": 1})
NOTHING = {"X": [rand(0, 4), rand(0, 4)]}
table.case(NOTHING, reference=lambda *_: {"Out": np.zeros((0, 8), "float32")})
test_partial_concat = table.tests()

table = OpTable("partial_sum")
add_column_cases(table)
table.case(
    {"X": [rand(4, 5), rand(4, 5)]},
    {"start_index": -2, "length": 1},  # Paddle reads what lies before the tensor
    reference=lambda inputs, attrs: {"Out": sum(inputs["X"])[:, 3:4]},
)
table.case(NOTHING, reference=lambda *_: {"Out": np.zeros((0, 4), "float32")})
test_partial_sum = table.tests()

table = OpTable("hash")
for columns in (1, 2, 3, 4, 5, 9):
    ids = randint(5, columns, high=10**6)
    table.case({"X": ids}, {"num_hash": 3, "mod_by": 10**6 + 3})
    table.case({"X": ids.astype("int32")}, {"num_hash": 2, "mod_by": 1000})
table.case({"X": lod(randint(4, 2), [[0, 1, 4]])}, {"num_hash": 4, "mod_by": 7})
table.case({"X": randint(4, 2)})
for name in ("num_hash", "mod_by"):
    table.error({"X": randint(4, 2)}, {name: 0}, error="ShapeError", match=name)
table.error({"X": randint(4)}, error="ShapeError", match="input X")
table.error({"X": rand(4, 2)}, error="DataTypeError", match="float32")
test_hash = table.tests()

table = OpTable("tdm_child")
TREE = np.array(
    [
        [0, 0, 0, 0, 0],
        [0, 0, 0, 2, 3],
        [0, 1, 1, 4, 5],
        [0, 1, 1, 6, 0],
        [11, 2, 2, 0, 0],
        [12, 2, 2, 0, 0],
        [13, 2, 3, 0, 0],
    ]
)
BOTH = {"Child": 1, "LeafMask": 1}
for ids in (np.array([[0], [1], [2], [3], [6]]), np.array([3, 2], "int32")):
    for dtype in (2, 3):
        tree = TREE.astype(ids.dtype)
        attrs = {"child_nums": 2, "dtype": dtype}
        table.case({"X": ids, "TreeInfo": tree}, attrs, outputs=BOTH)
GOOD = {"X": np.array([[1]]), "TreeInfo": TREE}
table.case(GOOD, {"child_nums": 1}, outputs=BOTH)
table.error(GOOD, {"child_nums": 3}, error="ShapeError", match="TreeInfo")
table.error(GOOD, {"child_nums": 0}, error="ShapeError", match="child_nums")
table.error(GOOD, {"child_nums": 2, "dtype": 5}, error="DataTypeError", match="dtype")
for wrong in (7, -1):
    found = {**GOOD, "X": np.array([[wrong]])}
    table.error(found, {"child_nums": 2}, error="ShapeError", match="expected a node of 7")
table.error(
    {**GOOD, "TreeInfo": TREE.astype("float32")},
    {"child_nums": 2},
    error="DataTypeError",
    match="TreeInfo",
)
broken = TREE.copy()
broken[1, 3] = 99
table.error({**GOOD, "TreeInfo": broken}, {"child_nums": 2}, error="ShapeError", match="99")
test_tdm_child = table.tests()

table = OpTable("fused_embedding_seq_pool")
NUMBERS = randint(6, 1, high=5)
IDS = lod(NUMBERS, [[0, 1, 4, 6]])
for attrs in ({"combiner": "sum"}, {"combiner": "sum", "padding_idx": int(NUMBERS[0, 0])}):
    table.case({"W": rand(5, 4), "Ids": IDS}, attrs, params=["W"])
table.case({"W": rand(5, 3, dtype="float64"), "Ids": IDS})
table.exempt("combiner", "sum is the only one that Paddle has")
table.error({"W": rand(5, 4), "Ids": IDS}, {"combiner": "mean"}, match="combiner")
table.error({"W": rand(5, 4), "Ids": randint(6, 1, high=5)}, error="ShapeError", match="LoD")
table.error({"W": rand(5), "Ids": IDS}, error="ShapeError", match="input W")
table.error({"W": rand(2, 4), "Ids": lod(np.array([[2]]), [[0, 1]])}, match="has 2")
pairs = lod(randint(4, 2, high=5), [[0, 4]])
table.error({"W": rand(5, 4), "Ids": pairs}, error="ShapeError", match="input Ids")
test_fused_embedding_seq_pool = table.tests()
