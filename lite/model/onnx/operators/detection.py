"""Boxes of object detectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.operator import CannotExport, Op, operator
from lite.model.onnx.operators.activations import clip, scaled, shifted
from lite.model.onnx.operators.control_flow import InnerGraph, branch


def _computed(op: Op, inputs: dict[str, Any], changed: dict[str, Any]) -> dict[str, Any]:
    """What this framework's own kernel makes of inputs of which only the sizes count."""
    from lite._core import run_op

    op.need_small(float(np.prod([float(dim) for shape in inputs.values() for dim in shape[2:]])))
    attrs = {name: attr.value for name, attr in op.source.attrs.items()} | changed
    arrays: dict[str, Any] = {
        slot: [(np.zeros(shape, np.float32), [])] for slot, shape in inputs.items()
    }
    made = run_op(op.type, arrays, dict.fromkeys(op.source.outputs, 1), attrs)
    return {slot: np.array(values[0][0]) for slot, values in made.items()}


@operator("density_prior_box", "anchor_generator")
def boxes_of_sizes(op: Op) -> Any:
    """They follow from the sizes alone, so that they become constants."""
    slots = [slot for slot in ("Input", "Image") if op.has(slot)]
    inputs = {slot: [1, 1, *op.static(slot)[2:]] for slot in slots}
    made = _computed(op, inputs, {})
    return {slot: op.node("Identity", [op.const(array)]) for slot, array in made.items()}


@operator("prior_box")
def prior_box(op: Op) -> Any:
    """Constants too, but where sizes are free: the boxes of one cell, moved to the others."""
    inputs = {slot: op.shape(slot) for slot in ("Input", "Image")}
    if all(dim is not None for shape in inputs.values() for dim in shape[2:]):
        known = {slot: [1, 1, *shape[2:]] for slot, shape in inputs.items()}
        made = _computed(op, known, {})
        return {slot: op.node("Identity", [op.const(array)]) for slot, array in made.items()}
    one = {"Input": [1, 1, 1, 1], "Image": [1, 1, 1, 1]}
    made = _computed(op, one, {"step_w": 1.0, "step_h": 1.0, "clip": False})
    offset = op.number("offset")
    cell = made["Boxes"][0, 0] - np.float32(offset)  # corners around the centre, in pixels
    steps = [op.number("step_w"), op.number("step_h")]
    corners: list[str] = [""] * 4
    for axis in (0, 1):  # x, then y
        image, cells = (_extent(op, slot, 3 - axis) for slot in ("Image", "Input"))
        step = op.const(np.float32(steps[axis])) if all(steps) else op.node("Div", [image, cells])
        line = op.node("Range", [op.const(np.float32(0)), cells, op.const(np.float32(1))])
        centre = op.node("Mul", [shifted(op, line, offset), step])
        centre = op.reshape(centre, [1, -1, 1, 1] if axis == 0 else [-1, 1, 1, 1])
        for end in (0, 2):
            own = op.const(cell[:, axis + end].reshape(1, 1, -1, 1))
            corners[axis + end] = op.node("Div", [op.node("Add", [centre, own]), image])
    boxes = _joined(op, corners)
    if op.flag("clip", True):
        boxes = clip(op, boxes, 0, 1)
    variances = op.const(made["Variances"][0, 0])
    return {"Boxes": boxes, "Variances": op.node("Expand", [variances, op.shape_of(boxes)])}


def _extent(op: Op, slot: str, axis: int) -> str:
    """A size as a float."""
    return op.cast(op.reshape(op.shape_of(op[slot], axis, axis + 1), []), np.float32)


def _joined(op: Op, corners: list[str]) -> str:
    """Four columns that broadcast, as the last dimension."""
    whole = op.node("Add", [op.node("Mul", [corners[0], op.const(np.float32(0))]), corners[1]])
    shape = op.shape_of(whole)
    return op.concat([op.node("Expand", [corner, shape]) for corner in corners], 3)


def _image_sides(op: Op) -> list[str]:
    """Height and width of the images, to broadcast against [N, anchors, 1, H, W]."""
    size = op.cast(op["ImgSize"], op.dtype("X"))
    return [
        op.reshape(op.slice(size, [axis], [axis + 1], [1]), [-1, 1, 1, 1, 1]) for axis in (0, 1)
    ]


def _cells(op: Op, axis: int) -> tuple[str, str]:
    """The numbers of the cells along an axis of X, and how many there are."""
    count = op.reshape(op.shape_of(op["X"], axis, axis + 1), [])
    line = op.node("Range", [op.const(np.int64(0)), count, op.const(np.int64(1))])
    dims = [1, 1, 1, -1, 1] if axis == 2 else [1, 1, 1, 1, -1]
    return op.reshape(op.cast(line, op.dtype("X")), dims), op.cast(count, op.dtype("X"))


@operator("yolo_box")
def yolo_box(op: Op) -> Any:
    """Corners and scores of every anchor in every cell; zero below conf_thresh."""
    x, dtype = op["X"], op.dtype("X")
    anchors = np.asarray(op.integers("anchors")).reshape(-1, 2).astype(dtype)
    classes, count = int(op.attr("class_num")), len(anchors)
    overlap = None
    if op.flag("iou_aware"):
        overlap = op.unsqueeze(op.slice(x, [0], [count], [1]), [2])
        x = op.slice(x, [count], [2**31 - 1], [1])
    shape = op.concat([op.ints([0, count, 5 + classes]), op.shape_of(x, 2)])
    parts = op.split(op.node("Reshape", [x, shape]), [1, 1, 1, 1, 1, classes], 2)
    confidence = op.node("Sigmoid", [parts[4]])
    if overlap is not None:
        factor = op.number("iou_aware_factor")
        own = op.node("Pow", [confidence, op.like("X", 1 - factor)])
        power = op.node("Pow", [op.node("Sigmoid", [overlap]), op.like("X", factor)])
        confidence = op.node("Mul", [own, power])
    seen = op.node("GreaterOrEqual", [confidence, op.like("X", op.number("conf_thresh"))])
    corners = _corners(op, parts, anchors)
    boxes = op.node("Where", [seen, op.concat(corners, 2), op.like("X", 0)])
    scores = op.node("Mul", [confidence, op.node("Sigmoid", [parts[5]])])
    scores = op.node("Where", [seen, scores, op.like("X", 0)])
    flat = [op.transpose(name, [0, 1, 3, 4, 2]) for name in (boxes, scores)]
    return {
        "Boxes": op.reshape(flat[0], [0, -1, 4]),
        "Scores": op.reshape(flat[1], [0, -1, classes]),
    }


def _corners(op: Op, parts: list[str], anchors: Any) -> list[str]:
    """Left, top, right and bottom, cut at the image's edges where that is asked for."""
    dtype, scale = op.dtype("X"), op.number("scale_x_y")
    sides = _image_sides(op)[::-1]
    low, high = [], []
    for axis in (0, 1):  # x, then y
        cells, count = _cells(op, 3 - axis)
        step = op.node("Div", [sides[axis], count])
        place = scaled(op, op.node("Sigmoid", [parts[axis]]), scale, dtype)
        place = shifted(op, op.node("Add", [place, cells]), -0.5 * (scale - 1), dtype)
        centre = op.node("Mul", [place, step])
        own = op.const(anchors[:, axis].reshape(1, -1, 1, 1, 1))
        size = op.node("Mul", [op.node("Exp", [parts[2 + axis]]), own])
        half = scaled(
            op, op.node("Mul", [size, step]), 0.5 / int(op.attr("downsample_ratio")), dtype
        )
        low.append(op.node("Sub", [centre, half]))
        high.append(op.node("Add", [centre, half]))
        if op.flag("clip_bbox", True):
            low[axis] = op.node("Relu", [low[axis]])
            high[axis] = op.node("Min", [high[axis], shifted(op, sides[axis], -1, dtype)])
    return [*low, *high]


@operator("box_coder")
def box_coder(op: Op) -> Any:
    """Boxes to and from their distance to others."""
    dtype = op.dtype("PriorBox")
    pixel = 0.0 if op.flag("box_normalized", True) else 1.0
    encode = op.attr("code_type") == "encode_center_size"
    axis = 1 if not encode and int(op.attr("axis")) == 1 else 0

    def columns(name: str, rank: int) -> list[str]:
        return op.split(name, [1, 1, 1, 1], rank - 1)

    def spread(name: str) -> str:
        return op.unsqueeze(name, [axis])  # [1, boxes, 1], or [boxes, 1, 1]

    prior = [spread(part) for part in columns(op["PriorBox"], 2)]
    sizes = [shifted(op, op.node("Sub", [prior[2 + i], prior[i]]), pixel, dtype) for i in (0, 1)]
    centres = [op.node("Add", [prior[i], scaled(op, sizes[i], 0.5, dtype)]) for i in (0, 1)]
    if op.has("PriorBoxVar"):
        variances = [spread(part) for part in columns(op["PriorBoxVar"], 2)]
    else:
        numbers = op.attr("variance", []) or [1.0] * 4
        variances = [op.const(np.asarray(number).astype(dtype)) for number in numbers]
    if encode:
        made = _encoded(op, centres, sizes, variances, pixel)
    else:
        target = columns(op["TargetBox"], 3)
        low, high = [], []
        for i in (0, 1):
            moved = op.node("Mul", [op.node("Mul", [variances[i], target[i]]), sizes[i]])
            place = op.node("Add", [moved, centres[i]])
            size = op.node("Exp", [op.node("Mul", [variances[2 + i], target[2 + i]])])
            half = scaled(op, op.node("Mul", [size, sizes[i]]), 0.5, dtype)
            low.append(op.node("Sub", [place, half]))
            high.append(shifted(op, op.node("Add", [place, half]), -pixel, dtype))
        made = [*low, *high]
    return {"OutputBox": op.concat(made, 2)}


def _encoded(
    op: Op, centres: list[str], sizes: list[str], variances: list[str], pixel: float
) -> list[str]:
    dtype = op.dtype("PriorBox")
    target = [op.unsqueeze(part, [1]) for part in op.split(op["TargetBox"], [1, 1, 1, 1], 1)]
    places, lengths = [], []
    for i in (0, 1):
        middle = scaled(op, op.node("Add", [target[i], target[2 + i]]), 0.5, dtype)
        moved = op.node("Div", [op.node("Sub", [middle, centres[i]]), sizes[i]])
        places.append(op.node("Div", [moved, variances[i]]))
        size = shifted(op, op.node("Sub", [target[2 + i], target[i]]), pixel, dtype)
        ratio = op.node("Log", [op.node("Abs", [op.node("Div", [size, sizes[i]])])])
        lengths.append(op.node("Div", [ratio, variances[2 + i]]))
    return [*places, *lengths]


def _images(op: Op) -> str:
    """The number of each region's image."""
    rois = op["ROIs"]
    count = op.shape_of(rois, 0, 1)
    if op.has("RoisNum"):
        line = op.node(
            "Range", [op.const(np.int64(0)), op.reshape(count, []), op.const(np.int64(1))]
        )
        ends = op.node("CumSum", [op.cast(op["RoisNum"], np.int64), op.const(np.int64(0))])
        passed = op.node("GreaterOrEqual", [op.unsqueeze(line, [1]), op.unsqueeze(ends, [0])])
        return op.reduce("Sum", op.cast(passed, np.int64), [1], keep=False)
    if op.shape("X")[0] == 1:
        return str(op.node("Expand", [op.const(np.int64(0)), count]))
    raise CannotExport("regions divided by LoD")


@operator("roi_align", opset=16)
def roi_align(op: Op) -> Any:
    """Means of bilinear samples in the cells of each region."""
    return op.node(
        "RoiAlign",
        [op["X"], op["ROIs"], _images(op)],
        output_height=int(op.attr("pooled_height")),
        output_width=int(op.attr("pooled_width")),
        sampling_ratio=max(int(op.attr("sampling_ratio")), 0),
        spatial_scale=op.number("spatial_scale"),
        coordinate_transformation_mode="half_pixel" if op.flag("aligned") else "output_half_pixel",
    )


_CORNER = np.asarray([0, 0, 1, 1], np.float32)


def _candidates(op: Op) -> str:
    """Scores in which those of the background, and all beyond nms_top_k of a class, are lowest."""
    scores = op["Scores"]
    lowest = op.const(np.float32(np.finfo(np.float32).min))
    background = int(op.attr("background_label"))
    if background >= 0:
        classes = op.reshape(op.shape_of(scores, 1, 2), [])
        line = op.node("Range", [op.const(np.int64(0)), classes, op.const(np.int64(1))])
        hidden = op.reshape(op.node("Equal", [line, op.const(np.int64(background))]), [1, -1, 1])
        scores = op.node("Where", [hidden, lowest, scores])
    most = int(op.attr("nms_top_k"))
    boxes = op.shape("BBoxes")[1]
    if most < 0 or (boxes is not None and boxes <= most):
        return scores
    count = op.node("Min", [op.shape_of(scores, 2, 3), op.ints([most])])
    best, _ = op.node("TopK", [scores, count], outputs=2, axis=2)
    last = op.slice(best, [-1], [2**31 - 1], [2])
    return str(op.node("Where", [op.node("Less", [scores, last]), lowest, scores]))


def _best_of_images(op: Op, chosen: str, scores: str, images: str) -> str:
    """The rows that are among the keep_top_k best of their image, in the order they have."""
    everything = op.shape_of(scores)
    _, order = op.node("TopK", [scores, everything], outputs=2, axis=0)
    image = op.slice(op.node("Gather", [chosen, order], axis=0), [0], [1], [1])
    own = op.cast(op.node("Equal", [image, images]), np.int64)
    so_far = op.node("CumSum", [own, op.const(np.int64(0))])
    rank = op.reduce("Sum", op.node("Mul", [so_far, own]), [1], keep=False)
    kept = op.node("LessOrEqual", [rank, op.const(np.int64(int(op.attr("keep_top_k"))))])
    rows = op.node("Compress", [order, kept], axis=0)
    made, _ = op.node("TopK", [rows, op.shape_of(rows)], outputs=2, axis=0, largest=0)
    return str(made)


@operator("multiclass_nms", "multiclass_nms2", "multiclass_nms3")
def multiclass_nms(op: Op) -> Any:
    """Ordered by image, class and score, as Paddle has them."""
    if op.rank("Scores") != 3 or op.has("RoisNum") or op.shape("BBoxes")[-1] != 4:
        raise CannotExport("regions of several images in one list, or boxes of more than 4 numbers")
    if int(op.attr("nms_top_k")) == 0:
        raise CannotExport("nms_top_k is 0")
    if op.number("nms_eta") < 1:
        raise CannotExport("nms_eta is below 1")
    boxes, scores = op["BBoxes"], op["Scores"]
    kept = int(op.attr("keep_of_class")) if op.type == "multiclass_nms3" else -1
    most = op.const(np.asarray([kept if kept >= 0 else 2**31 - 1], np.int64))
    least, most_overlap = (
        op.const(np.asarray([op.number(n)], np.float32))
        for n in ("score_threshold", "nms_threshold")
    )
    if op.has("NmsThreshold"):
        most_overlap = op.reshape(op["NmsThreshold"], [1])
    # Of boxes that count pixels, both corners belong to the box.
    areas = boxes if op.flag("normalized", True) else op.node("Add", [boxes, op.const(_CORNER)])
    chosen = op.node("NonMaxSuppression", [areas, _candidates(op), most, most_overlap, least])
    count = op.reshape(op.shape_of(boxes, 0, 1), [])
    images = op.node("Range", [op.const(np.int64(0)), count, op.const(np.int64(1))])
    images = op.unsqueeze(images, [0])
    found = op.node("GatherND", [scores, chosen])
    if int(op.attr("keep_top_k")) >= 0:
        rows = _best_of_images(op, chosen, found, images)
        chosen = op.node("Gather", [chosen, rows], axis=0)
        found = op.node("Gather", [found, rows], axis=0)
    image, label, box = op.split(chosen, [1, 1, 1], 1)
    corners = op.node("GatherND", [boxes, op.concat([image, box], 1)])
    made = op.concat([op.cast(label, np.float32), op.unsqueeze(found, [1]), corners], 1)
    first = op.node("Mul", [image, op.shape_of(boxes, 1, 2)])
    index = op.cast(op.node("Add", [first, box]), np.int32)
    own = op.cast(op.node("Equal", [image, images]), np.int32)
    numbers = op.reduce("Sum", own, [0], keep=False)
    if op.type == "multiclass_nms":
        made = _or_nothing(op, made)
    return {"Out": made, "Index": index, "NmsRoisNum": numbers}


def _or_nothing(op: Op, made: str) -> str:
    """The old operator says with a single -1 that there is no box."""
    empty = op.reshape(op.node("Equal", [op.node("Size", [made]), op.const(np.int64(0))]), [])
    sides = [InnerGraph(op, "none"), InnerGraph(op, "some")]
    none = op.const(np.full((1, 1), -1, np.float32))
    for side, source in zip(sides, (none, made), strict=True):
        side.add_output(source, np.float32, 2, False)
    return branch(op, empty, sides, 1)[0]


@operator("nms")
def nms(op: Op) -> Any:
    """Of boxes that come in order of their scores."""
    if op.dtype("Boxes") != np.float32:
        raise CannotExport(f"{op.dtype('Boxes')}")
    count = op.reshape(op.shape_of(op["Boxes"], 0, 1), [])
    line = op.node("Range", [op.const(np.int64(0)), count, op.const(np.int64(1))])
    scores = op.reshape(op.node("Neg", [op.cast(line, np.float32)]), [1, 1, -1])
    most = op.const(np.asarray([2**31 - 1], np.int64))
    limit = op.const(np.asarray([op.number("iou_threshold")], np.float32))
    chosen = op.node("NonMaxSuppression", [op.unsqueeze(op["Boxes"], [0]), scores, most, limit])
    return op.squeeze(op.slice(chosen, [2], [3], [1]), [1])


@operator("distribute_fpn_proposals")
def distribute_fpn_proposals(op: Op) -> Any:
    """Regions by size to levels, and where each went."""
    if not op.has("RoisNum"):
        raise CannotExport("regions divided by LoD")
    rois, numbers = op["FpnRois"], op.cast(op["RoisNum"], np.int64)
    first, last = int(op.attr("min_level")), int(op.attr("max_level"))
    sides = op.split(rois, [1, 1, 1, 1], 1)
    pixel = 1.0 if op.flag("pixel_offset", True) else 0.0
    lengths = [op.node("Sub", [sides[2 + i], sides[i]]) for i in (0, 1)]
    zero = op.const(np.float32(0))
    sound = op.node("And", [op.node("GreaterOrEqual", [length, zero]) for length in lengths])
    area = op.node("Mul", [shifted(op, length, pixel) for length in lengths])
    size = op.node("Sqrt", [op.node("Where", [sound, area, zero])])
    scale = shifted(op, op.node("Div", [size, op.const(np.float32(op.attr("refer_scale")))]), 1e-8)
    steps = op.node("Div", [op.node("Log", [scale]), op.const(np.float32(np.log(2)))])
    level = shifted(op, op.node("Floor", [steps]), float(op.attr("refer_level")))
    level = op.squeeze(op.cast(clip(op, level, first, last), np.int64), [1])
    line = _line(op, op.shape_of(rois, 0, 1))
    ends = op.node("CumSum", [numbers, op.const(np.int64(0))])
    passed = op.node("GreaterOrEqual", [op.unsqueeze(line, [1]), op.unsqueeze(ends, [0])])
    images = op.reduce("Sum", op.cast(passed, np.int64), [1], keep=False)
    images_line = op.unsqueeze(_line(op, op.shape_of(numbers, 0, 1)), [0])
    parts, counts, order = [], [], []
    for number in range(first, last + 1):
        own = op.node("Equal", [level, op.const(np.int64(number))])
        parts.append(op.node("Compress", [rois, own], axis=0))
        order.append(op.node("Compress", [line, own], axis=0))
        image = op.unsqueeze(op.node("Compress", [images, own], axis=0), [1])
        found = op.cast(op.node("Equal", [image, images_line]), np.int32)
        counts.append(op.reduce("Sum", found, [0], keep=False))
    whole = op.concat(order)
    _, back = op.node("TopK", [whole, op.shape_of(whole)], outputs=2, axis=0, largest=0)
    restore = op.unsqueeze(op.cast(back, np.int32), [1])
    return {"MultiFpnRois": parts, "RestoreIndex": restore, "MultiLevelRoIsNum": counts}


def _line(op: Op, count: str) -> str:
    """The numbers below a count."""
    ends = [op.const(np.int64(0)), op.reshape(count, []), op.const(np.int64(1))]
    return str(op.node("Range", ends))
