"""Pairs of elements that are turned by an angle of their token's place.

Definitions: docs/ContribOperators.md of ONNX Runtime.
"""

from __future__ import annotations

import numpy as np

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.operators import attention as onnx_attention
from lite.model.onnx.reader.operators.shapes import counted
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor, limited
from lite.model.program import DataType


@adapter
def rotary_positions(
    b: Builder,
    call: Call,
    input: Tensor,
    position_ids: Tensor,
    cos_cache: Tensor,
    sin_cache: Tensor,
    interleaved: int,
    num_heads: int,
    rotary_embedding_dim: int,
    scale: float,
    is_packed_batching: int,
) -> Tensor:
    """Pairs of elements turned; one position is that of the first row."""
    if is_packed_batching or scale != 1:
        raise CannotRead("packed batches, or a scale")
    half = cos_cache.shape[-1] if cos_cache.shape is not None else None
    heads = num_heads or _heads(input, half or 0)
    if position_ids.rank == 1:
        axis = 1 if input.rank == 3 else 2
        rows = counted(b, b.slice(b.shape_of(input), 0, axis, axis + 1))
        batch = b.slice(b.shape_of(input), 0, 0, 1)
        first = b.full(b.concat([batch, b.ints([1])], 0), 0, DataType.INT64)
        rows = b.binary("elementwise_add", rows, b.cast(position_ids, DataType.INT64))
        position_ids = b.binary("elementwise_add", first, b.unsqueeze(rows, [0]))
    return turned(
        b, call, input, (cos_cache, sin_cache), position_ids, interleaved, heads,
        rotary_embedding_dim,
    )  # fmt: skip


def turned(
    b: Builder,
    call: Call,
    x: Tensor,
    caches: tuple[Tensor, Tensor],
    places: Tensor,
    interleaved: int,
    heads: int,
    size: int = 0,
) -> Tensor:
    """``x`` turned by the angles of its places; of a head as much as the caches are wide."""
    half = caches[0].shape[-1] if caches[0].shape is not None else None
    if not size and half is None:
        raise CannotRead("a width of cos_cache that is not known")
    return onnx_attention.rotary_embedding(
        b, call, x, *caches, places, interleaved, heads, size or 2 * (half or 0)
    )


@adapter
def rotary_images(
    b: Builder,
    call: Call,
    input: Tensor,
    position_ids: Tensor,
    cos_cache: Tensor,
    sin_cache: Tensor,
    interleaved: int,
    num_heads: int,
    rotary_embedding_dim: int,
    scale: float,
    is_packed_batching: int,
    mrope_layout: int,
    mrope_section: list[int],
) -> Tensor:
    """Of a token's places in time, height and width [3, batch, length], each turns some pairs:
    those of a section, or every third."""
    if is_packed_batching or scale != 1 or mrope_layout not in (0, 1) or len(mrope_section) != 3:
        raise CannotRead("packed batches, a scale, or an unknown mrope_layout or mrope_section")
    half = limited(sum(abs(size) for size in mrope_section))
    if half != sum(mrope_section):
        raise CannotRead(f"mrope_section {mrope_section}")
    owner = np.repeat(np.arange(3), mrope_section)
    if mrope_layout:
        owner = np.zeros(half, np.int64)
        for which in (1, 2):
            owner[which : mrope_section[which] * 3 : 3] = which
    places = b.cast(position_ids, DataType.INT64)

    def angles(cache: Tensor) -> Tensor:
        table = b.cast(cache, DataType.FP32)
        made = None
        for which in range(3):
            at = b.slice(places, 0, which, which + 1, drop=True)
            rows = b.emit("lookup_table_v2", {"Ids": at, "W": table}, padding_idx=-1)
            mine = b.constant((owner == which).astype(np.float32))
            part = b.binary("elementwise_mul", rows, mine)
            made = part if made is None else b.binary("elementwise_add", made, part)
        assert made is not None
        made.shape = (None, None, half)
        return made

    made = onnx_attention.rotary_embedding(
        b,
        call,
        b.cast(input, DataType.FP32),
        angles(cos_cache),
        angles(sin_cache),
        None,
        interleaved,
        num_heads or _heads(input, half),
        rotary_embedding_dim,
    )
    return b.cast(made, input.dtype)


def _heads(x: Tensor, half: int) -> int:
    """Of rows that are turned whole, pairs and pairs."""
    if x.rank != 3:
        return 0
    width = x.shape[-1] if x.shape is not None else None
    if not width or not half or width % (2 * half):
        raise CannotRead("sizes of heads that are not known")
    return width // (2 * half)
