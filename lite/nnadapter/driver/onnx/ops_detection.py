"""Boxes of object detectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.nnadapter.driver.attributes import known
from lite.nnadapter.driver.onnx.graph import Emitter, operation
from lite.nnadapter.driver.python.device import real_operands
from lite.nnadapter.driver.python.operations import compute


@operation("PRIOR_BOX")
def prior_box(c: Emitter) -> Any:
    """The boxes follow from the sizes alone: they become constants."""
    values = {o.index: o.value for o in c.op.operands if o is not None and o.is_constant}
    for name in ("input", "image"):
        values[c.op[name].index] = np.broadcast_to(np.float32(0), known(c.shape(name)))
    return [c.constant(result) for result in compute("PRIOR_BOX", real_operands(c.op, values))]


def _parts(c: Emitter, value: Any, axis: int, lengths: list[int]) -> list[Any]:
    if len(lengths) == 1:
        return [value]
    split = c.constant(np.asarray(lengths, np.int64))
    return list(c.node("Split", [value, split], len(lengths), axis=axis))


def _confidence(c: Emitter, objectness: Any, iou: Any) -> Any:
    """How sure it is of a box, weighed with its expected overlap where there is one."""
    confidence = c.node("Sigmoid", [objectness])
    if iou is None:
        return confidence
    factor = float(c.number("iou_aware_factor", 0.5))
    own = c.node("Pow", [confidence, c.constant(1 - factor)])
    return c.node("Mul", [own, c.node("Pow", [c.node("Sigmoid", [iou]), c.constant(factor)])])


def _corners(c: Emitter, places: list[Any], sides: list[Any], extents: list[Any]) -> list[Any]:
    """x1, y1, x2, y2 of boxes, cut at the image's edges where that is asked for."""
    corners = [c.node("Sub", [place, side]) for place, side in zip(places, sides, strict=True)]
    corners += [c.node("Add", [place, side]) for place, side in zip(places, sides, strict=True)]
    if c.number("clip_bbox", True):
        corners[:2] = [c.node("Relu", [corner]) for corner in corners[:2]]
        for axis, extent in enumerate(extents):
            edge = c.node("Sub", [extent, c.constant(1.0)])
            corners[2 + axis] = c.node("Min", [corners[2 + axis], edge])
    return corners


@operation("YOLO_BOX")
def yolo_box(c: Emitter) -> Any:
    """Corners and scores of every anchor at every place; zero below conf_thresh."""
    c.need_float("input")
    n, _, *cells = known(c.shape("input"))
    anchors = np.asarray(c.numbers("anchors"), np.float32).reshape(-1, 2)
    classes, count = int(c.number("class_num")), len(anchors)
    aware = bool(c.number("iou_aware", False))

    def shaped(value: Any, shape: list[int]) -> Any:
        return c.node("Reshape", [value, c.constant(np.asarray(shape, np.int64))])

    lengths = [count] * aware + [count * (5 + classes)]
    *ious, rest = _parts(c, c["input"], 1, lengths)
    heads = shaped(rest, [n, count, 5 + classes, *cells])
    x, y, w, h, objectness, labels = _parts(c, heads, 2, [1, 1, 1, 1, 1, classes])
    iou = shaped(ious[0], [n, count, 1, *cells]) if aware else None
    confidence = _confidence(c, objectness, iou)
    least = c.constant(float(c.number("conf_thresh", 0.01)))
    keep = c.node("Cast", [c.node("GreaterOrEqual", [confidence, least])], to=1)
    size = shaped(c.node("Cast", [c["imgsize"]], to=1), [n, 1, 2, 1, 1])
    extents = _parts(c, size, 2, [1, 1])[::-1]
    scale, ratio = float(c.number("scale_x_y", 1.0)), float(c.number("downsample_ratio", 32))
    places, sides = [], []
    for axis, (place, side) in enumerate(((x, w), (y, h))):
        grid = np.arange(cells[1 - axis], dtype=np.float32).reshape((-1, 1)[: axis + 1])
        grid = grid - np.float32(0.5 * (scale - 1))
        at = c.node("Mul", [c.node("Sigmoid", [place]), c.constant(scale)])
        at = c.node("Add", [at, c.constant(grid)])
        cell = c.node("Div", [extents[axis], c.constant(float(cells[1 - axis]))])
        places.append(c.node("Mul", [at, cell]))
        half = anchors[:, axis].reshape(1, count, 1, 1, 1) / np.float32(2 * ratio * cells[1 - axis])
        grown = c.node("Mul", [c.node("Exp", [side]), c.constant(half)])
        sides.append(c.node("Mul", [grown, extents[axis]]))

    def rows(value: Any, width: int) -> Any:
        last = c.node("Transpose", [c.node("Mul", [value, keep])], perm=[0, 1, 3, 4, 2])
        return shaped(last, [n, count * cells[0] * cells[1], width])

    boxes = c.node("Concat", _corners(c, places, sides, extents), axis=2)
    scores = c.node("Mul", [confidence, c.node("Sigmoid", [labels])])
    return rows(boxes, 4), rows(scores, classes)
