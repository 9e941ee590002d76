from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand

table = OpTable("beam_search")
ALL = {"selected_ids": 1, "selected_scores": 1, "parent_idx": 1}
LOD = [[0, 2, 4], [0, 1, 2, 3, 4]]
BASE = {"level": 0, "beam_size": 2, "end_id": 0}
IDS = np.array([[4, 2, 5], [2, 1, 3], [3, 5, 2], [8, 2, 1]])
SCORES = rand(4, 3, low=0.1, high=1)


def inputs(*before: int, scores: np.ndarray = SCORES, at: list = LOD) -> dict:
    return {
        "pre_ids": lod(np.array(before).reshape(-1, 1), at),
        "pre_scores": lod(PRE_SCORES, at),
        "ids": lod(IDS, at),
        "scores": lod(scores, at),
    }


PRE_SCORES = rand(4, 1, low=0, high=0.5)
GOOD = inputs(1, 2, 3, 4)
for attrs in (
    {},
    {"beam_size": 3},
    {"beam_size": 100},
    {"end_id": 2},
    {"level": 1},
    {"is_accumulated": False, "beam_size": 3},
):
    table.case(GOOD, {**BASE, **attrs}, outputs=ALL)
for before, size in (((3, 3, 3, 4), 2), ((3, 3, 1, 3), 9), ((3, 3, 3, 3), 3), ((1, 3, 3, 2), 2)):
    table.case(inputs(*before), {**BASE, "end_id": 3, "beam_size": size}, outputs=ALL)
equal = np.full((4, 3), 0.5, "float32")
table.case(inputs(1, 2, 3, 4, scores=equal), {**BASE, "beam_size": 4}, outputs=ALL)
table.case(inputs(1, 2, 3, 4, at=[[0, 1, 4]]), BASE, outputs=ALL)
table.case({slot: GOOD[slot] for slot in GOOD if slot != "ids"}, BASE, outputs=ALL)


def two_each(values: dict) -> None:
    assert values["selected_ids"][0][1][0] == [0, 2, 4]
    assert values["selected_ids"][0][0].shape == values["selected_scores"][0][0].shape == (4, 1)


table.case(GOOD, BASE, check=two_each)


def numbers_first(values: dict) -> None:
    assert values["selected_ids"][0][0].ravel().tolist() == [2, 5, 3, 5, 2, 8]
    assert values["parent_idx"][0][0].tolist() == [0, 0, 1, 2, 2, 3]


odd = np.array([[np.nan, 0.4, 0.3], [0, 0, 0.5], [0, 0.6, 0.4], [0.5, np.nan, np.nan]], "float32")
table.case(
    inputs(1, 2, 3, 4, scores=odd),
    {**BASE, "beam_size": 3},
    outputs=ALL,
    check=numbers_first,
)
for name, value in (("level", 2), ("level", -1), ("beam_size", 0)):
    table.error(GOOD, {**BASE, name: value}, error="ShapeError", match=name)
for slot in ("pre_ids", "pre_scores", "ids"):
    table.error({**GOOD, slot: GOOD[slot].array[:3]}, BASE, error="ShapeError", match=slot)
table.error({**GOOD, "scores": SCORES}, BASE, error="ShapeError")
table.error({**GOOD, "scores": SCORES.astype("float64")}, BASE, error="DataTypeError")
table.error({**GOOD, "ids": rand(4, 3)}, BASE, error="DataTypeError", match="ids")
table.error(GOOD, {}, error="ModelFormatError")
test_beam_search = table.tests()
