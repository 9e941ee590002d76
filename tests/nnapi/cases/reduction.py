"""Reductions, positions of extremes and products of matrices."""

from __future__ import annotations

from ..rows import Row, bias, ints, row, scalar, tensor, truths, weights

FLOATS, NUMBERS, ALL = "f32 f16", "f32 f16 u8 i8", "f32 f16 i32 u8 i8"

_REDUCTIONS = [
    *(row("MEAN", tensor(2, 3, 4, 2), ints(axes), scalar(keep), kinds=NUMBERS, out="same")
      for axes, keep in (([1], 0), ([1, 2], 1), ([-1, 0, -1], 0), ([0, 1, 2, 3], 0), ([2, -2], 1))),
    *(row(name, tensor(2, 3, 4), ints(axes), scalar(keep), kinds=kinds, out="same")
      for name, kinds in (("REDUCE_MAX", NUMBERS), ("REDUCE_MIN", NUMBERS), ("REDUCE_SUM", FLOATS),
                          ("REDUCE_PROD", FLOATS))
      for axes, keep in (([1], False), ([0, 2], True), ([0, 1, 2], False), ([-1, 2], False))),
    *(row(name, truths(2, 3, 2), ints(axes), scalar(keep), kinds="bool", out="bool")
      for name in ("REDUCE_ALL", "REDUCE_ANY")
      for axes, keep in (([1], False), ([0, 2], True), ([0, 1, 2], False))),
]  # fmt: skip

_POSITIONS = [
    *(
        row(name, tensor(2, 3, 4), scalar(axis), kinds=ALL, out="int")
        for name in ("ARGMAX", "ARGMIN")
        for axis in (0, 1, -1)
    ),
    *(row(name, tensor(5), scalar(0), kinds="f32", out="int") for name in ("ARGMAX", "ARGMIN")),
    *(
        row("TOPK_V2", tensor(*shape), scalar(k), kinds=ALL, out=["same", "int"])
        for shape, k in (((6,), 2), ((2, 5), 5), ((2, 2, 4), 1))
    ),
]

_MATRICES = [
    *(row("FULLY_CONNECTED", tensor(*shape), weights(3, 4), bias(3), scalar(act), kinds=NUMBERS)
      for shape, act in (((2, 4), 0), ((2, 4), 1), ((2, 3, 4), 3), ((1, 2, 2, 4), 2), ((2, 2), 0))),
    *(row("BATCH_MATMUL", tensor(*a), tensor(*b), *(scalar(n) for n in flags), kinds=NUMBERS)
      for a, b, flags in (
          ((2, 3), (3, 4), (False, False)),
          ((2, 3, 2), (2, 3, 4), (True, False)),
          ((1, 2, 2, 3), (1, 2, 4, 3), (False, True)),
      )),
]  # fmt: skip

ROWS: list[Row] = [*_REDUCTIONS, *_POSITIONS, *_MATRICES]
