"""Interpolation and sampling of images."""

from __future__ import annotations

from typing import Any

import numpy as np
import openvino.opset13 as ops

from lite.nnadapter.driver.attributes import GRID_PAD_NAMES, resize_position, resize_ratios
from lite.nnadapter.driver.intel_openvino.graph import Emitter, constant, operation
from lite.nnadapter.hal import Unsupported
from lite.nnadapter.types import InterpolateMode, PadMode


@operation("RESIZE_NEAREST", "RESIZE_LINEAR")
def resize(c: Emitter) -> Any:
    """By target sizes, or by scales."""
    c.need_float("input")
    rank = c.rank("input")
    if rank not in (4, 5):
        raise Unsupported(f"{c.type} is for 4 or 5 dimensions here, not {rank}")
    sizes, scales = resize_ratios(c.op)
    position = resize_position(c.op)
    if scales is not None:
        target, kind = constant(np.asarray(scales, np.float32)), "scales"
    elif sizes is not None:
        target, kind = constant(np.asarray(sizes, np.int64)), "sizes"
    else:
        target, kind = c.shape_value("shape"), "sizes"
    if c.type == "RESIZE_NEAREST":
        mode, nearest = "nearest", "round_prefer_ceil" if position == "align_corners" else "floor"
    else:
        mode, nearest = "linear_onnx", "floor"
    return ops.interpolate(
        c["input"], target, mode, kind, coordinate_transformation_mode=position,
        nearest_mode=nearest, axes=constant(list(range(2, rank))),
    )  # fmt: skip


@operation("GRID_SAMPLE")
def grid_sample(c: Emitter) -> Any:
    """At positions from -1 to 1, given as (x, y)."""
    c.need_float("input", "grid")
    nearest = c.number("mode", 1) == InterpolateMode.NEAREST
    return ops.grid_sample(
        c["input"],
        c["grid"],
        {
            "align_corners": bool(c.number("align_corners", True)),
            "mode": "nearest" if nearest else "bilinear",
            "padding_mode": GRID_PAD_NAMES[PadMode(c.number("pad_mode", 1))],
        },
    )


@operation("ROI_ALIGN")
def roi_align(c: Emitter) -> Any:
    """Means of bilinear samples in the cells of each region."""
    c.need_float("input", "rois")
    indices = ops.reshape(c["batch_indices"], constant([-1]), False)
    return ops.roi_align(
        c["input"], ops.reshape(c["rois"], constant([-1, 4]), False), indices,
        int(c.number("output_height")), int(c.number("output_width")),
        max(int(c.number("sampling_ratio", -1)), 0), float(c.number("spatial_scale", 1.0)), "avg",
        "half_pixel_for_nn" if c.number("aligned", False) else "asymmetric",
    )  # fmt: skip
