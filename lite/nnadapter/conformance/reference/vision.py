"""Images at other sizes and places, boxes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .elementwise import sigmoid


def reflect(at: Any, low: Any, high: Any) -> Any:
    """Mirrored at low and high until it is between."""
    if high <= low:
        return 0.0
    span = high - low
    away = abs(at - low) % (2 * span)
    return low + min(away, 2 * span - away)


def grid_sample(x: Any, grid: Any, corners: Any, mode: Any, pad_mode: Any) -> Any:
    corners, mode, pad_mode = bool(corners[0]), int(mode[0]), int(pad_mode[0])
    out = np.zeros((*x.shape[:2], *grid.shape[1:3]))

    def position(at: Any, size: Any) -> Any:
        at = (at + 1) / 2 * (size - 1) if corners else ((at + 1) * size - 1) / 2
        if pad_mode == 2:
            at = reflect(at, 0, size - 1) if corners else reflect(at, -0.5, size - 0.5)
        return min(max(at, 0), size - 1) if pad_mode >= 2 else at

    def read(image: Any, i: Any, j: Any) -> Any:
        inside = 0 <= i < image.shape[1] and 0 <= j < image.shape[2]
        return image[:, i, j] if inside else np.zeros(len(image))

    for n, oy, ox in itertools.product(range(len(x)), *map(range, grid.shape[1:3])):
        w = position(float(grid[n, oy, ox, 0]), x.shape[3])
        h = position(float(grid[n, oy, ox, 1]), x.shape[2])
        if mode == 2:
            out[n, :, oy, ox] = read(x[n], int(np.floor(h + 0.5)), int(np.floor(w + 0.5)))
            continue
        top, left = int(np.floor(h)), int(np.floor(w))
        for i, j in itertools.product((top, top + 1), (left, left + 1)):
            out[n, :, oy, ox] += read(x[n], i, j) * (1 - abs(h - i)) * (1 - abs(w - j))
    return out.astype(x.dtype)


def out_sizes(x: Any, shape: Any, scales: Any) -> Any:
    if shape is not None and len(shape):
        return [int(s) for s in shape], [d / s for d, s in zip(x.shape[2:], shape, strict=True)]
    sizes = [int(np.float32(d) * s) for d, s in zip(x.shape[2:], scales, strict=True)]
    return sizes, [1 / float(s) for s in scales]


def nearest(x: Any, shape: Any, scales: Any, align: Any) -> Any:
    sizes, ratios = out_sizes(x, shape, scales)
    for axis, (size, ratio) in enumerate(zip(sizes, ratios, strict=True), 2):
        if align[0]:
            ratio = (x.shape[axis] - 1) / (size - 1) if size > 1 else 0
        places = np.floor(np.arange(size) * np.float32(ratio) + (0.5 if align[0] else 0))
        x = np.take(x, np.clip(places, 0, x.shape[axis] - 1).astype(int), axis)
    return x


def linear(x: Any, shape: Any, scales: Any, align: Any, mode: Any) -> Any:
    sizes, ratios = out_sizes(x, shape, scales)
    for axis, (size, ratio) in enumerate(zip(sizes, ratios, strict=True), 2):
        ratio = ratio if size > 1 else 0  # Paddle takes the first element for a size of 1
        places = np.arange(size, dtype=np.float64)
        if align[0]:
            places *= (x.shape[axis] - 1) / (size - 1) if size > 1 else 0
        elif mode[0] == 0:
            places = np.maximum((places + 0.5) * ratio - 0.5, 0)
        else:
            places *= ratio
        low = np.clip(np.floor(places), 0, x.shape[axis] - 1).astype(int)
        high = np.minimum(low + 1, x.shape[axis] - 1)
        weight = (places - low).reshape([-1 if i == axis else 1 for i in range(x.ndim)])
        x = np.take(x, low, axis) * (1 - weight) + np.take(x, high, axis) * weight
    return x.astype(np.float32)


def prior_box(
    x: Any,
    image: Any,
    mins: Any,
    maxs: Any,
    ratios: Any,
    variances: Any,
    flip: Any,
    clip: Any,
    step_w: Any,
    step_h: Any,
    offset: Any,
    order: Any,
) -> Any:
    ratios = [1.0, *(float(r) for r in ratios if abs(r - 1) > 1e-6)]
    if flip[0]:
        ratios = [1.0, *itertools.chain(*((r, 1 / r) for r in ratios[1:]))]
    maxs = [] if maxs is None else maxs
    sizes = []
    for i, low in enumerate(map(float, mins)):
        of_ratios = [(low * math.sqrt(r), low / math.sqrt(r)) for r in ratios]
        large = [(math.sqrt(low * float(maxs[i])),) * 2] if len(maxs) else []
        sizes += of_ratios[:1] + large + of_ratios[1:] if order[0] else of_ratios + large
    (height, width), (rows, columns) = x.shape[2:], image.shape[2:]
    step_x = float(step_w[0]) or columns / width
    step_y = float(step_h[0]) or rows / height
    boxes = np.empty((height, width, len(sizes), 4), np.float32)
    for i, j, k in itertools.product(range(height), range(width), range(len(sizes))):
        cx, cy = (j + offset[0]) * step_x, (i + offset[0]) * step_y
        w, h = sizes[k][0] / 2, sizes[k][1] / 2
        boxes[i, j, k] = [(cx - w) / columns, (cy - h) / rows, (cx + w) / columns, (cy + h) / rows]
    if clip[0]:
        boxes = boxes.clip(0, 1)
    return [boxes, np.broadcast_to(variances, boxes.shape).astype(np.float32)]


def bilinear(plane: Any, y: Any, x: Any) -> Any:
    height, width = plane.shape
    if not (-1 <= y <= height and -1 <= x <= width):
        return 0.0
    y, x = max(y, 0.0), max(x, 0.0)
    top, left = min(int(y), height - 1), min(int(x), width - 1)
    bottom, right = min(top + 1, height - 1), min(left + 1, width - 1)
    dy, dx = (y - top if top < height - 1 else 0), (x - left if left < width - 1 else 0)
    upper = plane[top, left] * (1 - dx) + plane[top, right] * dx
    lower = plane[bottom, left] * (1 - dx) + plane[bottom, right] * dx
    return upper * (1 - dy) + lower * dy


def roi_align(
    x: Any, rois: Any, images: Any, height: Any, width: Any, ratio: Any, scale: Any, aligned: Any
) -> Any:
    height, width, ratio = int(height[0]), int(width[0]), int(ratio[0])
    out = np.zeros((len(rois), x.shape[1], height, width), np.float32)
    for r, c in itertools.product(range(len(rois)), range(x.shape[1])):
        x1, y1, x2, y2 = rois[r] * scale[0] - (0.5 if aligned[0] else 0)
        w, h = x2 - x1, y2 - y1
        if not aligned[0]:
            w, h = max(w, 1), max(h, 1)
        across = ratio if ratio > 0 else math.ceil(w / width)
        down = ratio if ratio > 0 else math.ceil(h / height)
        for i, j in itertools.product(range(height), range(width)):
            ys = [y1 + (i + (k + 0.5) / down) * h / height for k in range(down)]
            xs = [x1 + (j + (k + 0.5) / across) * w / width for k in range(across)]
            samples = [bilinear(x[images[r], c], a, b) for a in ys for b in xs]
            out[r, c, i, j] = np.mean(samples)
    return out


def yolo_box(
    x: Any,
    size: Any,
    anchors: Any,
    classes: Any,
    thresh: Any,
    down: Any,
    clip: Any,
    scale: Any,
    aware: Any = None,
    factor: Any = None,
) -> Any:
    pairs, classes = anchors.reshape(-1, 2), int(classes[0])
    n, _, h, w = x.shape
    count = len(pairs)
    iou = sigmoid(x[:, :count]) if aware is not None and aware[0] else None
    cells = (x if iou is None else x[:, count:]).reshape(n, count, 5 + classes, h, w)
    boxes = np.zeros((n, count, h, w, 4), np.float32)
    scores = np.zeros((n, count, h, w, classes), np.float32)
    for b, a, i, j in itertools.product(range(n), range(count), range(h), range(w)):
        tx, ty, tw, th, confidence = cells[b, a, :5, i, j]
        confidence = sigmoid(confidence)
        if iou is not None:
            confidence = confidence ** (1 - factor[0]) * iou[b, a, i, j] ** factor[0]
        if confidence < thresh[0]:
            continue
        height, width = map(float, size[b])
        bias = -0.5 * (scale[0] - 1)
        cx = (j + sigmoid(tx) * scale[0] + bias) * width / w
        cy = (i + sigmoid(ty) * scale[0] + bias) * height / h
        bw = np.exp(tw) * pairs[a, 0] * width / (down[0] * w) / 2
        bh = np.exp(th) * pairs[a, 1] * height / (down[0] * h) / 2
        box = np.array([cx - bw, cy - bh, cx + bw, cy + bh])
        if clip[0]:
            box = np.array([*box[:2].clip(0), min(box[2], width - 1), min(box[3], height - 1)])
        boxes[b, a, i, j] = box
        scores[b, a, i, j] = confidence * sigmoid(cells[b, a, 5:, i, j])
    return [boxes.reshape(n, -1, 4), scores.reshape(n, -1, classes)]


def overlap(a: Any, b: Any, extra: Any) -> Any:
    width = min(a[2], b[2]) - max(a[0], b[0]) + extra
    height = min(a[3], b[3]) - max(a[1], b[1]) + extra
    if width <= 0 or height <= 0:
        return 0.0
    areas = [(c[2] - c[0] + extra) * (c[3] - c[1] + extra) for c in (a, b)]
    return width * height / (sum(areas) - width * height)


def chosen(boxes: Any, scores: Any, thresh: float, top_k: int, limit: float, extra: int) -> Any:
    """Which boxes of a class stay, the best first."""
    order = [i for i in np.argsort(-scores, kind="stable") if scores[i] > thresh]
    found: list[int] = []
    for i in order[:top_k] if top_k >= 0 else order:
        if all(overlap(boxes[i], boxes[j], extra) <= limit for j in found):
            found.append(i)
    return found


def nms(
    boxes: Any,
    scores: Any,
    rois: Any,
    background: Any,
    thresh: Any,
    top_k: Any,
    limit: Any,
    _eta: Any,
    keep: Any,
    normalized: Any,
    _index: Any = None,
) -> Any:
    """Scores of rank 2 belong to boxes with one place for each class, `rois` to an image."""
    if rois is None:
        images = [(b[:, None].repeat(len(s), 1), s.T) for b, s in zip(boxes, scores, strict=True)]
    else:
        ends = np.cumsum(rois)[:-1]
        images = list(zip(np.split(boxes, ends), np.split(scores, ends), strict=True))
    rows, indices, counts = [], [], []
    first = 0
    for image, marks in images:
        kept = []
        for label in range(marks.shape[1]):
            if label != background[0]:
                found = chosen(
                    *(image[:, label], marks[:, label], float(thresh[0]), int(top_k[0])),
                    *(float(limit[0]), 0 if normalized[0] else 1),
                )
                kept += [(label, marks[i, label], i) for i in found]
        if 0 <= keep[0] < len(kept):
            kept = sorted(kept, key=lambda k: -k[1])[: int(keep[0])]
            kept.sort(key=lambda k: k[0])
        if rois is not None:
            kept.sort(key=lambda k: (k[0], k[2]))  # as Paddle
        rows += [[label, score, *image[i, label]] for label, score, i in kept]
        places = [(first + i, label) for label, _, i in kept]
        indices += [[i if rois is None else i * marks.shape[1] + label] for i, label in places]
        counts.append(len(kept))
        first += len(image)
    found = np.array(rows, np.float32).reshape(-1, 2 + boxes.shape[2])
    return [found, np.array(counts, np.int32), np.array(indices, np.int32).reshape(-1, 1)]


REFERENCES: dict[str, Callable[..., Any]] = {
    "RESIZE_NEAREST": nearest,
    "RESIZE_LINEAR": linear,
    "GRID_SAMPLE": grid_sample,
    "PRIOR_BOX": prior_box,
    "ROI_ALIGN": roi_align,
    "YOLO_BOX": yolo_box,
    "NON_MAX_SUPPRESSION": nms,
}
