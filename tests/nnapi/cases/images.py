"""Convolutions, poolings, sizes and regions of images."""

from __future__ import annotations

from ..rows import Row, bias, numbers, places, row, scalar, tensor, weights

NUMBERS, FILTERED = "f32 f16 u8 i8", "f32 f16 u8 i8 channel"
SAME, VALID = 1, 2


def _scalars(*values: float | int | bool) -> list:  # type: ignore[type-arg]
    return [scalar(v) for v in values]


_CONVOLUTIONS = [
    *(row("CONV_2D", tensor(2, 5, 6, 3), weights(4, 3, 2, 3), bias(4),
          *_scalars(scheme, 2, 1, act), kinds=FILTERED)
      for scheme, act in ((SAME, 0), (VALID, 1), (SAME, 3))),
    row("CONV_2D", tensor(1, 5, 6, 3), weights(4, 3, 2, 3), bias(4),
        *_scalars(1, 0, 2, 1, 1, 2, 2), kinds=FILTERED),
    row("CONV_2D", tensor(1, 3, 5, 6), weights(4, 3, 2, 3), bias(4),
        *_scalars(SAME, 1, 1, 0, True), kinds=FILTERED),
    row("CONV_2D", tensor(1, 3, 5, 6), weights(4, 3, 2, 3), bias(4),
        *_scalars(1, 2, 0, 1, 1, 1, 0, True), kinds=FILTERED),
    *(row("CONV_2D", tensor(1, 7, 8, 2), weights(3, 3, 3, 2), bias(3),
          *_scalars(scheme, 1, 1, 0, False, 2, 1), kinds=FILTERED)
      for scheme in (SAME, VALID)),
    row("CONV_2D", tensor(1, 7, 8, 2), weights(3, 2, 2, 2), bias(3),
        *_scalars(0, 1, 1, 0, 1, 1, 0, False, 1, 3), kinds=FILTERED),
    row("CONV_2D", tensor(1, 3, 3, 8), weights(2, 1, 1, 8), bias(2), *_scalars(VALID, 1, 1, 0),
        kinds=FILTERED),
    *(row("DEPTHWISE_CONV_2D", tensor(2, 5, 6, 2), weights(1, 3, 2, 4, channel=3), bias(4),
          *_scalars(scheme, 1, 2, 2, act), kinds=FILTERED)
      for scheme, act in ((SAME, 1), (VALID, 0))),
    row("DEPTHWISE_CONV_2D", tensor(1, 5, 6, 3), weights(1, 3, 3, 3, channel=3), bias(3),
        *_scalars(1, 0, 1, 2, 1, 1, 1, 0), kinds=FILTERED),
    row("DEPTHWISE_CONV_2D", tensor(1, 3, 5, 6), weights(1, 3, 3, 3, channel=3), bias(3),
        *_scalars(SAME, 1, 1, 1, 0, True), kinds=FILTERED),
    row("DEPTHWISE_CONV_2D", tensor(1, 7, 7, 2), weights(1, 2, 3, 2, channel=3), bias(2),
        *_scalars(SAME, 1, 1, 1, 0, False, 2, 2), kinds=FILTERED),
    row("DEPTHWISE_CONV_2D", tensor(1, 7, 7, 1), weights(1, 2, 2, 2, channel=3), bias(2),
        *_scalars(0, 0, 0, 0, 1, 1, 2, 0, False, 2, 1), kinds=FILTERED),
    row("GROUPED_CONV_2D", tensor(1, 4, 5, 4), weights(6, 2, 3, 2), bias(6),
        *_scalars(SAME, 1, 1, 2, 1, False), kinds=FILTERED),
    row("GROUPED_CONV_2D", tensor(1, 4, 4, 5), weights(2, 2, 3, 2), bias(2),
        *_scalars(1, 0, 0, 1, 2, 1, 2, 0, True), kinds=FILTERED),
    *(row("TRANSPOSE_CONV_2D", tensor(1, 3, 4, 2), weights(3, 3, 3, 2), bias(3),
          numbers([1, 6, 8, 3], type="i32"), *_scalars(SAME, 2, 2, act, False), kinds=FILTERED)
      for act in (0, 1)),
    row("TRANSPOSE_CONV_2D", tensor(1, 3, 4, 2), weights(3, 3, 3, 2), bias(3),
        numbers([1, 7, 9, 3], type="i32"), *_scalars(VALID, 2, 2, 0, False), kinds=FILTERED),
    row("TRANSPOSE_CONV_2D", tensor(1, 3, 4, 2), weights(3, 3, 2, 2), bias(3),
        *_scalars(1, 0, 0, 1, 2, 1, 0, False), kinds=FILTERED),
    row("TRANSPOSE_CONV_2D", tensor(2, 2, 3, 4), weights(3, 3, 3, 2), bias(3),
        *_scalars(0, 1, 1, 0, 1, 2, 3, True), kinds=FILTERED),
]  # fmt: skip

_POOLS = [
    *(row(name, tensor(2, 5, 6, 3), *_scalars(scheme, 2, 1, 3, 2, act), kinds=kinds, out="same")
      for name, kinds in (("AVERAGE_POOL_2D", NUMBERS), ("MAX_POOL_2D", NUMBERS),
                          ("L2_POOL_2D", "f32 f16"))
      for scheme, act in ((SAME, 0), (VALID, 1), (SAME, 3))),
    *(row(name, tensor(1, 5, 6, 3), *_scalars(1, 0, 1, 1, 2, 2, 3, 3, 0), kinds=kinds, out="same")
      for name, kinds in (("AVERAGE_POOL_2D", NUMBERS), ("MAX_POOL_2D", NUMBERS),
                          ("L2_POOL_2D", "f32 f16"))),
    *(row(name, tensor(1, 3, 5, 6), *_scalars(SAME, 1, 2, 2, 3, 0, True), kinds=kinds, out="same")
      for name, kinds in (("AVERAGE_POOL_2D", NUMBERS), ("MAX_POOL_2D", NUMBERS),
                          ("L2_POOL_2D", "f32 f16"))),
    *(row(name, tensor(1, 3, 5, 6), *_scalars(0, 0, 0, 0, 1, 1, 6, 5, 0, True), kinds=kinds,
          out="same")
      for name, kinds in (("AVERAGE_POOL_2D", NUMBERS), ("MAX_POOL_2D", NUMBERS))),
]  # fmt: skip

_SIZES = [
    *(row(name, tensor(1, 3, 4, 2), *_scalars(*sizes, *rest), kinds=NUMBERS, out="same")
      for name in ("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR")
      for sizes in ((6, 5), (2, 2), (8, 6))
      for rest in ((False,), (False, True, False), (False, False, True))),
    *(row(name, tensor(1, 2, 3, 4), *_scalars(*sizes, True, *rest), kinds="f32 u8", out="same")
      for name in ("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR")
      for sizes in ((6, 5), (7, 7))
      for rest in ((), (False, True))),
    row("RESIZE_BILINEAR", tensor(2, 2, 3, 2), *_scalars(5, 5), kinds=NUMBERS, out="same"),
    *(row(name, tensor(1, 3, 4, 2), *_scalars(1.5, 2.0, False), kinds="f32 u8 i8", out="same")
      for name in ("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR")),
]  # fmt: skip

_ROIS = [[0.5, 0.5, 3.5, 2.5], [1.0, 0.0, 6.0, 5.0], [2.0, 1.0, 4.0, 6.0]]

_OTHERS = [
    *(row("INSTANCE_NORMALIZATION", tensor(2, 3, 4, 2), *_scalars(gamma, beta, 1e-3, nchw))
      for gamma, beta, nchw in ((1.0, 0.0, False), (2.0, -1.0, False), (0.5, 0.25, True))),
    *(row("ROI_ALIGN", tensor(2, 4, 5, 3), numbers(_ROIS), places([0, 1, 1]),
          *_scalars(2, 3, 1.5, 1.5, samples, samples, False), kinds="f32")
      for samples in (2, 0)),
    row("ROI_ALIGN", tensor(2, 4, 5, 3), numbers(_ROIS, 0, 8, "a16"), places([0, 1, 1]),
        *_scalars(2, 3, 1.5, 1.5, 2, 2, False), kinds="u8 i8"),
    row("ROI_ALIGN", tensor(2, 3, 4, 5), numbers(_ROIS), places([0, 0, 1]),
        *_scalars(2, 2, 2.0, 2.0, 4, 4, True), kinds="f32"),
    row("ROI_ALIGN", tensor(1, 4, 5, 2), numbers(_ROIS), places([0, 0, 0]),
        *_scalars(2, 2, 2.0, 1.0, 2, 2, False), kinds="f32"),
]  # fmt: skip

ROWS: list[Row] = [*_CONVOLUTIONS, *_POOLS, *_SIZES, *_OTHERS]
