"""Attention, and what stands around it in language models.

Definition: https://onnx.ai/onnx/operators/onnx__Attention.html.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.operators.arithmetic import chosen
from lite.model.onnx.reader.operators.shapes import counted
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor, limited
from lite.model.program import DataType

LOWEST = -3.0e38
"""Added to the score of what is not seen: finite, so that no sum is NaN."""


@adapter
def attention(
    b: Builder,
    call: Call,
    Q: Tensor,
    K: Tensor,
    V: Tensor,
    attn_mask: Tensor | None,
    past_key: Tensor | None,
    past_value: Tensor | None,
    nonpad_kv_seqlen: Tensor | None = None,
    is_causal: int = 0,
    q_num_heads: int | None = None,
    kv_num_heads: int | None = None,
    scale: float | None = None,
    softcap: float = 0.0,
    qk_matmul_output_mode: int = 0,
    softmax_precision: int | None = None,
    left_window_size: int = -1,
    right_window_size: int = -1,
) -> list[Tensor | None]:
    """Scores, mask, softmax and weighted sum; keys and values with those of earlier steps."""
    flat = Q.rank == 3
    q = _split(b, Q, q_num_heads) if flat else Q
    k, v = (_split(b, x, kv_num_heads) if flat else x for x in (K, V))
    if past_key is not None and past_value is not None:
        k, v = b.concat([past_key, k], 2), b.concat([past_value, v], 2)
    keys, values = _repeated(b, k, q), _repeated(b, v, q)
    scores = b.emit("matmul_v2", {"X": _scaled(b, q, scale), "Y": keys}, trans_y=True)
    made = [scores, scores, scores, scores]
    if softcap > 0:
        scores = b.emit("tanh", {"X": b.emit("scale", {"X": scores}, scale=1 / softcap)})
        scores = b.emit("scale", {"X": scores}, scale=softcap)
    made[1] = scores
    bias = _bias(
        b,
        q,
        keys,
        attn_mask,
        past_key,
        nonpad_kv_seqlen,
        bool(is_causal),
        (left_window_size, right_window_size),
    )
    if bias is not None:
        scores = b.binary("elementwise_add", scores, bias)
    made[2] = scores
    weights = b.emit("softmax", {"X": scores}, axis=-1)
    if attn_mask is not None or nonpad_kv_seqlen is not None or left_window_size >= 0:
        assert bias is not None
        seen = b.reduce("max", bias, [-1], True)
        seen = b.cast(b.binary("greater_than", seen, b.like(LOWEST / 2, seen)), weights.dtype)
        weights = b.binary("elementwise_mul", weights, seen)
    made[3] = weights
    out = b.emit("matmul_v2", {"X": weights, "Y": values})
    if flat:
        out = b.reshape(b.transpose(out, [0, 2, 1, 3]), [0, 0, -1])
    if not 0 <= qk_matmul_output_mode <= 3:
        raise CannotRead(f"qk_matmul_output_mode {qk_matmul_output_mode}")
    return [out, k, v, _shown(b, made, qk_matmul_output_mode, bias, call)]


def _scaled(b: Builder, q: Tensor, scale: float | None) -> Tensor:
    """Queries times the scale, by default one over the root of a head's size."""
    size = q.shape[3] if q.shape is not None else None
    if scale is None and size is None:
        width = b.cast(b.slice(b.shape_of(q), 0, 3, 4), q.dtype)
        return b.binary("elementwise_mul", q, b.emit("rsqrt", {"X": width}))
    return b.emit("scale", {"X": q}, scale=scale if scale is not None else 1 / sqrt(size or 1))


def _shown(
    b: Builder, made: list[Tensor], mode: int, bias: Tensor | None, call: Call
) -> Tensor | None:
    """The scores in one of their states, where they are asked for."""
    if not call.wants(3):
        return None
    if mode == 2 and bias is not None:  # what is not seen is -inf there
        lost = b.binary("less_than", bias, b.like(LOWEST / 2, bias))
        return chosen(b, lost, b.like(-np.inf, bias), made[2])
    return b.emit("assign", {"X": made[mode]})


def _split(b: Builder, x: Tensor, heads: int | None) -> Tensor:
    """[batch, length, heads size] as [batch, heads, length, size]."""
    if not heads:
        raise CannotRead("three dimensions without a number of heads")
    width = x.shape[2] if x.shape is not None else None
    size = -1 if width is None else width // heads
    return b.transpose(b.reshape(x, [0, 0, heads, size]), [0, 2, 1, 3])


def _repeated(b: Builder, x: Tensor, q: Tensor) -> Tensor:
    """Heads of keys or values as often as heads of queries share them."""
    own, wanted = (t.shape[1] if t.shape is not None else None for t in (x, q))
    if own is None or wanted is None:
        raise CannotRead("a number of heads that is not known")
    if own == wanted:
        return x
    if not own or wanted % own:
        raise CannotRead(f"{wanted} heads of queries over {own} of keys")
    order = np.repeat(np.arange(own, dtype=np.int64), limited(wanted) // own)
    return b.emit("gather", {"X": x, "Index": b.constant(order)}, axis=1)


def _bias(
    b: Builder,
    q: Tensor,
    keys: Tensor,
    mask: Tensor | None,
    past: Tensor | None,
    lengths: Tensor | None,
    causal: bool,
    window: tuple[int, int],
) -> Tensor | None:
    """What is added to scores: the mask, and ``LOWEST`` for what may not be seen."""
    found: Tensor | None = None
    hidden: list[Tensor] = []
    rows = b.slice(b.shape_of(q), 0, 2, 3)
    columns = counted(b, b.slice(b.shape_of(keys), 0, 2, 3))
    places = b.unsqueeze(counted(b, rows), [1])
    if past is not None:
        places = b.binary("elementwise_add", places, b.slice(b.shape_of(past), 0, 2, 3))
    elif lengths is not None:
        wide = b.reshape(b.cast(lengths, DataType.INT64), [-1, 1, 1, 1])
        hidden.append(b.binary("greater_equal", columns, wide))
        offset = b.binary("elementwise_sub", wide, rows)
        places = b.binary("elementwise_add", places, offset)
    if causal:
        hidden.append(b.binary("greater_than", columns, places))
    for bound, side in zip(window, (1, -1), strict=True):
        if bound >= 0:
            ahead = b.binary("elementwise_sub", places, columns)
            ahead = ahead if side > 0 else b.emit("scale", {"X": ahead}, scale=-1.0)
            hidden.append(b.binary("greater_than", ahead, b.like(bound, ahead)))
    if mask is not None and lengths is not None:
        own, wanted = (t.shape[at] if t.shape else None for t, at in ((mask, -1), (keys, 2)))
        if own is None or wanted is None:
            raise CannotRead("a mask of unknown length beside lengths")
        if own < wanted:  # what the mask leaves out lies beyond the lengths
            pairs = [0] * (2 * mask.rank - 1) + [wanted - own]
            wide = b.cast(mask, q.dtype)
            mask = b.cast(b.emit("pad", {"X": wide}, paddings=pairs, pad_value=0.0), mask.dtype)
    if mask is not None and mask.dtype is DataType.BOOL:
        hidden.append(b.emit("logical_not", {"X": mask}))
    elif mask is not None:
        found = b.binary("elementwise_max", mask, b.like(LOWEST, mask))
    for part in hidden:
        low = b.emit("scale", {"X": b.cast(part, q.dtype)}, scale=LOWEST / 4)
        found = low if found is None else b.binary("elementwise_add", found, low)
    if found is not None and hidden:
        # Hidden is hidden, by one reason or by four.
        lost = b.binary("less_than", found, b.like(LOWEST / 5, found))
        found = chosen(b, lost, b.like(LOWEST, found), found)
    return found


@adapter
def rotary_embedding(
    b: Builder,
    call: Call,
    X: Tensor,
    cos_cache: Tensor,
    sin_cache: Tensor,
    position_ids: Tensor | None,
    interleaved: int,
    num_heads: int | None,
    rotary_embedding_dim: int,
) -> Tensor:
    """Pairs of elements turned by an angle of their position."""
    flat = X.rank == 3
    if flat and not num_heads:
        raise CannotRead("three dimensions without a number of heads")
    x = b.reshape(X, [0, 0, num_heads or 1, -1]) if flat else b.transpose(X, [0, 2, 1, 3])
    size = x.shape[3] if x.shape is not None else None
    if flat and X.shape is not None and X.shape[2] is not None:
        size = X.shape[2] // (num_heads or 1)
    if size is None and not rotary_embedding_dim:
        raise CannotRead("a size of heads that is not known")
    turned = rotary_embedding_dim or size or 0
    rest = b.slice(x, 3, turned) if turned != size else None
    x = b.slice(x, 3, 0, turned) if rest is not None else x
    cos, sin = (_angles(b, cache, position_ids) for cache in (cos_cache, sin_cache))
    half = turned // 2
    if interleaved:
        parts = b.reshape(x, [0, 0, 0, half, 2])
        first, second = (b.slice(parts, 4, i, i + 1, drop=True) for i in (0, 1))
    else:
        first, second = b.slice(x, 3, 0, half), b.slice(x, 3, half, turned)
    mul, add, sub = (f"elementwise_{name}" for name in ("mul", "add", "sub"))
    real = b.binary(sub, b.binary(mul, cos, first), b.binary(mul, sin, second))
    other = b.binary(add, b.binary(mul, sin, first), b.binary(mul, cos, second))
    if interleaved:
        made = b.reshape(b.emit("stack", {"X": [real, other]}, axis=4), [0, 0, 0, turned])
    else:
        made = b.concat([real, other], 3)
    made = b.concat([made, rest], 3) if rest is not None else made
    made = b.reshape(made, [0, 0, -1]) if flat else b.transpose(made, [0, 2, 1, 3])
    made.shape = X.shape
    return made


def _angles(b: Builder, cache: Tensor, positions: Tensor | None) -> Tensor:
    """The cosines or sines of each position, [batch, length, 1, half]."""
    if positions is None:
        return b.unsqueeze(cache, [2])
    rows = b.emit("lookup_table_v2", {"Ids": positions, "W": cache}, padding_idx=-1)
    return b.unsqueeze(rows, [2])


@adapter
def swiglu(b: Builder, call: Call, A: Tensor, B: Tensor, alpha: float) -> Tensor:
    """a sigmoid(alpha a) b."""
    gate = b.emit("swish", {"X": A}, beta=alpha)
    return b.binary("elementwise_mul", gate, B)
