"""Cases of iou_similarity, box_decoder_and_assign and retinanet_detection_output."""

from __future__ import annotations

import numpy as np
from detection_inputs import corner_boxes
from harness import OpTable, lod, rand, randint

table = OpTable("iou_similarity")
for normalized in (True, False):
    boxes = {"X": corner_boxes(5, size=9), "Y": corner_boxes(3, size=9)}
    table.case(boxes, {"box_normalized": normalized})
table.case({"X": lod(corner_boxes(4, size=9), [[0, 1, 4]]), "Y": corner_boxes(3, size=9)})
table.error({"X": rand(4, 5), "Y": rand(3, 4)}, error="ShapeError", match="input X")
table.error({"X": rand(4, 4), "Y": rand(3)}, error="ShapeError", match="input Y")
test_iou_similarity = table.tests()

table = OpTable("box_decoder_and_assign")
BOTH = {"DecodeBox": 1, "OutputAssignBox": 1}
GOOD = {
    "PriorBox": corner_boxes(6, size=9),
    "PriorBoxVar": np.array([0.1, 0.1, 0.2, 0.2], "float32"),
    "TargetBox": rand(6, 12),
    "BoxScore": rand(6, 3),
}
table.case(GOOD, {"box_clip": 4.135}, outputs=BOTH)
table.case({**GOOD, "TargetBox": rand(6, 12) * 40}, {"box_clip": 1.5}, outputs=BOTH)
table.case({**GOOD, "TargetBox": rand(6, 4), "BoxScore": rand(6, 1)}, outputs=BOTH)
table.case({**GOOD, "BoxScore": rand(6, 3) - 9}, outputs=BOTH)
table.error({**GOOD, "TargetBox": rand(6, 8)}, error="ShapeError", match="TargetBox")
table.error({**GOOD, "BoxScore": rand(5, 3)}, error="ShapeError", match="BoxScore")
table.error({**GOOD, "PriorBox": rand(6, 5)}, error="ShapeError", match="PriorBox")
table.error({**GOOD, "PriorBoxVar": rand(6, 4)}, error="ShapeError", match="PriorBoxVar")
test_box_decoder_and_assign = table.tests()

table = OpTable("retinanet_detection_output")


def levels(images: int, classes: int, counts: tuple[int, ...], seed: int = 0) -> dict:
    """Boxes that move their anchors a little, and scores of which no two are equal."""
    random = np.random.default_rng(seed)
    total = images * classes * sum(counts)
    scores = random.permutation(np.linspace(0.01, 0.99, total).astype("float32"))
    sizes = [images * count * classes for count in counts]
    parts = np.split(scores, np.cumsum(sizes)[:-1])
    return {
        "BBoxes": [random.uniform(-0.3, 0.3, (images, n, 4)).astype("float32") for n in counts],
        "Scores": [p.reshape(images, n, classes) for p, n in zip(parts, counts, strict=True)],
        "Anchors": [corner_boxes(n, size=30) for n in counts],
        "ImInfo": np.array([[40, 50, 1.25], [32, 32, 0.8]], "float32")[:images],
    }


ATTRS = {
    "score_threshold": 0.05,
    "nms_top_k": 100,
    "nms_threshold": 0.4,
    "keep_top_k": 100,
    "nms_eta": 1.0,
}
for seed, attrs in enumerate(
    (
        {},
        {"score_threshold": 0.6},
        {"nms_top_k": 5},
        {"keep_top_k": 4},
        {"nms_threshold": 0.7, "nms_eta": 0.9},
    )
):
    table.case(levels(2, 3, (12, 6), seed), {**ATTRS, **attrs})
table.case(levels(1, 1, (8,), 9), ATTRS)
one = levels(2, 3, (12, 6))
for slot, wrong in (
    ("BBoxes", [rand(2, 12, 4), rand(2, 6, 5)]),
    ("Scores", [rand(2, 12, 3), rand(2, 6, 2)]),
    ("Anchors", [rand(12, 4), rand(5, 4)]),
    ("ImInfo", rand(1, 3)),
    ("Anchors", [rand(12, 4)]),
):
    table.error({**one, slot: wrong}, ATTRS, error="ShapeError", match=slot)
table.error({**one, "ImInfo": randint(2, 3)}, ATTRS, error="DataTypeError")
test_retinanet_detection_output = table.tests()
