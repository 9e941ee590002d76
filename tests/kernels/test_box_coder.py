from __future__ import annotations

from detection_inputs import corner_boxes
from harness import OpTable, lod, rand

table = OpTable("box_coder")
PRIORS, VARIANCES = corner_boxes(3), rand(3, 4, low=0.1, high=1)
DECODE = {"code_type": "decode_center_size"}
ATTR = {"variance": [0.1, 0.2, 0.3, 0.4]}
for normalized in (True, False):
    attrs = {"box_normalized": normalized}
    targets = corner_boxes(2)
    table.case({"PriorBox": PRIORS, "PriorBoxVar": VARIANCES, "TargetBox": targets}, attrs)
    table.case({"PriorBox": PRIORS, "TargetBox": lod(targets, [[0, 1, 2]])}, {**attrs, **ATTR})
    table.case({"PriorBox": PRIORS, "TargetBox": targets}, attrs)
    deltas = rand(2, 3, 4)
    attrs.update(DECODE)
    table.case({"PriorBox": PRIORS, "PriorBoxVar": VARIANCES, "TargetBox": deltas}, attrs)
    table.case({"PriorBox": PRIORS, "TargetBox": lod(deltas, [[0, 1, 2]])}, {**attrs, **ATTR})
    table.case({"PriorBox": PRIORS, "TargetBox": deltas}, attrs)
    rows = {"PriorBox": PRIORS[:2], "PriorBoxVar": VARIANCES[:2], "TargetBox": deltas}
    table.case(rows, {**attrs, "axis": 1}, params=["PriorBox", "PriorBoxVar"])
double = {"PriorBox": PRIORS.astype("float64"), "TargetBox": rand(2, 3, 4, dtype="float64")}
table.case(double, DECODE)

deltas = rand(2, 3, 4)
table.error({"PriorBox": PRIORS, "TargetBox": deltas}, {"code_type": "both"}, match="both")
table.error({"PriorBox": PRIORS, "TargetBox": deltas}, {**DECODE, "axis": 1}, match="TargetBox")
table.error({"PriorBox": PRIORS, "TargetBox": deltas}, {**DECODE, "axis": 2}, match="axis")
table.error({"PriorBox": PRIORS, "TargetBox": deltas}, {**DECODE, "variance": [1.0]}, match="var")
table.error(
    {"PriorBox": PRIORS, "PriorBoxVar": VARIANCES, "TargetBox": deltas},
    {**DECODE, **ATTR},
    match="both given",
)
table.error({"PriorBox": PRIORS[:, :3], "TargetBox": deltas}, DECODE, match="PriorBox")
table.error(
    {"PriorBox": PRIORS, "PriorBoxVar": VARIANCES[0], "TargetBox": deltas},
    DECODE,
    match="PriorBoxVar",
)
table.error({"PriorBox": PRIORS, "TargetBox": deltas[0]}, DECODE, match="TargetBox")
test_box_coder = table.tests()
