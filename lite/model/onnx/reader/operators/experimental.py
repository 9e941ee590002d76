"""Operators of the first operator sets that are gone since the tenth: Core ML's converter and
torch's first exports wrote them.

Definitions: Operators.md of ONNX 1.3, docs/ContribOperators.md of ONNX Runtime.
"""

from __future__ import annotations

import numpy as np

from lite.model.onnx.reader.builder import END, Builder
from lite.model.onnx.reader.operators.images import resize
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor


@adapter
def image_scaler(
    b: Builder, call: Call, input: Tensor, scale: float, bias: list[float] | None
) -> Tensor:
    """scale x + bias of the channel."""
    made = b.emit("scale", {"X": input}, scale=scale)
    if not bias:
        return made
    of_channel = b.constant(np.array(bias, np.float32).reshape(-1, 1, 1))
    return b.binary("elementwise_add", made, b.cast(of_channel, input.dtype))


@adapter
def parametric_softplus(b: Builder, call: Call, X: Tensor, alpha: float, beta: float) -> Tensor:
    """alpha log(1 + exp(beta x))."""
    made = b.emit("softplus", {"X": b.emit("scale", {"X": X}, scale=beta)})
    return b.emit("scale", {"X": made}, scale=alpha)


@adapter
def crop(
    b: Builder, call: Call, input: Tensor, border: list[int], scale: list[int] | None
) -> Tensor:
    """Without borders (left, top, right, bottom), or ``scale`` rows and columns from the first."""
    if len(border) != 4 or (scale is not None and len(scale) != 2):
        raise CannotRead("a border of other than four sides, or a scale of other than two")
    left, top, right, bottom = border
    ends = [top + scale[0], left + scale[1]] if scale else [-bottom or END, -right or END]
    return b.emit("slice", {"Input": input}, axes=[2, 3], starts=[top, left], ends=ends)


@adapter
def first_upsample(
    b: Builder, call: Call, X: Tensor, height_scale: float, width_scale: float, mode: str
) -> Tensor:
    """Images enlarged by two factors."""
    return resize(b, call, X, [1.0, 1.0, height_scale, width_scale], mode=mode)
