from __future__ import annotations

import numpy as np
from detection_inputs import corner_boxes
from harness import OpTable, lod

table = OpTable("distribute_fpn_proposals")
BASE = {"min_level": 2, "max_level": 5, "refer_level": 4, "refer_scale": 224}
FOUR = {"MultiFpnRois": 4, "RestoreIndex": 1}
ALL = {**FOUR, "MultiLevelRoIsNum": 4}
ROIS = np.concatenate([corner_boxes(8, size=100), corner_boxes(12, size=2000)])[::-1].copy()
NUMBER = {"FpnRois": ROIS, "RoisNum": np.array([5, 3, 12], "int32")}
table.case(NUMBER, BASE, outputs=ALL)
table.case({"FpnRois": lod(ROIS, [[0, 7, 20]])}, BASE, outputs=FOUR)
table.case(NUMBER, {**BASE, "pixel_offset": False}, outputs=ALL)
table.case(NUMBER, {**BASE, "refer_level": 3}, outputs=ALL)
table.case(NUMBER, {**BASE, "refer_scale": 100}, outputs=ALL)
table.case(NUMBER, {**BASE, "min_level": 3, "max_level": 6}, outputs=ALL)
exchanged = {**NUMBER, "FpnRois": ROIS[:, [2, 3, 0, 1]]}
table.case(exchanged, BASE, outputs=ALL)


def all_in_the_lowest(result: dict) -> None:
    assert [rois.shape[0] for rois, _ in result["MultiFpnRois"]] == [20, 0, 0, 0]


nan = {**NUMBER, "FpnRois": np.full((20, 4), np.nan, "float32")}
table.case(nan, BASE, outputs=FOUR, check=all_in_the_lowest)


def counted(result: dict) -> None:
    assert [number.sum() for number, _ in result["MultiLevelRoIsNum"]] == [20, 0, 0, 0]


empty_image = {**nan, "RoisNum": np.array([5, 0, 15], "int32")}
table.case(empty_image, BASE, outputs=ALL, check=counted)

for change, match in (
    ({"max_level": 6}, "levels"),
    ({"min_level": 9}, "levels"),
    ({"min_level": -(2**31), "max_level": 2**31 - 1}, "levels"),
    ({"refer_scale": 0}, "refer_scale"),
):
    table.error(NUMBER, {**BASE, **change}, outputs=ALL, error="ShapeError", match=match)
table.error({"FpnRois": ROIS}, BASE, outputs=FOUR, error="ShapeError", match="no LoD")
for bad in ([5, 14], [5, 16], [-5, 25]):
    wrong = {"FpnRois": ROIS, "RoisNum": np.array(bad, "int32")}
    table.error(wrong, BASE, outputs=FOUR, error="ShapeError", match="RoisNum")
table.error({**NUMBER, "FpnRois": ROIS[:, :3]}, BASE, outputs=FOUR, match="FpnRois")
test_distribute_fpn_proposals = table.tests()
