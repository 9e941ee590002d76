"""PRIOR_BOX, ROI_ALIGN, YOLO_BOX, NON_MAX_SUPPRESSION."""

import itertools
import math

import numpy as np
from nnadapter.operations.tables import Table, const, rand


def prior_box(x, image, mins, maxs, ratios, variances, flip, clip, step_w, step_h, offset, order):
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


PRIOR_BOX = Table("PRIOR_BOX", prior_box)
feature, image = rand(1, 2, 3, 4), rand(1, 3, 30, 40)
variances = const([0.1, 0.1, 0.2, 0.2])


def priors(mins, maxs, ratios, flip=True, clip=False, steps=(0.0, 0.0), order=False):
    return (
        *(feature, image, const(mins), const(maxs) if maxs else None, const(ratios), variances),
        *(const(flip), const(clip), const(steps[0]), const(steps[1]), const(0.5), const(order)),
    )


PRIOR_BOX.case(*priors([8.0], [12.0], [2.0]))
PRIOR_BOX.case(*priors([8.0, 10.0], [12.0, 16.0], [1.0, 2.0, 3.0], clip=True, order=True))
PRIOR_BOX.case(*priors([8.0], None, [2.0], flip=False, steps=(9.0, 11.0)))
PRIOR_BOX.bad(*priors([8.0], [1.0, 2.0], [2.0]), outputs=2, match="max_sizes has 2 numbers")
PRIOR_BOX.bad(*priors([8.0], [9.0], [0.0]), outputs=2, match="an aspect ratio is 0")
PRIOR_BOX.bad(rand(2, 3), *priors([8.0], None, [2.0])[1:], outputs=2, match="expected .N, C, H, W")
test_prior_box, test_bad_prior_box = PRIOR_BOX.tests(), PRIOR_BOX.bad_tests()


def bilinear(plane, y, x):
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


def roi_align(x, rois, images, height, width, ratio, scale, aligned):
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


ROI_ALIGN = Table("ROI_ALIGN", roi_align)
pixels = rand(3, 2, 8, 9)
regions = np.float32([[0, 0, 4, 4], [2, 1, 15, 13], [-3, -2, 5.5, 3], [7, 7, 7.5, 7.25]])
for images, ratio, scale, aligned in (
    ([0, 1, 2, 0], 2, 0.5, False),
    ([2, 2, 0, 1], -1, 0.5, False),
    ([1, 0, 1, 2], 0, 0.5, True),
    ([0, 0, 0, 0], 3, 1.0, True),
):
    for dtype in (np.int32, np.int64):
        ROI_ALIGN.case(
            *(pixels, regions, np.array(images, dtype), const(2), const(3)),
            *(const(ratio), const(scale), const(aligned)),
        )
tail = (const(2), const(2), const(2), const(1.0), const(False))
first = np.zeros(4, np.int32)
ROI_ALIGN.bad(pixels[0], regions, first, *tail, match="expected .N, C, H, W")
ROI_ALIGN.bad(pixels, regions[:, :3], first, *tail, match="expected .regions, 4")
ROI_ALIGN.bad(pixels, regions, first[:3], *tail, match="batch_indices has shape")
ROI_ALIGN.bad(pixels, regions, first, const(0), *tail[1:], match="expected positive numbers")
test_roi_align, test_bad_roi_align = ROI_ALIGN.tests(), ROI_ALIGN.bad_tests()


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def yolo_box(x, size, anchors, classes, thresh, down, clip, scale, aware=None, factor=None):
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


YOLO_BOX = Table("YOLO_BOX", yolo_box)
sizes = np.array([[60, 80], [100, 90]], np.int32)
anchors = const([10, 13, 16, 30])
plain = (const(3), const(0.4), const(32))
for clip, scale in ((True, 1.0), (False, 1.2)):
    YOLO_BOX.case(rand(2, 16, 2, 3), sizes, anchors, *plain, const(clip), const(scale))
YOLO_BOX.case(
    *(rand(2, 18, 2, 3), sizes, anchors, *plain, const(True), const(1.0)),
    *(const(True), const(0.3)),
)
YOLO_BOX.bad(rand(2, 15, 2, 3), sizes, anchors, *plain, outputs=2, match="expected 16 channels")
YOLO_BOX.bad(rand(2, 16, 2, 3), sizes, const([1, 2, 3]), *plain, outputs=2, match="pairs")
YOLO_BOX.bad(
    *(rand(2, 16, 2, 3), sizes, anchors, const(3), const(0.4), const(0)),
    outputs=2,
    match="downsample_ratio is 0",
)
YOLO_BOX.bad(
    *(rand(2, 16, 2, 3), sizes, anchors, const(3), const(0.4), const([2**32 + 32], np.int64)),
    outputs=2,
    match="downsample_ratio is 4294967328",
)
YOLO_BOX.bad(rand(2, 16, 2), sizes, anchors, *plain, outputs=2, match="expected .N, C, H, W")
test_yolo_box, test_bad_yolo_box = YOLO_BOX.tests(), YOLO_BOX.bad_tests()


def overlap(a, b, extra):
    width = min(a[2], b[2]) - max(a[0], b[0]) + extra
    height = min(a[3], b[3]) - max(a[1], b[1]) + extra
    if width <= 0 or height <= 0:
        return 0.0
    areas = [(c[2] - c[0] + extra) * (c[3] - c[1] + extra) for c in (a, b)]
    return width * height / (sum(areas) - width * height)


def nms(
    boxes, scores, _rois, background, thresh, top_k, limit, _eta, keep, normalized, _index=None
):
    rows, indices, counts = [], [], []
    for n in range(len(boxes)):
        kept = []
        for label in range(scores.shape[1]):
            if label == background[0]:
                continue
            order = np.argsort(-scores[n, label], kind="stable")
            order = [i for i in order if scores[n, label, i] > thresh[0]]
            chosen = []
            for i in order[: int(top_k[0])] if top_k[0] >= 0 else order:
                extra = 0 if normalized[0] else 1
                if all(overlap(boxes[n, i], boxes[n, j], extra) <= limit[0] for j in chosen):
                    chosen.append(i)
            kept += [(label, scores[n, label, i], i) for i in chosen]
        if 0 <= keep[0] < len(kept):
            kept = sorted(kept, key=lambda k: -k[1])[: int(keep[0])]
            kept.sort(key=lambda k: k[0])
        rows += [[label, score, *boxes[n, i]] for label, score, i in kept]
        indices += [[n * boxes.shape[1] + i] for _, _, i in kept]
        counts.append(len(kept))
    found = np.array(rows, np.float32).reshape(-1, 6)
    return [found, np.array(counts, np.int32), np.array(indices, np.int32).reshape(-1, 1)]


NMS = Table("NON_MAX_SUPPRESSION", nms)
corners = np.random.default_rng(3).uniform(0, 8, (2, 20, 2))
candidates = np.concatenate([corners, corners + 4], 2).astype(np.float32)
confidences = np.random.default_rng(4).permutation(2 * 3 * 20).reshape(2, 3, 20) / np.float32(120)


def suppression(background=-1, thresh=0.1, top_k=-1, limit=0.4, keep=-1, normalized=True):
    return (
        *(const(background), const(thresh), const(top_k), const(limit), const(1.0), const(keep)),
        *(const(normalized), const(True)),
    )


for settings in (
    suppression(),
    suppression(background=0, top_k=8, keep=5),
    suppression(limit=0.1, normalized=False, keep=100),
    suppression(thresh=2.0),
):
    NMS.case(
        *(candidates, confidences.astype(np.float32), None, *settings),
        inferred=[(-1, 6), (2,), (-1, 1)],
    )
NMS.bad(candidates[0], confidences, None, *suppression(), outputs=3, match="bboxes and scores have")
NMS.bad(
    *(candidates[:, :9], confidences.astype(np.float32), None, *suppression()),
    outputs=3,
    match="does not fit scores",
)
NMS.bad(*(rand(5, 3, 4), rand(5, 3), None, *suppression()), outputs=3, match="rois_num is missing")
wide = list(suppression())
wide[2] = const([2**32 + 1], np.int64)
NMS.bad(candidates, rand(2, 3, 20), None, *wide, outputs=3, match="nms_top_k is 4294967297")
test_non_max_suppression, test_bad_non_max_suppression = NMS.tests(), NMS.bad_tests()
