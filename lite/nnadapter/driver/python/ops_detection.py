"""Boxes of object detectors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lite.nnadapter.driver.attributes import known
from lite.nnadapter.driver.python.ops_elementwise import sigmoid
from lite.nnadapter.driver.python.ops_image import bilinear
from lite.nnadapter.driver.python.registry import Call, operation
from lite.nnadapter.model import Array, Operation


@operation("YOLO_BOX")
def yolo_box(c: Call) -> tuple[Array, Array]:
    """Corners and scores of every anchor at every place; zero below conf_thresh."""
    x, size = c["input"], c["imgsize"].astype(np.float32)
    n, _, h, w = x.shape
    anchors = np.asarray(c.numbers("anchors"), np.float32).reshape(-1, 2)
    classes, count = int(c.number("class_num")), len(anchors)
    aware = bool(c.number("iou_aware", False))
    heads = x[:, count if aware else 0 :].reshape(n, count, 5 + classes, h, w)
    confidence = sigmoid(heads[:, :, 4])
    if aware:
        factor = c.number("iou_aware_factor", 0.5)
        confidence = confidence ** (1 - factor) * sigmoid(x[:, :count]) ** factor
    keep = confidence >= c.number("conf_thresh", 0.01)
    scale = c.number("scale_x_y", 1.0)
    bias = -0.5 * (scale - 1)
    high, wide = size[:, 0].reshape(n, 1, 1, 1), size[:, 1].reshape(n, 1, 1, 1)
    ratio = c.number("downsample_ratio", 32)
    center_x = (np.arange(w) + sigmoid(heads[:, :, 0]) * scale + bias) * wide / w
    center_y = (np.arange(h)[:, None] + sigmoid(heads[:, :, 1]) * scale + bias) * high / h
    box_w = np.exp(heads[:, :, 2]) * anchors[:, 0].reshape(-1, 1, 1) * wide / (ratio * w)
    box_h = np.exp(heads[:, :, 3]) * anchors[:, 1].reshape(-1, 1, 1) * high / (ratio * h)
    corners = [center_x - box_w / 2, center_y - box_h / 2]
    corners += [center_x + box_w / 2, center_y + box_h / 2]
    if c.number("clip_bbox", True):
        corners[:2] = [np.maximum(v, 0) for v in corners[:2]]
        corners[2:] = [np.minimum(corners[2], wide - 1), np.minimum(corners[3], high - 1)]
    boxes = np.stack(corners, -1) * keep[..., None]
    scores = np.moveaxis(confidence[:, :, None] * sigmoid(heads[:, :, 5:]), 2, -1) * keep[..., None]
    return boxes.reshape(n, -1, 4), scores.reshape(n, -1, classes)


def _ratios(c: Call) -> list[float]:
    ratios = [1.0]
    for ratio in c.numbers("aspect_ratios"):
        if all(abs(ratio - have) >= 1e-6 for have in ratios):
            ratios += [ratio, 1 / ratio] if c.number("flip", True) else [ratio]
    return ratios


@operation("PRIOR_BOX")
def prior_box(c: Call) -> tuple[Array, Array]:
    """Boxes of given sizes and aspect ratios around every place, relative to the image."""
    (h, w), (high, wide) = c["input"].shape[2:], c["image"].shape[2:]
    max_sizes = c.numbers("max_sizes")
    sizes: list[tuple[float, float]] = []
    for i, size in enumerate(c.numbers("min_sizes")):
        found = [(size * math.sqrt(r), size / math.sqrt(r)) for r in _ratios(c)]
        if max_sizes:
            side = math.sqrt(size * max_sizes[i])
            place = 1 if c.number("min_max_aspect_ratios_order", False) else len(found)
            found.insert(place, (side, side))
        sizes += found
    step_w, step_h = c.number("step_w", 0.0) or wide / w, c.number("step_h", 0.0) or high / h
    offset = c.number("offset", 0.5)
    x = ((np.arange(w) + offset) * step_w)[None, :, None]
    y = ((np.arange(h) + offset) * step_h)[:, None, None]
    half = np.asarray(sizes, np.float64) / 2
    edges = [(x - half[:, 0]) / wide, (y - half[:, 1]) / high]
    edges += [(x + half[:, 0]) / wide, (y + half[:, 1]) / high]
    boxes = np.stack(np.broadcast_arrays(*edges), -1).astype(np.float32)
    if c.number("clip", True):
        boxes = np.clip(boxes, 0, 1)
    variances = np.asarray(c.numbers("variances", (0.1, 0.1, 0.2, 0.2)), np.float32)
    return boxes, np.broadcast_to(variances, boxes.shape)


def prior_boxes(op: Operation) -> tuple[Array, Array]:
    """The results of PRIOR_BOX before the model runs: they follow from the sizes alone."""
    values = {o.index: o.value for o in op.operands if o is not None and o.is_constant}
    for name in ("input", "image"):
        values[op[name].index] = np.broadcast_to(np.float32(0), known(op[name].shape))
    return prior_box(Call(op, values))


@operation("ROI_ALIGN")
def roi_align(c: Call) -> Array:
    """Means of bilinear samples in the cells of each region."""
    x, rois, batch = c["input"], c["rois"], c["batch_indices"].reshape(-1)
    out_h, out_w = int(c.number("output_height")), int(c.number("output_width"))
    aligned, scale = bool(c.number("aligned", False)), c.number("spatial_scale", 1.0)
    ratio, height, width = int(c.number("sampling_ratio", -1)), x.shape[2], x.shape[3]
    result = np.zeros((len(rois), x.shape[1], out_h, out_w), x.dtype)
    for i, roi in enumerate(rois.astype(np.float32)):
        left, top, right, bottom = roi * np.float32(scale) - np.float32(0.5 if aligned else 0)
        roi_w, roi_h = right - left, bottom - top
        if not aligned:
            roi_w, roi_h = max(roi_w, np.float32(1)), max(roi_h, np.float32(1))
        rows = _samples(top, roi_h, out_h, ratio)
        columns = _samples(left, roi_w, out_w, ratio)
        if not rows.size or not columns.size:
            continue
        r, q = np.broadcast_arrays(rows.reshape(-1, 1), columns.reshape(1, -1))
        inside = (r >= -1) & (r <= height) & (q >= -1) & (q <= width)
        values = bilinear(
            x[batch[i]][None],
            np.clip(r, 0, height - 1)[None],
            np.clip(q, 0, width - 1)[None],
        )[0]
        cells = (values * inside).reshape(-1, out_h, rows.shape[1], out_w, columns.shape[1])
        result[i] = cells.mean((2, 4))
    return result


def _samples(begin: Any, extent: Any, cells: int, ratio: int) -> Array:
    """[cells, samples]: positions along one axis."""
    count = ratio if ratio > 0 else math.ceil(extent / cells)
    size = extent / cells
    steps = (np.arange(max(count, 0)) + 0.5) * size / max(count, 1)
    return (begin + np.arange(cells)[:, None] * size + steps).astype(np.float32)


def _overlap(box: Array, others: Array, extra: float) -> Array:
    """Intersection over union of one box and others."""
    low = np.maximum(box[:2], others[:, :2])
    high = np.minimum(box[2:], others[:, 2:])
    both = np.prod(high - low + extra, -1)

    def area(boxes: Array) -> Array:
        sides = boxes[..., 2:] - boxes[..., :2]
        found = (sides[..., 0] + extra) * (sides[..., 1] + extra)
        return np.where((sides < 0).any(-1), 0, found)

    # Boxes that lie apart have nothing in common, however small the gap; two points are NaN, which
    # is not below a threshold.
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where((high < low).any(-1), 0, both / (area(box) + area(others) - both))


def _suppress(c: Call, boxes: Array, scores: Array) -> list[int]:
    """The boxes that remain of one class, the best first."""
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] > c.number("score_threshold", 0.0)]
    top_k = int(c.number("nms_top_k", -1))
    if top_k > -1:
        order = order[:top_k]
    threshold, eta = c.number("nms_threshold", 0.3), c.number("nms_eta", 1.0)
    extra = 0.0 if c.number("normalized", True) else 1.0
    kept: list[int] = []
    for candidate in order:
        if not kept or (_overlap(boxes[candidate], boxes[kept], extra) <= threshold).all():
            kept.append(int(candidate))
            if eta < 1 and threshold > 0.5:
                threshold *= eta
    return kept


def _images(c: Call) -> list[tuple[Array, Array, Array]]:
    """The boxes and scores of each image by class, and where in bboxes each stands."""
    boxes, scores = c["bboxes"], c["scores"]
    places = np.arange(boxes.shape[0] * boxes.shape[1]).reshape(boxes.shape[:2])
    if scores.ndim == 3:
        classes = scores.shape[1]
        return [(b[None].repeat(classes, 0), s, p[None].repeat(classes, 0))
                for b, s, p in zip(boxes, scores, places, strict=True)]  # fmt: skip
    ends = np.cumsum(c["rois_num"].reshape(-1))
    if (c["rois_num"] < 0).any() or (ends > len(boxes)).any():
        raise ValueError(f"rois_num is {c['rois_num'].tolist()}, but there are {len(boxes)} boxes")
    parts = [slice(begin, end) for begin, end in zip([0, *ends[:-1]], ends, strict=True)]
    return [(boxes[p].swapaxes(0, 1), scores[p].T, places[p].T) for p in parts]


@operation("NON_MAX_SUPPRESSION")
def non_max_suppression(c: Call) -> tuple[Array, Array, Array]:
    """[class, score, corners] of the boxes that remain, how many each image has, and which."""
    background, keep = int(c.number("background_label", -1)), int(c.number("keep_top_k", -1))
    size = c["bboxes"].shape[2]
    rows: list[Array] = []
    counts, kept = [], []
    for boxes, scores, places in _images(c):
        found = [
            (label, box)
            for label in range(len(scores))
            if label != background
            for box in _suppress(c, boxes[label], scores[label])
        ]
        if -1 < keep < len(found):
            best = sorted(found, key=lambda item: -scores[item])[:keep]
            found = sorted(best, key=lambda item: item[0])
        if c["scores"].ndim == 2:  # in the order of the list, as Paddle has it
            found.sort()
        counts.append(len(found))
        kept += [places[item] for item in found]
        rows += [np.asarray([item[0], scores[item], *boxes[item]], boxes.dtype) for item in found]
    table = np.stack(rows) if rows else np.zeros((0, size + 2), c["bboxes"].dtype)
    return table, np.asarray(counts, np.int32), np.asarray(kept, np.int32).reshape(-1, 1)
