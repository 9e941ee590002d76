"""Attention over a cache of keys and values, as language models for ONNX Runtime have it.

Definitions: docs/ContribOperators.md of ONNX Runtime.
"""

from __future__ import annotations

from math import sqrt

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.operators.attention import LOWEST
from lite.model.onnx.reader.operators.attention_cache import Places, elements
from lite.model.onnx.reader.operators.matrix import rms_norm
from lite.model.onnx.reader.operators.rotary import turned
from lite.model.onnx.reader.operators.shapes import counted
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.program import DataType


@adapter
def group_query_attention(
    b: Builder,
    call: Call,
    query: Tensor,
    key: Tensor | None,
    value: Tensor | None,
    past_key: Tensor | None,
    past_value: Tensor | None,
    seqlens_k: Tensor,
    total_sequence_length: Tensor,
    cos_cache: Tensor | None,
    sin_cache: Tensor | None,
    position_ids: Tensor | None,
    attention_bias: Tensor | None,
    head_sink: Tensor | None,
    k_scale: Tensor | None,
    v_scale: Tensor | None,
    q_norm_weight: Tensor | None,
    k_norm_weight: Tensor | None,
    query_seqlens: Tensor | None,
    num_heads: int,
    kv_num_heads: int,
    scale: float | None,
    softcap: float,
    local_window_size: int,
    do_rotary: int,
    rotary_interleaved: int,
    smooth_softmax: int,
    sliding_window_cache: int,
    qk_output: int,
    causal: int,
    k_quant_type: str,
    v_quant_type: str,
    kv_cache_bit_width: int,
    qk_norm_epsilon: float,
    q_norm_epsilon: float | None,
    k_norm_epsilon: float | None,
) -> list[Tensor | None]:
    """Groups of heads that share keys; these follow the ones of earlier steps in a cache."""
    if sliding_window_cache and (past_key is None or local_window_size <= 0):
        raise CannotRead("sliding_window_cache without a window, or without a cache")
    if sliding_window_cache and (attention_bias is not None or qk_output):
        raise CannotRead("attention_bias or qk_output of a sliding_window_cache")
    if not causal and (local_window_size >= 0 or query_seqlens is not None):
        raise CannotRead("a window or query_seqlens without the causal mask")
    if (q_norm_weight is None) != (k_norm_weight is None):
        raise CannotRead("q_norm_weight or k_norm_weight alone")
    q, k, v = _parts(b, query, key, value, num_heads, kv_num_heads)
    width = q.shape[2] if q.shape is not None and len(q.shape) == 3 else None
    if not width or width % num_heads:
        raise CannotRead("a size of heads that is not known")
    count = b.slice(b.shape_of(q), 0, 1, 2)
    window = local_window_size if sliding_window_cache else 0
    places = _places(b, count, seqlens_k, total_sequence_length, query_seqlens, window)
    at = b.unsqueeze(places.before, [1])
    at = b.binary("elementwise_add", at, b.unsqueeze(counted(b, count), [0]))
    norms = (
        (q_norm_weight, q_norm_epsilon or qk_norm_epsilon),
        (k_norm_weight, k_norm_epsilon or qk_norm_epsilon),
    )
    turns = at if position_ids is None else b.cast(position_ids, DataType.INT64)
    parts = []
    for x, heads, (weight, epsilon) in zip((q, k), (num_heads, kv_num_heads), norms, strict=True):
        if weight is not None:
            x = _normed(b, call, x, weight, heads, epsilon)
        if do_rotary:
            if cos_cache is None or sin_cache is None:
                raise CannotRead("do_rotary without cos_cache and sin_cache")
            x = turned(b, call, x, (cos_cache, sin_cache), turns, rotary_interleaved, heads)
        parts.append(x)
    held = (
        (parts[1], past_key, elements(b, past_key, k_scale, k_quant_type, kv_cache_bit_width)),
        (v, past_value, elements(b, past_value, v_scale, v_quant_type, kv_cache_bit_width)),
    )
    seen: list[Tensor] = []
    kept: list[Tensor] = []
    for x, past, kind in held:
        rows = b.transpose(b.reshape(x, [0, 0, kv_num_heads, -1]), [0, 2, 1, 3])
        whole, next_past = places.step(b, past, kind.held(b, rows))
        seen.append(kind.floats(b, whole))
        kept.append(next_past)
    if causal:
        at = places.in_cache(b, past_key, at)
    else:  # all see what the last sees
        at = b.unsqueeze(b.binary("elementwise_sub", places.behind, b.ints([1])), [1])
    bias = _seen(b, seen[0], at, local_window_size, attention_bias, kv_num_heads)
    sink = head_sink
    if sink is None and smooth_softmax > 0:
        sink = b.full(b.ints([num_heads]), 0.0, DataType.FP32)
    size = width // num_heads
    q = b.reshape(parts[0], [0, 0, kv_num_heads, num_heads // kv_num_heads, size])
    q = b.emit("scale", {"X": b.transpose(q, [0, 2, 3, 1, 4])}, scale=scale or 1 / sqrt(size))
    out, scores, weights = _attended(b, (q, seen[0], seen[1]), bias, sink, softcap)
    out = b.reshape(out, [0, 0, -1])
    out.shape = (None, None, width)
    return [out, *kept, _shown(b, scores, weights, places.total, num_heads, qk_output)]


def _places(
    b: Builder, count: Tensor, last: Tensor, total: Tensor, valid: Tensor | None, window: int
) -> Places:
    """``last`` is seqlens_k: the place of the last new token, of which ``valid`` or all count."""
    last, total = (b.cast(b.flat(x), DataType.INT64) for x in (last, total))
    behind = b.binary("elementwise_add", last, b.ints([1]))
    new = count if valid is None else b.cast(b.flat(valid), DataType.INT64)
    # A first prompt that is shorter than its row counts from 0 on.
    before = b.binary("elementwise_max", b.binary("elementwise_sub", behind, new), b.ints([0]))
    return Places(before, behind, total, window)


def _normed(b: Builder, call: Call, x: Tensor, weight: Tensor, heads: int, eps: float) -> Tensor:
    """Each head [..., size] of [batch, length, heads size] over the root of its mean square."""
    parts = rms_norm(b, call, b.reshape(x, [0, 0, heads, -1]), weight, -1, eps, 1)
    made = b.reshape(parts, [0, 0, -1])
    made.shape = x.shape
    return made


def _shown(
    b: Builder, scores: Tensor, weights: Tensor, total: Tensor, heads: int, which: int
) -> Tensor | None:
    """Scores, 0 where they are hidden, or what softmax makes of them: [batch, heads, length, total]
    by ``qk_output``."""
    if which not in (1, 2):
        return None
    if which == 1:
        seen = b.binary("greater_than", scores, b.like(LOWEST / 2, scores))
        weights = b.binary("elementwise_mul", scores, b.cast(seen, DataType.FP32))
    sizes = [b.slice(b.shape_of(weights), 0, i, i + 1) for i in (0, 3, 4)]
    shape = b.int32(b.concat([sizes[0], b.ints([heads]), *sizes[1:]], 0))
    made = b.emit("reshape2", {"X": weights, "Shape": shape})
    inputs = {"Input": made, "EndsTensor": b.int32(total)}
    return b.emit("slice", inputs, axes=[3], starts=[0], ends=[-1])


def _parts(
    b: Builder,
    query: Tensor,
    key: Tensor | None,
    value: Tensor | None,
    heads: int,
    kv_heads: int,
) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values [batch, length, heads size], of one tensor where that has all."""
    if key is not None and value is not None:
        return query, key, value
    width = query.shape[2] if query.shape is not None and len(query.shape) == 3 else None
    if not width or width % (heads + 2 * kv_heads):
        raise CannotRead(f"packed queries of width {width or 'unknown'}")
    size = width // (heads + 2 * kv_heads)
    sections = [heads * size, kv_heads * size, kv_heads * size]
    q, k, v = b.emit_all("split", {"X": query}, {"Out": 3}, sections=sections, axis=2)
    for part, columns in zip((q, k, v), sections, strict=True):
        part.shape = (None, None, columns)
    return q, k, v


def _seen(
    b: Builder, keys: Tensor, places: Tensor, window: int, bias: Tensor | None, kv_heads: int
) -> Tensor:
    """What is added to scores [batch, kv heads, group, length, keys]: a row sees what is at or
    before its place, of that the last ``window``."""
    columns = counted(b, b.slice(b.shape_of(keys), 0, 2, 3))
    row = b.unsqueeze(places, [2])
    hidden = b.binary("greater_than", columns, row)
    if window >= 0:
        ahead = b.binary("elementwise_sub", row, columns)
        far = b.binary("greater_equal", ahead, b.like(window, ahead))
        hidden = b.binary("logical_or", hidden, far)
    low = b.emit("scale", {"X": b.cast(hidden, DataType.FP32)}, scale=LOWEST)
    low = b.unsqueeze(low, [1, 2])
    if bias is None:
        return low
    shared = bias.shape[1] if bias.shape is not None else None
    if shared is None:
        raise CannotRead("an attention_bias of unknown heads")
    wide = b.unsqueeze(bias, [2])
    if shared != 1:
        sizes = [b.slice(b.shape_of(bias), 0, i, i + 1) for i in (0, 2, 3)]
        dims = [sizes[0], b.ints([kv_heads, shared // kv_heads]), *sizes[1:]]
        wide = b.emit("reshape2", {"X": bias, "Shape": b.int32(b.concat(dims, 0))})
        wide.shape = (None, kv_heads, shared // kv_heads, None, None)
    return b.binary("elementwise_max", b.binary("elementwise_add", low, wide), b.like(LOWEST, low))


def _attended(
    b: Builder,
    qkv: tuple[Tensor, Tensor, Tensor],
    bias: Tensor,
    sink: Tensor | None,
    softcap: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """Weighted sums for queries [batch, kv heads, group, length, size], which are [batch, length,
    kv heads, group, size]; the scores, and the weights that softmax makes of them."""
    q, keys, values = qkv
    scores = b.emit("matmul_v2", {"X": q, "Y": b.unsqueeze(keys, [2])}, trans_y=True)
    if softcap > 0:
        scores = b.emit("tanh", {"X": b.emit("scale", {"X": scores}, scale=1 / softcap)})
        scores = b.emit("scale", {"X": scores}, scale=softcap)
    scores = b.binary("elementwise_add", scores, bias)
    summed = scores
    if sink is not None:  # a column that takes its part of the sum, and is left out
        first = b.emit("fill_any_like", {"X": b.slice(scores, 4, 0, 1)}, value=0.0)
        group = q.shape[1:3] if q.shape is not None else (1, -1)
        column = b.reshape(sink, [1, *(int(n or -1) for n in group), 1, 1])
        summed = b.concat([b.binary("elementwise_add", first, column), scores], 4)
    weights = b.emit("softmax", {"X": summed}, axis=-1)
    if sink is not None:
        weights = b.slice(weights, 4, 1)
    out = b.emit("matmul_v2", {"X": weights, "Y": b.unsqueeze(values, [2])})
    return b.transpose(out, [0, 3, 1, 2, 4]), scores, weights
