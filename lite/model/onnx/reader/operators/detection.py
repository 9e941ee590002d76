"""Boxes and regions."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.reader.builder import END, Builder
from lite.model.onnx.reader.operators.arithmetic import chosen
from lite.model.onnx.reader.operators.shapes import counted
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.program import DataType

_LEAST = float(np.finfo(np.float32).min)
"""No score is above this that is not meant to be."""


@adapter
def roi_align(
    b: Builder,
    call: Call,
    X: Tensor,
    rois: Tensor,
    batch_indices: Tensor,
    mode: str,
    output_height: int,
    output_width: int,
    sampling_ratio: int,
    spatial_scale: float,
    coordinate_transformation_mode: str = "output_half_pixel",
) -> Tensor:
    """The averages of regions."""
    if mode != "avg":
        raise CannotRead(f"mode {mode!r}")
    half = coordinate_transformation_mode
    if half not in ("half_pixel", "output_half_pixel"):
        raise CannotRead(f"coordinate_transformation_mode {half!r}")
    made = b.emit(
        "roi_align",
        {"X": X, "ROIs": rois, "BatchIndices": b.int32(batch_indices)},
        pooled_height=output_height,
        pooled_width=output_width,
        sampling_ratio=sampling_ratio or -1,
        spatial_scale=spatial_scale,
        aligned=half == "half_pixel",
    )
    made.shape = (None,) * 4
    return made


@adapter
def max_roi_pool(
    b: Builder, call: Call, X: Tensor, rois: Tensor, pooled_shape: list[int], spatial_scale: float
) -> Tensor:
    """The largest pixels of regions, which are rows of image and corners."""
    if len(pooled_shape) != 2:
        raise CannotRead(f"pooled_shape {pooled_shape}")
    images = b.slice(rois, 1, 0, 1, drop=True)
    made = b.emit(
        "roi_pool",
        {"X": X, "ROIs": b.slice(rois, 1, 1, 5), "BatchIndices": b.int32(images)},
        pooled_height=pooled_shape[0],
        pooled_width=pooled_shape[1],
        spatial_scale=spatial_scale,
    )
    made.shape = (None,) * 4
    return made


@adapter
def non_max_suppression(
    b: Builder,
    call: Call,
    boxes: Tensor,
    scores: Tensor,
    max_output_boxes_per_class: Tensor | None,
    iou_threshold: Tensor | None,
    score_threshold: Tensor | None,
    center_point_box: int,
) -> Tensor:
    """The best boxes of each class, as rows of image, class and box."""
    # multiclass_nms3 has its boxes in this order, too.
    corners = _from_centres(b, boxes) if center_point_box else _from_any_corners(b, boxes)
    inputs = {"BBoxes": corners, "Scores": scores}
    attrs: dict[str, Any] = {"score_threshold": _LEAST, "nms_threshold": 0.0}
    if max_output_boxes_per_class is not None and max_output_boxes_per_class.array is not None:
        limit = int(max_output_boxes_per_class.array.reshape(-1)[0])
        attrs["keep_of_class"] = min(max(limit, 0), END)  # what is cut off below, sooner
    if score_threshold is not None and score_threshold.array is not None:
        attrs["score_threshold"] = float(score_threshold.array.reshape(-1)[0])
    elif score_threshold is not None:
        enough = b.binary("greater_than", scores, score_threshold)
        inputs["Scores"] = chosen(b, enough, scores, b.like(_LEAST, scores))
    if iou_threshold is not None and iou_threshold.array is not None:
        attrs["nms_threshold"] = float(iou_threshold.array.reshape(-1)[0])
    elif iou_threshold is not None:
        inputs["NmsThreshold"] = b.flat(iou_threshold)
    rows, index, _ = b.emit_all(
        "multiclass_nms3",
        inputs,
        {"Out": 1, "Index": 1, "NmsRoisNum": 1},
        nms_top_k=-1,
        keep_top_k=-1,
        background_label=-1,
        **attrs,
    )
    rows.shape, index.shape = (None, 6), (None, 1)
    label = b.cast(b.slice(rows, 1, 0, 1), DataType.INT64)
    place = b.cast(index, DataType.INT64)
    count = b.slice(b.shape_of(boxes), 0, 1, 2)
    image = b.emit("elementwise_floordiv", {"X": place, "Y": count})
    box = b.binary("elementwise_mod", place, count)
    made = b.concat([image, label, box], 1)
    if max_output_boxes_per_class is None:
        most: Tensor = b.ints([0])
    else:
        most = b.reshape(b.cast(max_output_boxes_per_class, DataType.INT64), [1])
    classes = b.slice(b.shape_of(scores), 0, 1, 2)
    group = b.binary("elementwise_add", b.binary("elementwise_mul", image, classes), label)
    return _first_of_groups(b, made, b.reshape(group, [-1]), most)


def _first_of_groups(b: Builder, rows: Tensor, group: Tensor, most: Tensor) -> Tensor:
    """So many rows of each group at most; groups stand together and in order."""
    first = b.emit("searchsorted", {"SortedSequence": group, "Values": group})
    at = counted(b, b.shape_of(group))
    near = b.binary("less_than", b.binary("elementwise_sub", at, first), most)
    kept = b.reshape(b.emit("where_index", {"Condition": near}), [-1])
    made = b.emit("gather", {"X": rows, "Index": kept})
    made.shape = (None, 3)
    return made


def _from_any_corners(b: Builder, boxes: Tensor) -> Tensor:
    """Any two opposite corners as the lower and the upper one."""
    one, other = b.slice(boxes, 2, 0, 2), b.slice(boxes, 2, 2, 4)
    ends = (b.binary(f"elementwise_{kind}", one, other) for kind in ("min", "max"))
    return b.concat(list(ends), 2)


def _from_centres(b: Builder, boxes: Tensor) -> Tensor:
    """Centres and sizes as corners."""
    centre = b.slice(boxes, 2, 0, 2)
    half = b.emit("scale", {"X": b.slice(boxes, 2, 2, 4)}, scale=0.5)
    ends = (b.binary(f"elementwise_{kind}", centre, half) for kind in ("sub", "add"))
    return b.concat(list(ends), 2)
