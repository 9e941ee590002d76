"""Operations that move elements, make tensors or tell of their shapes."""

from __future__ import annotations

from ..rows import Row, ints, places, row, scalar, stored, tensor

NUMBERS, ALL = "f32 f16 u8 i8", "f32 f16 i32 u8 i8"

_SHAPES = [
    *(row("RESHAPE", tensor(2, 3, 4), ints(*shape), kinds=NUMBERS, out="same")
      for shape in ((6, 4), (-1,), (1, 2, -1, 2))),
    row("SQUEEZE", tensor(1, 3, 1, 2), ints([0]), kinds=NUMBERS, out="same"),
    row("SQUEEZE", tensor(1, 3, 1, 2), ints([2, -4]), kinds=NUMBERS, out="same"),
    row("SQUEEZE", tensor(1, 1, 1), ints([0, 1, 2]), kinds="f32", out="same"),
    *(row("EXPAND_DIMS", tensor(2, 3), scalar(axis), kinds=ALL, out="same")
      for axis in (0, 1, 2, -1, -3)),
    row("TRANSPOSE", tensor(2, 3, 4), ints(2, 0, 1), kinds=NUMBERS, out="same"),
    row("TRANSPOSE", tensor(1, 2, 3, 4), ints(0, 3, 1, 2), kinds=NUMBERS, out="same"),
    row("RANK", tensor(2, 3, 4), kinds=ALL, out="scalar"),
    row("FILL", ints(2, 3), scalar(1.5), kinds="f32 f16"),
    row("FILL", ints(4), scalar(7), kinds="i32"),
]  # fmt: skip

_JOINTS = [
    *(row("CONCATENATION", tensor(2, 3, 4), tensor(2, 1, 4), scalar(1), kinds=NUMBERS, out="same")
      for _ in range(1)),
    row("CONCATENATION", tensor(2, 3), tensor(1, 3, low=-2, high=3), tensor(3, 3), scalar(0),
        kinds=NUMBERS),
    row("CONCATENATION", tensor(1, 2, 2, 3), tensor(1, 2, 2, 5), scalar(-1), kinds=NUMBERS,
        out="same"),
    *(row("PACK", scalar(axis), tensor(2, 3), tensor(2, 3), kinds=ALL, out="same")
      for axis in (0, 1, 2)),
    row("PACK", scalar(0), tensor(3), kinds="f32", out="same"),
    *(row("SPLIT", tensor(2, 6, 4), scalar(axis), scalar(parts), kinds=ALL, out="same")
      for axis, parts in ((1, 3), (0, 2), (-1, 4))),
]  # fmt: skip

_PARTS = [
    row("SLICE", tensor(3, 4, 5), ints(1, 0, 2), ints(2, 4, 1), kinds=ALL, out="same"),
    row("SLICE", tensor(3, 4), ints(1, 1), ints(-1, 2), kinds=ALL, out="same"),
    *(row("STRIDED_SLICE", tensor(4, 5, 6), ints(*begin), ints(*end), ints(*step),
          *(scalar(m) for m in masks), kinds=NUMBERS, out="same")
      for begin, end, step, masks in (
          ((0, 1, 1), (3, 5, 6), (1, 2, 3), (0, 0, 0)),
          ((1, 1, 1), (2, 3, 3), (1, 1, 1), (3, 5, 0)),
          ((2, -1, 0), (3, 0, 6), (1, -2, 1), (0, 0, 1)),
          ((-3, 0, 5), (-1, 9, 0), (1, 1, -1), (0, 0, 0)),
          ((1, 2, 3), (2, 3, 4), (1, 1, 1), (0, 0, 7)),
      )),
    *(row("REVERSE", tensor(2, 3, 4), ints([axis]), kinds=ALL, out="same") for axis in (0, 1, 2)),
    row("GATHER", tensor(4, 3, 2), scalar(0), places([2, 0, 3]), kinds=ALL, out="same"),
    row("GATHER", tensor(2, 4, 3), scalar(1), places([[1, 0], [3, 3]]), kinds=ALL, out="same"),
    row("GATHER", tensor(2, 4, 3), scalar(-1), places([2]), kinds=ALL, out="same"),
    row("EMBEDDING_LOOKUP", places([2, 0, 2]), tensor(4, 3), kinds="f32 f16 i32 u8 i8",
        out="same"),
    row("EMBEDDING_LOOKUP", places([1, 0]), tensor(3, 2, 4), kinds="f32 u8", out="same"),
]  # fmt: skip

_EDGES = [
    row("PAD", tensor(2, 3), ints([[1, 0], [2, 1]]), kinds=NUMBERS, out="same"),
    row("PAD", tensor(1, 2, 3, 2), ints([[0, 0], [0, 2], [1, 3], [0, 0]]), kinds=NUMBERS,
        out="same"),
    row("PAD_V2", tensor(2, 3), ints([[1, 0], [2, 1]]), scalar(0.5), kinds="f32 f16"),
    row("PAD_V2", tensor(1, 2, 3, 2), ints([[0, 0], [0, 2], [1, 3], [0, 0]]), scalar(-2.5),
        kinds="f32 f16"),
    *(row("MIRROR_PAD", tensor(3, 4), ints([[1, 2], [2, 1]]), scalar(mode), kinds=ALL, out="same")
      for mode in (0, 1)),
    row("MIRROR_PAD", tensor(2, 3, 2), ints([[0, 0], [3, 3], [1, 0]]), scalar(1), kinds=ALL,
        out="same"),
    *(row("TILE", tensor(*shape), ints(*repeats), kinds=ALL, out="same")
      for shape, repeats in (((3,), (2,)), ((2, 3), (1, 2)), ((2, 1, 3), (2, 3, 1)))),
]  # fmt: skip

_BLOCKS = [
    *(row("SPACE_TO_DEPTH", tensor(*shape), scalar(2), *(scalar(n) for n in nchw), kinds=NUMBERS,
          out="same")
      for shape, nchw in (((1, 4, 6, 3), ()), ((2, 4, 2, 1), (False,)), ((1, 3, 4, 6), (True,)))),
    *(row("DEPTH_TO_SPACE", tensor(*shape), scalar(2), *(scalar(n) for n in nchw), kinds=NUMBERS,
          out="same")
      for shape, nchw in (((1, 2, 3, 8), ()), ((2, 2, 1, 4), (False,)), ((1, 12, 2, 3), (True,)))),
    *(row("SPACE_TO_BATCH_ND", tensor(*shape), ints(*block), ints(pads),
          *(scalar(n) for n in nchw), kinds=NUMBERS, out="same")
      for shape, block, pads, nchw in (
          ((1, 4, 4, 2), (2, 2), [[0, 0], [0, 0]], ()),
          ((2, 5, 3, 1), (3, 2), [[1, 0], [2, 1]], ()),
          ((1, 2, 4, 6), (2, 3), [[0, 0], [0, 0]], (True,)),
      )),
    *(row("BATCH_TO_SPACE_ND", tensor(*shape), ints(*block), *(scalar(n) for n in nchw),
          kinds=NUMBERS, out="same")
      for shape, block, nchw in (
          ((4, 1, 2, 3), (2, 2), ()), ((12, 2, 1, 1), (2, 3), ()), ((4, 3, 2, 2), (2, 2), (True,)),
      )),
    *(row("CHANNEL_SHUFFLE", tensor(*shape), scalar(groups), scalar(axis), kinds=NUMBERS,
          out="same")
      for shape, groups, axis in (
          ((1, 2, 2, 6), 3, -1), ((1, 6, 2, 2), 2, 1), ((4, 3), 2, 0), ((2, 3, 12), 4, 2),
      )),
]  # fmt: skip

_CASTS = [
    row("CAST", tensor(2, 3), kinds="f32 f16 i32 u8 i8 bool q16 a16 s8", out="same", name="same"),
    row("CAST", tensor(2, 3, low=-4, high=4), kinds="f32", out="i32", name="to int"),
    row("CAST", tensor(2, 3), kinds="i32 f16", out="f32", name="to float"),
    row("CAST", tensor(2, 3), kinds="f32 i32", out="f16", name="to half"),
    row("CAST", stored([0, 1, 2.7, 255]), kinds="f32 i32", out="stored", name="to stored"),
    row("CAST", stored([0, 1, 7, 100]), kinds="u8 i8", out="f32", name="stored to float"),
    row("CAST", stored([0, 1, 7, 100]), kinds="u8 i8", out="i32", name="stored to int"),
]

ROWS: list[Row] = [*_SHAPES, *_JOINTS, *_PARTS, *_EDGES, *_BLOCKS, *_CASTS]
