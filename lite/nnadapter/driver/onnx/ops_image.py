"""Interpolation and sampling of images."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.nnadapter.driver.attributes import GRID_PAD_NAMES, known, resize_position, resize_ratios
from lite.nnadapter.driver.onnx.graph import Emitter, operation
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
    inputs: list[str | None] = [c["input"], None, None, None]
    if scales is not None:
        inputs[2] = c.constant(np.asarray([1, 1, *scales], np.float32))
    else:
        front = c.shape("input")[:2]
        if sizes is not None and None not in front:
            inputs[3] = c.ints([*map(int, known(front)), *sizes])
        else:
            target = c.ints(sizes) if sizes is not None else c.shape_value("shape")
            inputs[3] = c.node("Concat", [c.dims("input", 0, 2), target], axis=0)
    return c.node(
        "Resize",
        inputs if inputs[3] else inputs[:3],
        mode="nearest" if c.type == "RESIZE_NEAREST" else "linear",
        coordinate_transformation_mode=position,
        nearest_mode="round_prefer_ceil" if position == "align_corners" else "floor",
    )


@operation("GRID_SAMPLE")
def grid_sample(c: Emitter) -> Any:
    """At positions from -1 to 1, given as (x, y)."""
    c.need_float("input", "grid")
    nearest = c.number("mode", 1) == InterpolateMode.NEAREST
    linear = "linear" if c.graph.opset >= 20 else "bilinear"
    return c.node(
        "GridSample",
        [c["input"], c["grid"]],
        align_corners=int(c.number("align_corners", True)),
        mode="nearest" if nearest else linear,
        padding_mode=GRID_PAD_NAMES[PadMode(c.number("pad_mode", 1))],
    )


@operation("ROI_ALIGN")
def roi_align(c: Emitter) -> Any:
    """Means of bilinear samples in the cells of each region."""
    c.need_float("input", "rois")
    rois = c.node("Reshape", [c["rois"], c.ints([-1, 4])])
    indices = c.node("Reshape", [c["batch_indices"], c.ints([-1])])
    return c.node(
        "RoiAlign",
        [c["input"], rois, c.node("Cast", [indices], to=7)],
        output_height=int(c.number("output_height")),
        output_width=int(c.number("output_width")),
        sampling_ratio=max(int(c.number("sampling_ratio", -1)), 0),
        spatial_scale=float(c.number("spatial_scale", 1.0)),
        coordinate_transformation_mode=(
            "half_pixel" if c.number("aligned", False) else "output_half_pixel"
        ),
    )
