"""Losses and measures that older programs hold, and operators on images and sequences of them."""

from typing import Any

import numpy as np
from harness import OpTable, lod, rand, randint

Slots = dict[str, Any]
PROBABILITY = {"low": 0.01, "high": 1.0}

entropy = OpTable("cross_entropy")
for dtype in ("float32", "float64"):
    for shape in ((4, 5), (2, 3, 5)):
        x = rand(*shape, dtype=dtype, **PROBABILITY)
        entropy.case({"X": x, "Label": randint(*shape[:-1], 1, high=5)})
        entropy.case({"X": x, "Label": x[::-1].copy()}, {"soft_label": True})
entropy.case(
    {"X": rand(3, 4, **PROBABILITY), "Label": np.array([[1], [2], [1]])}, {"ignore_index": 1}
)
entropy.case(
    {"X": np.zeros((1, 2), "float32"), "Label": np.array([[1]])},
    reference=lambda i, a: {"Y": np.array([[1e20]], "float32")},
)
entropy.case(
    {"X": np.ones((2, 2), "float32"), "Label": np.array([1, 0])},
    reference=lambda i, a: {"Y": np.zeros(2, "float32")},
)
entropy.error({"X": rand(2, 3), "Label": np.array([[0], [3]])}, match="element 1")
entropy.error({"X": rand(2, 3), "Label": randint(3, 1)}, error="ShapeError", match="Label")
entropy.error({"X": rand(2, 3), "Label": rand(2, 1)}, error="DataTypeError", match="Label")
entropy.error({"X": rand(2, 3), "Label": rand(2, 1)}, {"soft_label": True}, match="soft_label")
test_cross_entropy = entropy.tests()


def picked(i: Slots, a: Slots) -> Slots:
    label = i["Label"]
    kept = label != a.get("ignore_index", -100)
    matched = np.take_along_axis(i["X"], np.where(kept, label, 0), -1)
    matched = np.where(kept, matched, 1).astype(i["X"].dtype)
    return {
        "Y": -np.log(matched),
        "XShape": np.zeros((0, *i["X"].shape), i["X"].dtype),
        "MatchX": matched,
    }


second = OpTable("cross_entropy2")
ALL = {"Y": 1, "XShape": 1, "MatchX": 1}
for dtype in ("float32", "float64"):
    x = rand(4, 5, dtype=dtype, **PROBABILITY)
    second.case({"X": x, "Label": randint(4, 1, high=5)})
    for ignored in (-100, 2):
        label = np.array([[2], [1], [2], [0]])
        second.case(
            {"X": x, "Label": label}, {"ignore_index": ignored}, outputs=ALL, reference=picked
        )
second.error({"X": rand(2, 3), "Label": np.array([[0], [3]])}, match="element 1")
second.error({"X": rand(), "Label": randint(1)}, error="ShapeError", match="classes")
test_cross_entropy2 = second.tests()

identity = OpTable("identity_loss")
for dtype in ("float32", "float64"):
    for reduction in (0, 1, 2):
        identity.case({"X": rand(3, 4, dtype=dtype)}, {"reduction": reduction})
identity.error({"X": rand(3)}, {"reduction": 3}, error="ShapeError", match="reduction")
identity.error({"X": randint(3)}, error="DataTypeError", match="int64")
test_identity_loss = identity.tests()


def smooth(i: Slots, a: Slots, wanted: str = "Out") -> Slots:
    square = a.get("sigma", 1.0) ** 2
    diff = (i["X"] - i["Y"]) * i.get("InsideWeight", 1)
    size = np.abs(diff)
    loss = np.where(size < 1 / square, diff * diff * square / 2, size - 0.5 / square)
    loss = loss * i.get("OutsideWeight", 1)
    made = {"Diff": diff, "Out": loss.reshape(len(loss), -1).sum(1, keepdims=True)}
    return {name: made[name].astype(i["X"].dtype) for name in wanted.split()}


smooth_l1 = OpTable("smooth_l1_loss")
for dtype in ("float32", "float64"):
    for sigma in (1.0, 3.0):
        pair = {"X": rand(3, 2, 2, dtype=dtype), "Y": 2 * rand(3, 2, 2, dtype=dtype)}
        smooth_l1.case(pair, {"sigma": sigma}, reference=smooth)
        weights = {name: rand(3, 2, 2, dtype=dtype) for name in ("InsideWeight", "OutsideWeight")}
        smooth_l1.case(
            pair | weights,
            {"sigma": sigma},
            outputs={"Diff": 1, "Out": 1},
            reference=lambda i, a: smooth(i, a, "Diff Out"),
        )
pair = {"X": rand(3, 2), "Y": rand(3, 2)}
smooth_l1.error(pair | {"InsideWeight": rand(3, 2)}, error="ShapeError", match="both or none")
smooth_l1.error({"X": rand(3, 2), "Y": rand(3, 1)}, error="ShapeError", match="Y has shape")
smooth_l1.error({"X": rand(3), "Y": rand(3)}, error="ShapeError", match="rank 2")
test_smooth_l1_loss = smooth_l1.tests()

accuracy = OpTable("accuracy")
COUNTS = {"Accuracy": 1, "Correct": 1, "Total": 1}
for k in (1, 3):
    accuracy.case(
        {"Out": rand(6, k), "Indices": randint(6, k, high=4), "Label": randint(6, 1, high=4)},
        outputs=COUNTS,
    )
accuracy.case(
    {"Out": rand(2, 2), "Indices": np.array([[1, 2], [0, 3]]), "Label": np.array([2, 2])},
    reference=lambda i, a: {"Accuracy": np.array(0.5, "float32")},
)
accuracy.error(
    {"Out": rand(2, 1), "Indices": randint(2, 1), "Label": randint(3, 1)},
    error="ShapeError",
    match="rows",
)
test_accuracy = accuracy.tests()


def overlap(i: Slots, a: Slots) -> Slots:
    classes = a["num_classes"]
    predicted, real = i["Predictions"].ravel(), i["Labels"].ravel()
    same = predicted == real
    count = lambda values: np.bincount(values, minlength=classes)  # noqa: E731
    wrong, right = count(predicted[~same]) + count(real[~same]), count(real[same])
    for name, total in (("InWrongs", wrong), ("InCorrects", right)):
        for given in np.atleast_2d(i[name]) if name in i else ():
            total += given
    seen = wrong + right > 0
    mean = np.array([(right[seen] / (wrong + right)[seen]).mean() + i.get("InMeanIou", 0)])
    return {
        "OutMeanIou": mean.reshape(1).astype("float32"),
        "OutWrong": wrong.astype("int32"),
        "OutCorrect": right.astype("int32"),
    }


iou = OpTable("mean_iou")
for dtype in ("int32", "int64"):
    maps = {name: randint(4, 6, high=3, dtype=dtype) for name in ("Predictions", "Labels")}
    iou.case(maps, {"num_classes": 3}, reference=overlap)
    iou.case(maps, {"num_classes": 5}, reference=overlap)
    given = {
        "InWrongs": [randint(4, dtype="int32"), randint(4, dtype="int32")],
        "InCorrects": [randint(4, dtype="int32")],
        "InMeanIou": [np.array([0.25], "float32")],
    }
    iou.case(maps | given, {"num_classes": 4}, reference=overlap)
iou.error(maps, {"num_classes": 2}, error="ShapeError", match="class from 0 to 1")
iou.error(maps | {"InWrongs": [randint(4, dtype="int32")]}, {"num_classes": 3}, match="InWrongs")
iou.error(maps | {"Labels": randint(3)}, {"num_classes": 3}, error="ShapeError", match="as many")
iou.error(maps, {"num_classes": 2**31 - 1}, error="ShapeError", match="num_classes")
test_mean_iou = iou.tests()


def offsets(*lengths: int) -> list[list[int]]:
    return [[0, *np.cumsum(lengths).tolist()]]


def images(channels: int, heights: list[int], widths: list[int]) -> Slots:
    sizes = [channels * h * w for h, w in zip(heights, widths, strict=True)]
    return {
        "X": lod(rand(sum(sizes), 1), offsets(*sizes)),
        "ROW": lod(rand(sum(heights), 2), offsets(*heights)),
        "COLUMN": lod(rand(sum(widths), 2), offsets(*widths)),
    }


conv = OpTable("var_conv_2d")
for channels, outputs, kernel, stride in (
    (1, 1, (1, 1), (1, 1)),
    (3, 3, (3, 3), (1, 1)),
    (2, 4, (4, 5), (2, 3)),
    (1, 2, (2, 3), (1, 2)),
):
    attrs = {"InputChannel": channels, "OutputChannel": outputs}
    attrs |= {"KernelH": kernel[0], "KernelW": kernel[1]}
    attrs |= {"StrideH": stride[0], "StrideW": stride[1]}
    filters = rand(outputs, channels * kernel[0] * kernel[1])
    conv.case(
        images(channels, [5, 1, 4], [3, 6, 4]) | {"W": filters},
        attrs,
        outputs={"Out": 1, "Col": 1},
    )
conv.case(images(1, [2], [3]) | {"W": rand(1, 1)})
conv.error(images(1, [2], [3]) | {"W": rand(2, 1)}, error="ShapeError", match="W has shape")
conv.error(images(1, [2], [3]) | {"W": rand(1, 1)}, {"StrideH": 0}, match="StrideH")
BAD = images(1, [2], [3]) | {"X": lod(rand(7, 1), [[0, 7]]), "W": rand(1, 1)}
conv.error(BAD, error="ShapeError", match="sequence 0 of X has 7")
conv.error(BAD | {"X": rand(6, 1)}, error="ShapeError", match="X")
test_var_conv_2d = conv.tests()


def top_means(heights: list[int], widths: list[int]) -> Any:
    def reference(i: Slots, a: Slots) -> Slots:
        out, pos, at = [], [], 0
        most, channels = max(a["topks"]), a["channel_num"]
        for h, w in zip(heights, widths, strict=True):
            part = i["X"][at : at + channels * h * w].reshape(channels, h, w)
            at += part.size
            order = np.argsort(-part, axis=-1, kind="stable")[..., :most]
            best = np.take_along_axis(part, order, -1)
            means = [best[..., :k].sum(-1) / k for k in a["topks"]]
            out.append(np.stack(means, -1).swapaxes(0, 1).reshape(h, -1))
            full = np.full((channels, h, most), -1)
            full[..., : order.shape[-1]] = order
            pos.append(full.swapaxes(0, 1).ravel())
        return {
            "Out": lod(np.concatenate(out).astype("float32"), offsets(*heights)),
            "pos": np.concatenate(pos).astype("int32"),
        }

    return reference


pooled = OpTable("sequence_topk_avg_pooling")
for topks, channels in (([1, 3], 1), ([1, 3, 5], 2), ([2], 3), ([1, 3, 5, 7], 5)):
    heights, widths = [5, 1, 4], [3, 6, 8]
    attrs = {"topks": topks, "channel_num": channels}
    pooled.case(
        images(channels, heights, widths),
        attrs,
        outputs={"Out": 1, "pos": 1},
        reference=top_means(heights, widths),
    )
    first = top_means(heights, widths)
    pooled.case(
        images(channels, heights, widths),
        attrs,
        reference=lambda i, a, first=first: {"Out": first(i, a)["Out"]},
    )
ONE = images(1, [2], [3])
for topks in ([], [0], [3, 1]):
    pooled.error(ONE, {"topks": topks, "channel_num": 1}, error="ShapeError", match="topks")
pooled.error(ONE, {"topks": [1], "channel_num": 2}, error="ShapeError", match="sequence 0")
pooled.error(ONE, {"topks": [1], "channel_num": 0}, error="ShapeError", match="channel_num")
test_sequence_topk_avg_pooling = pooled.tests()


def neighbours(batch: int, count: int, size: int, classes: int) -> Slots:
    """Boxes of which some follow one that they overlap."""
    corner = np.repeat(rand(batch, count // 2, 2, low=0, high=6), 2, 1)
    corner = corner + rand(batch, count // 2 * 2, 2, low=0, high=0.3)
    other = corner + rand(batch, count // 2 * 2, 2, low=1, high=1.5)
    boxes = np.concatenate([corner, other], 2)
    if size == 8:
        boxes = boxes[..., [0, 1, 2, 1, 2, 3, 0, 3]]
    return {
        "BBoxes": boxes.astype("float32"),
        "Scores": rand(batch, classes, count // 2 * 2, low=0, high=1),
    }


aware = OpTable("locality_aware_nms")
RULE = {"score_threshold": 0.1, "nms_top_k": 20, "keep_top_k": 10}
for size in (4, 8):
    for classes in (1, 3):
        for batch in (1, 2):
            aware.case(neighbours(batch, 12, size, classes), RULE)
SINGLE = neighbours(1, 12, 4, 1)
for attrs in (
    {"nms_top_k": -1, "keep_top_k": -1},
    {"nms_threshold": 0.6},
    {"nms_eta": 0.9, "nms_threshold": 0.7},
    {"normalized": False},
    {"score_threshold": 0.9},
    {"keep_top_k": 2},
    {"nms_top_k": 3},
):
    aware.case(SINGLE, RULE | attrs)
aware.case(neighbours(1, 12, 4, 2), RULE | {"background_label": 0})
aware.case(SINGLE, RULE | {"score_threshold": 5.0})
aware.error(SINGLE | {"Scores": rand(12, 1)}, RULE, error="ShapeError", match="Scores")
aware.error({"BBoxes": rand(1, 3, 5), "Scores": rand(1, 1, 3)}, RULE, match="BBoxes")
test_locality_aware_nms = aware.tests()


def spread(size: int, count: int, cubic: bool, align: bool, factor: float) -> Any:
    """The matrix that resizes an axis, from the definition."""
    aligned = (size - 1) / (count - 1) if count > 1 else 0
    scale = aligned if align else 1 / factor if factor else size / count
    shrink = max(scale, 1)
    support = (2 if cubic else 1) * shrink
    matrix = np.zeros((count, size))
    for i in range(count):
        centre = scale * (i + 0.5)
        first, last = max(int(centre - support + 0.5), 0), min(int(centre + support + 0.5), size)
        d = np.abs((np.arange(first, last) - centre + 0.5) / shrink)
        near, far = 1.5 * d**3 - 2.5 * d**2 + 1, -0.5 * d**3 + 2.5 * d**2 - 4 * d + 2
        w = np.select([d < 1, d < 2], [near, far], 0) if cubic else np.maximum(1 - d, 0)
        matrix[i, first:last] = w / w.sum()
    return matrix


def resized(i: Slots, a: Slots) -> Slots:
    x = i["X"]
    factors = a.get("scale") or [0, 0]
    given = i.get("OutSize", i.get("SizeTensor"))
    sizes = (
        np.ravel(given).tolist() if given is not None else [a.get("out_h", 0), a.get("out_w", 0)]
    )
    if "Scale" in i and given is None:
        factors = np.broadcast_to(i["Scale"], 2).tolist()
    if given is None and any(factors):
        sizes = [int(n * f) for n, f in zip(x.shape[2:], factors, strict=True)]
    cubic, align = a.get("interp_method") == "bicubic", a.get("align_corners", True)
    if "SizeTensor" in i:
        factors = [0, 0]
    rows, cols = (
        spread(n, m, cubic, align, f) for n, m, f in zip(x.shape[2:], sizes, factors, strict=True)
    )
    return {"Out": (rows @ x.astype("float64") @ cols.T).astype(x.dtype)}


antialias = OpTable("interp_antialias")
for method in ("bilinear", "bicubic"):
    for align in (False, True):
        for size in ((3, 4), (9, 15), (2, 20), (7, 9), (14, 4), (1, 1)):
            antialias.case(
                {"X": rand(2, 2, 7, 9)},
                {
                    "interp_method": method,
                    "align_corners": align,
                    "out_h": size[0],
                    "out_w": size[1],
                },
                reference=resized,
            )
    plain = {"interp_method": method, "align_corners": False}
    antialias.case({"X": rand(1, 1, 8, 8)}, plain | {"scale": [0.5, 0.3]}, reference=resized)
    double = rand(1, 1, 8, 8, dtype="float64")
    for given in (
        {"OutSize": np.array([3, 5], "int32")},
        {"SizeTensor": [np.array([3]), np.array([5])]},
        {"Scale": np.array([0.5], "float32")},
    ):
        antialias.case({"X": double} | given, plain, params=list(given), reference=resized)
for name in ("out_d", "align_mode", "data_layout", "single_in_middle"):
    antialias.exempt(name, "of other forms of interpolation")
antialias.error(
    {"X": rand(1, 1, 4, 4)}, {"interp_method": "nearest", "out_h": 2, "out_w": 2}, match="nearest"
)
antialias.error({"X": randint(1, 1, 4, 4)}, {"out_h": 2, "out_w": 2}, match="int64")
antialias.error({"X": rand(1, 1, 4, 4)}, error="ShapeError", match="output size of 0")
test_interp_antialias = antialias.tests()
