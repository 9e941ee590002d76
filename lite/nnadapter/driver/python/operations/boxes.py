"""Boxes of object detectors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .elementwise import sigmoid


def yolo_box(
    x: Any, size: Any, anchors: Any, class_num: Any, thresh: Any, down: Any, clip: Any = (True,),
    scale: Any = (1.0,), aware: Any = None, factor: Any = (0.5,),
) -> Any:  # fmt: skip
    """Corners and scores of every anchor at every place; zero below conf_thresh."""
    (n, _, h, w), pairs, classes = x.shape, anchors.reshape(-1, 2), int(class_num[0])
    count, has_iou = len(pairs), aware is not None and bool(aware[0])
    heads = x[:, count if has_iou else 0 :].reshape(n, count, 5 + classes, h, w)
    confidence = sigmoid(heads[:, :, 4])
    if has_iou:
        confidence = confidence ** (1 - factor[0]) * sigmoid(x[:, :count]) ** factor[0]
    keep = confidence >= thresh[0]
    bias = -0.5 * (scale[0] - 1)
    high, wide = np.moveaxis(size.astype(np.float32), 1, 0).reshape(2, n, 1, 1, 1)
    mids = [
        (np.arange(w) + sigmoid(heads[:, :, 0]) * scale[0] + bias) * wide / w,
        (np.arange(h)[:, None] + sigmoid(heads[:, :, 1]) * scale[0] + bias) * high / h,
    ]
    halves = [
        np.exp(heads[:, :, 2 + i]) * pairs[:, i].reshape(-1, 1, 1) * extent / (down[0] * cells) / 2
        for i, (extent, cells) in enumerate(((wide, w), (high, h)))
    ]
    corners = [m - s for m, s in zip(mids, halves, strict=True)]
    corners += [m + s for m, s in zip(mids, halves, strict=True)]
    if clip is None or clip[0]:
        corners[:2] = [np.maximum(v, 0) for v in corners[:2]]
        corners[2:] = [np.minimum(corners[2], wide - 1), np.minimum(corners[3], high - 1)]
    boxes = np.stack(corners, -1) * keep[..., None]
    scores = np.moveaxis(confidence[:, :, None] * sigmoid(heads[:, :, 5:]), 2, -1) * keep[..., None]
    found = boxes.reshape(n, -1, 4), scores.reshape(n, -1, classes)
    return [array.astype(x.dtype) for array in found]


def _ratios(given: Any, flip: bool) -> list[float]:
    ratios = [1.0]
    for ratio in map(float, given):
        if all(abs(ratio - have) >= 1e-6 for have in ratios):
            ratios += [ratio, 1 / ratio] if flip else [ratio]
    return ratios


def prior_box(
    x: Any, image: Any, mins: Any, maxs: Any, ratios: Any, variances: Any, flip: Any, clip: Any,
    step_w: Any, step_h: Any, offset: Any, order: Any,
) -> Any:  # fmt: skip
    """Boxes of given sizes and aspect ratios around every place, relative to the image."""
    (h, w), (high, wide) = x.shape[2:], image.shape[2:]
    sizes: list[tuple[float, float]] = []
    for i, size in enumerate(map(float, mins)):
        found = [(size * math.sqrt(r), size / math.sqrt(r)) for r in _ratios(ratios, bool(flip[0]))]
        if maxs is not None and len(maxs):
            side = math.sqrt(size * float(maxs[i]))
            found.insert(1 if order[0] else len(found), (side, side))
        sizes += found
    across = (np.arange(w) + offset[0]) * (float(step_w[0]) or wide / w)
    along = (np.arange(h) + offset[0]) * (float(step_h[0]) or high / h)
    mid_x, mid_y = across[None, :, None], along[:, None, None]
    half = np.asarray(sizes, np.float64) / 2
    edges = [(mid_x - half[:, 0]) / wide, (mid_y - half[:, 1]) / high]
    edges += [(mid_x + half[:, 0]) / wide, (mid_y + half[:, 1]) / high]
    boxes = np.stack(np.broadcast_arrays(*edges), -1).astype(np.float32)
    boxes = np.clip(boxes, 0, 1) if clip[0] else boxes
    return [boxes, np.broadcast_to(variances, boxes.shape).astype(np.float32)]


def _overlap(box: Any, others: Any, extra: float) -> Any:
    """Intersection over union of one box and others."""
    low = np.maximum(box[:2], others[:, :2])
    high = np.minimum(box[2:], others[:, 2:])
    both = np.prod(high - low + extra, -1)

    def area(boxes: Any) -> Any:
        sides = boxes[..., 2:] - boxes[..., :2]
        found = (sides[..., 0] + extra) * (sides[..., 1] + extra)
        return np.where((sides < 0).any(-1), 0, found)

    # Boxes that lie apart have nothing in common, however small the gap; two points are NaN, which
    # is not below a threshold.
    return np.where((high < low).any(-1), 0, both / (area(box) + area(others) - both))


def _suppress(
    boxes: Any, scores: Any, least: float, top_k: int, threshold: float, eta: float, extra: float
) -> list[int]:
    """The boxes that remain of one class, the best first."""
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] > least]
    kept: list[int] = []
    for candidate in order[:top_k] if top_k > -1 else order:
        if not kept or (_overlap(boxes[candidate], boxes[kept], extra) <= threshold).all():
            kept.append(int(candidate))
            if eta < 1 and threshold > 0.5:
                threshold *= eta
    return kept


def _images(boxes: Any, scores: Any, rois: Any) -> list[tuple[Any, Any, Any]]:
    """The boxes and scores of each image by class, and where in bboxes each stands."""
    places = np.arange(boxes.shape[0] * boxes.shape[1]).reshape(boxes.shape[:2])
    if scores.ndim == 3:
        classes = scores.shape[1]
        return [(b[None].repeat(classes, 0), s, p[None].repeat(classes, 0))
                for b, s, p in zip(boxes, scores, places, strict=True)]  # fmt: skip
    ends = np.cumsum(rois.reshape(-1))
    if (rois < 0).any() or (ends > len(boxes)).any():
        raise ValueError(f"rois_num is {rois.tolist()}, but there are {len(boxes)} boxes")
    parts = [slice(begin, end) for begin, end in zip([0, *ends[:-1]], ends, strict=True)]
    return [(boxes[p].swapaxes(0, 1), scores[p].T, places[p].T) for p in parts]


def nms(
    bboxes: Any, scores: Any, rois: Any, background: Any, thresh: Any, top_k: Any, limit: Any,
    eta: Any, keep: Any, normalized: Any, _index: Any = None,
) -> Any:  # fmt: skip
    """[class, score, corners] of the boxes that remain, how many each image has, and which."""
    most, extra = int(keep[0]), 0.0 if normalized[0] else 1.0
    settings = (float(thresh[0]), int(top_k[0]), float(limit[0]), float(eta[0]), extra)
    rows: list[Any] = []
    counts, kept = [], []
    for boxes, marks, places in _images(bboxes, scores, rois):
        found = [
            (label, box)
            for label in range(len(marks))
            if label != background[0]
            for box in _suppress(boxes[label], marks[label], *settings)
        ]
        if -1 < most < len(found):
            found = sorted(found, key=lambda item: -marks[item])[:most]
            found.sort(key=lambda item: item[0])
        if scores.ndim == 2:  # in the order of the list, as Paddle has it
            found.sort()
        counts.append(len(found))
        kept += [places[item] for item in found]
        rows += [np.asarray([item[0], marks[item], *boxes[item]], bboxes.dtype) for item in found]
    table = np.stack(rows) if rows else np.zeros((0, bboxes.shape[2] + 2), bboxes.dtype)
    return [table, np.asarray(counts, np.int32), np.asarray(kept, np.int32).reshape(-1, 1)]


OPERATIONS: dict[str, Callable[..., Any]] = {
    "PRIOR_BOX": prior_box,
    "YOLO_BOX": yolo_box,
    "NON_MAX_SUPPRESSION": nms,
}
