"""Fourier transforms and windows."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.operators.arithmetic import converted
from lite.model.onnx.reader.operators.shapes import counted, integers
from lite.model.onnx.reader.translate import Call, adapter, held_type
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.program import DataType


@adapter
def dft(
    b: Builder,
    call: Call,
    input: Tensor,
    dft_length: Tensor | None,
    axis: Any,
    inverse: int,
    onesided: int,
) -> Tensor:
    """A transform of one axis; the last one holds a number's parts."""
    axes = integers(axis if axis is None or isinstance(axis, Tensor) else [axis], "axis") or [-2]
    at = axes[0] % input.rank
    if at == input.rank - 1:
        raise CannotRead("a transform along the parts of numbers")
    if inverse and onesided:
        raise CannotRead("the inverse of one side")
    length = integers(dft_length, "dft_length")
    x = _of_length(b, input, at, length[0]) if length else input
    return _transformed(b, x, at, bool(inverse), bool(onesided))


def _of_length(b: Builder, x: Tensor, axis: int, length: int) -> Tensor:
    """So many elements: the first ones, with zeros behind them."""
    part = b.slice(x, axis, 0, length)
    have = part.shape[axis] if part.shape is not None else None
    if have is None:
        raise CannotRead("dft_length for an axis of unknown size")
    paddings = [0] * (2 * x.rank)
    paddings[2 * axis + 1] = length - have
    if length == have:
        return part
    made = b.emit("pad", {"X": part}, paddings=paddings)
    made.shape = _with_size(part, axis, length)
    return made


def _with_size(x: Tensor, axis: int, size: int | None) -> tuple[int | None, ...]:
    """A tensor's shape with another size of an axis."""
    assert x.shape is not None
    return (*x.shape[:axis], size, *x.shape[axis + 1 :])


def _transformed(b: Builder, x: Tensor, axis: int, inverse: bool, onesided: bool) -> Tensor:
    last = x.rank - 1
    parts, size = (x.shape[last], x.shape[axis]) if x.shape is not None else (None, None)
    if parts not in (1, 2):
        raise CannotRead("numbers whose parts are not known to be one or two")
    how: dict[str, Any] = {"axes": [axis], "normalization": "backward", "forward": not inverse}
    if parts == 1 and not inverse:
        real = b.squeeze(x, [last])
        made = b.emit("as_real", {"X": b.emit("fft_r2c", {"X": real}, onesided=onesided, **how)})
        half = size // 2 + 1 if onesided and size is not None else None
        made.shape = (*_with_size(real, axis, half if onesided else size), 2)
        return made
    if parts == 1:
        x = b.concat([x, b.emit("scale", {"X": x}, scale=0.0)], last)
    whole = b.emit(
        "as_real", {"X": b.emit("fft_c2c", {"X": b.emit("as_complex", {"X": x})}, **how)}
    )
    whole.shape = (*_with_size(x, axis, size)[:last], 2)
    if not onesided:
        return whole
    if size is None:
        raise CannotRead("one side of an axis of unknown size")
    return b.slice(whole, axis, 0, size // 2 + 1)


@adapter
def stft(
    b: Builder,
    call: Call,
    signal: Tensor,
    frame_step: Tensor,
    window: Tensor | None,
    frame_length: Tensor | None,
    onesided: int,
) -> Tensor:
    """Transforms of frames of a signal [batch, time, parts], or [batch, time] of real numbers."""
    (step,) = integers(frame_step, "frame_step") or [0]
    given = integers(frame_length, "frame_length")
    length = given[0] if given else window.shape[0] if window is not None and window.shape else None
    if length is None or step < 1:
        raise CannotRead(f"frames of {length} elements at a distance of {step}")
    if signal.rank == 2:  # of real numbers
        signal = b.unsqueeze(signal, [2])
    # Parts stand before the time in a frame: [batch, parts, time] to [batch, frames, time, parts].
    lines = b.transpose(signal, [0, 2, 1])
    frames = b.emit("frame", {"X": lines}, frame_length=length, hop_length=step, axis=-1)
    parts = signal.shape[2] if signal.shape is not None else None
    frames.shape = (None, parts, length, None)
    placed = b.transpose(frames, [0, 3, 2, 1])
    if window is not None:
        placed = b.binary("elementwise_mul", placed, b.unsqueeze(window, [1]))
    return _transformed(b, placed, 2, False, bool(onesided))


_WINDOWS = {
    "HannWindow": (0.5, -0.5, 0.0),
    "HammingWindow": (25 / 46, -21 / 46, 0.0),
    "BlackmanWindow": (0.42, -0.5, 0.08),
}
"""Weights of 1, of a cosine and of one of twice its frequency."""


@adapter
def window(b: Builder, call: Call, size: Tensor, periodic: int, output_datatype: int) -> Tensor:
    """A window of so many elements, with or without a last one that repeats the first."""
    count = b.reshape(b.cast(size, DataType.INT64), [1])
    wide = b.cast(count, DataType.FP64)
    steps = wide if periodic else b.binary("elementwise_sub", wide, b.like(1, wide))
    at = b.cast(counted(b, count), DataType.FP64)
    turns = b.binary("elementwise_div", at, steps)
    constant, once, twice = _WINDOWS[call.node.type]
    made = b.emit("scale", {"X": _cosine(b, turns, 2 * pi)}, scale=once, bias=constant)
    if twice:
        second = b.emit("scale", {"X": _cosine(b, turns, 4 * pi)}, scale=twice)
        made = b.binary("elementwise_add", made, second)
    return converted(b, made, *held_type(output_datatype, "the window"))


@adapter
def mel_weights(
    b: Builder,
    call: Call,
    num_mel_bins: Tensor,
    dft_length: Tensor,
    sample_rate: Tensor,
    lower_edge_hertz: Tensor,
    upper_edge_hertz: Tensor,
    output_datatype: int,
) -> Tensor:
    """[frequencies, bands]: of each band a triangle whose corners are those of its neighbours."""
    given = (num_mel_bins, dft_length, sample_rate, lower_edge_hertz, upper_edge_hertz)
    if any(x.array is None for x in given):
        raise CannotRead("sizes and edges that are computed")
    bands, length, rate, low, high = (np.asarray(x.array).reshape(-1)[0].item() for x in given)
    if min(bands, length, rate) < 1 or max(bands, length) > 1 << 20:
        raise CannotRead(f"{bands} bands of {length} samples at {rate} Hz")
    first, last = (2595 * np.log10(1 + edge / 700) for edge in (low, high))
    mels = first + np.arange(bands + 2) * ((last - first) / (bands + 2))
    corners = ((length + 1) * (700 * (10 ** (mels / 2595) - 1)) // rate).astype(np.int64)
    left, middle, right = corners[:-2], corners[1:-1], corners[2:]
    at = np.arange(length // 2 + 1)[:, None]
    rises = np.where(middle > left, (at - left) / np.maximum(middle - left, 1), at >= middle)
    falls = np.where(right > middle, (right - at) / np.maximum(right - middle, 1), at <= middle)
    made = b.constant(np.clip(np.minimum(rises, falls), 0, 1))
    return converted(b, made, *held_type(output_datatype, "the matrix"))


def _cosine(b: Builder, x: Tensor, factor: float) -> Tensor:
    # A factor in float64: the attribute of `scale` has 32 bits.
    return b.emit("cos", {"X": b.binary("elementwise_mul", x, b.constant(np.float64(factor)))})
