"""Boxes of object detectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import openvino as ov
import openvino.opset13 as ops

from lite.nnadapter.driver.attributes import known
from lite.nnadapter.driver.intel_openvino.graph import Emitter, constant, operation
from lite.nnadapter.driver.python.ops_detection import prior_boxes
from lite.nnadapter.hal import Unsupported


@operation("PRIOR_BOX")
def prior_box(c: Emitter) -> Any:
    """The boxes follow from the sizes alone: they become constants."""
    boxes, variances = prior_boxes(c.op)
    return constant(boxes), constant(np.ascontiguousarray(variances))


@operation("YOLO_BOX")
def yolo_box(c: Emitter) -> Any:
    """Corners and scores of every anchor at every place; zero below conf_thresh."""
    c.need_float("input")
    n, _, h, w = known(c.shape("input"))
    anchors = np.asarray(c.numbers("anchors"), np.float32).reshape(-1, 2)
    classes, count = int(c.number("class_num")), len(anchors)
    aware = bool(c.number("iou_aware", False))
    x = c["input"]
    lengths = [count, count * (5 + classes)] if aware else [count * (5 + classes)]
    parts = ops.variadic_split(x, constant(1), constant(lengths)).outputs()
    heads = ops.reshape(parts[-1], constant([n, count, 5 + classes, h, w]), False)
    x0, y0, w0, h0, obj, classes0 = ops.variadic_split(
        heads, constant(2), constant([1, 1, 1, 1, 1, classes])
    ).outputs()
    confidence = ops.sigmoid(obj)
    if aware:
        factor = float(c.number("iou_aware_factor", 0.5))
        iou = ops.sigmoid(ops.reshape(parts[0], constant([n, count, 1, h, w]), False))
        confidence = ops.multiply(
            ops.power(confidence, constant(1 - factor)), ops.power(iou, constant(factor))
        )
    keep = ops.convert(
        ops.greater_equal(confidence, constant(c.number("conf_thresh", 0.01))), ov.Type.f32
    )
    size = ops.reshape(ops.convert(c["imgsize"], ov.Type.f32), constant([n, 1, 2, 1, 1]), False)
    high, wide = ops.split(size, constant(2), 2).outputs()
    scale = float(c.number("scale_x_y", 1.0))
    grid_x = np.arange(w, dtype=np.float32) - np.float32(0.5 * (scale - 1))
    grid_y = np.arange(h, dtype=np.float32)[:, None] - np.float32(0.5 * (scale - 1))
    ratio = float(c.number("downsample_ratio", 32))

    def center(value: Any, grid: Any, extent: Any, cells: int) -> Any:
        place = ops.add(ops.multiply(ops.sigmoid(value), constant(scale)), constant(grid))
        return ops.multiply(place, ops.divide(extent, constant(float(cells))))

    def half(value: Any, column: int, extent: Any, cells: int) -> Any:
        side = constant(
            anchors[:, column].reshape(1, count, 1, 1, 1) / np.float32(2 * ratio * cells)
        )
        return ops.multiply(ops.multiply(ops.exp(value), side), extent)

    mid_x, mid_y = center(x0, grid_x, wide, w), center(y0, grid_y, high, h)
    half_w, half_h = half(w0, 0, wide, w), half(h0, 1, high, h)
    corners = [ops.subtract(mid_x, half_w), ops.subtract(mid_y, half_h)]
    corners += [ops.add(mid_x, half_w), ops.add(mid_y, half_h)]
    if c.number("clip_bbox", True):
        one = constant(1.0)
        corners[:2] = [ops.relu(value) for value in corners[:2]]
        corners[2] = ops.minimum(corners[2], ops.subtract(wide, one))
        corners[3] = ops.minimum(corners[3], ops.subtract(high, one))

    def rows(value: Any, width: int) -> Any:
        last = ops.transpose(ops.multiply(value, keep), constant([0, 1, 3, 4, 2]))
        return ops.reshape(last, constant([n, count * h * w, width]), False)

    scores = ops.multiply(confidence, ops.sigmoid(classes0))
    return rows(ops.concat(corners, 2), 4), rows(scores, classes)


def _above(threshold: Any) -> float:
    """What OpenVINO's >= finds where Paddle's > finds the threshold."""
    return float(np.nextafter(np.float32(threshold), np.float32(np.inf)))


@operation("NON_MAX_SUPPRESSION")
def non_max_suppression(c: Emitter) -> Any:
    """[class, score, corners] of the boxes that remain, how many each image has, and which.

    OpenVINO orders boxes of equal scores, and unites boxes without an area, in its own way.
    """
    top_k, keep = int(c.number("nms_top_k", -1)), int(c.number("keep_top_k", -1))
    if c.op.get("rois_num") is not None:
        raise Unsupported("NON_MAX_SUPPRESSION with rois_num has another order in OpenVINO")
    if c.shape("bboxes")[2] != 4:
        raise Unsupported("OpenVINO's NON_MAX_SUPPRESSION has boxes of 4 numbers only")
    if not c.number("normalized", True) or c.number("nms_eta", 1.0) != 1 or not top_k or not keep:
        raise Unsupported(
            "OpenVINO's NON_MAX_SUPPRESSION is for normalized boxes, an nms_eta of 1, and limits "
            "nms_top_k and keep_top_k that are not 0"
        )
    rows, places, counts = ops.multiclass_nms(
        c["bboxes"],
        c["scores"],
        sort_result_type="classid",
        output_type="i32",
        iou_threshold=_above(c.number("nms_threshold", 0.3)),
        score_threshold=_above(c.number("score_threshold", 0.0)),
        nms_top_k=max(top_k, -1),
        keep_top_k=max(keep, -1),
        background_class=int(c.number("background_label", -1)),
    ).outputs()
    return rows, counts, places
