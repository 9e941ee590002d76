"""Boxes and regions."""

from __future__ import annotations

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor


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
