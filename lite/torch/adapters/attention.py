"""Attention and the fused encoder layer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch

from lite.torch.adapters.networks import add_bias
from lite.torch.builder import Builder
from lite.torch.registry import adapter
from lite.torch.values import Meta, NotTranslatableError, Tensor, is_symbolic, known, same

Outs = list[Meta]


def attend(
    b: Builder,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None,
    causal: bool,
    scale: float | None,
) -> Tensor:
    """softmax(scale * q @ k.T + mask) @ v over [..., length, features]."""
    if scale is None:
        scale = 1.0 / math.sqrt(known(q.shape[-1], "the features of a head"))
    scores = b.emit("scale", {"X": b.product(q, k, swap_y=True)}, {"scale": float(scale)})
    if causal:
        mask = _causal(b, q, k)
    if mask is not None:
        scores = b.binary("elementwise_add", scores, _additive(b, mask))
    weights = b.emit("softmax", {"X": scores}, {"axis": -1})
    return b.product(weights, v)


def _additive(b: Builder, mask: Tensor) -> Tensor:
    if mask.dtype is torch.float32:
        return mask
    if mask.dtype is not torch.bool:
        raise NotTranslatableError("an attention mask that is neither float32 nor bool")
    inputs = {
        "Condition": mask,
        "X": b.scalar(0.0, torch.float32),
        "Y": b.scalar(-math.inf, torch.float32),
    }
    return b.emit("where", inputs, {"broadcast": True}, dtype=torch.float32, shape=mask.shape)


def _causal(b: Builder, q: Tensor, k: Tensor) -> Tensor:
    rows, columns = q.shape[-2], k.shape[-2]
    if not is_symbolic(rows) and not is_symbolic(columns):
        hidden = np.triu(np.full((int(rows), int(columns)), -np.inf, np.float32), 1)
        return b.parameter(hidden, torch.float32)
    hidden_everywhere = b.full((rows, columns), -math.inf, torch.float32)
    return b.emit("tril_triu", {"X": hidden_everywhere}, {"diagonal": 1, "lower": False})


@adapter
def scaled_dot_product_attention(
    b: Builder,
    outs: Outs,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
    **_: Any,
) -> Any:
    """torch's attention; groups of heads may share keys and values."""
    if dropout_p:
        raise NotTranslatableError("attention with dropout (call model.eval())")
    if enable_gqa:
        key, value = _shared_heads(b, query, key), _shared_heads(b, query, value)
    made = attend(b, query, key, value, attn_mask, is_causal, scale)
    return [made, None]


@adapter
def flash_attention_for_cpu(
    b: Builder,
    outs: Outs,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    attn_mask: Tensor | None = None,
    scale: float | None = None,
) -> Any:
    """Attention as torch writes it for CPU tensors."""
    grouped = not same(query.shape[1], key.shape[1])
    return scaled_dot_product_attention(
        b, outs, query, key, value, attn_mask, dropout_p, is_causal, scale, grouped
    )


def _shared_heads(b: Builder, query: Tensor, x: Tensor) -> Tensor:
    times = known(query.shape[-3], "the heads") // known(x.shape[-3], "the heads")
    if times == 1:
        return x
    shape = (*x.shape[:-3], times * int(x.shape[-3]), *x.shape[-2:])
    return b.emit("repeat_interleave", {"X": x}, {"Repeats": times, "dim": x.rank - 3}, shape=shape)


@adapter
def transformer_encoder_layer(
    b: Builder,
    outs: Outs,
    src: Tensor,
    embed_dim: int,
    num_heads: int,
    qkv_weight: Tensor,
    qkv_bias: Tensor,
    proj_weight: Tensor,
    proj_bias: Tensor,
    use_gelu: bool,
    norm_first: bool,
    eps: float,
    norm_weight_1: Tensor,
    norm_bias_1: Tensor,
    norm_weight_2: Tensor,
    norm_bias_2: Tensor,
    ffn_weight_1: Tensor,
    ffn_bias_1: Tensor,
    ffn_weight_2: Tensor,
    ffn_bias_2: Tensor,
    mask: Tensor | None = None,
    mask_type: int | None = None,
) -> Tensor:
    """nn.TransformerEncoderLayer's fast path of evaluation."""
    if mask is not None:
        raise NotTranslatableError("the fused encoder layer with a mask")

    def norm(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        inputs = {"X": x, "Scale": weight, "Bias": bias}
        return b.emit("layer_norm", inputs, {"epsilon": eps, "begin_norm_axis": 2}, out="Y")

    def attention(x: Tensor) -> Tensor:
        return _self_attention(b, x, num_heads, qkv_weight, qkv_bias, proj_weight, proj_bias)

    def feed_forward(x: Tensor) -> Tensor:
        hidden = add_bias(b, b.product(x, ffn_weight_1, swap_y=True), ffn_bias_1)
        hidden = b.emit("gelu" if use_gelu else "relu", {"X": hidden})
        return add_bias(b, b.product(hidden, ffn_weight_2, swap_y=True), ffn_bias_2)

    def add(x: Tensor, y: Tensor) -> Tensor:
        return b.binary("elementwise_add", x, y)

    if norm_first:
        x = add(src, attention(norm(src, norm_weight_1, norm_bias_1)))
        return add(x, feed_forward(norm(x, norm_weight_2, norm_bias_2)))
    x = norm(add(src, attention(src)), norm_weight_1, norm_bias_1)
    return norm(add(x, feed_forward(x)), norm_weight_2, norm_bias_2)


def _self_attention(
    b: Builder,
    x: Tensor,
    heads: int,
    qkv_weight: Tensor,
    qkv_bias: Tensor,
    proj_weight: Tensor,
    proj_bias: Tensor,
) -> Tensor:
    batch, length, features = x.shape
    wide = add_bias(b, b.product(x, qkv_weight, swap_y=True), qkv_bias)
    size = int(features)
    parts = []
    for index in range(3):
        part = b.slice(wide, 2, index * size, (index + 1) * size)
        split = b.reshape(part, (batch, length, heads, size // heads))
        parts.append(b.transpose(split, [0, 2, 1, 3]))
    query, key, value = parts
    made = attend(b, query, key, value, mask=None, causal=False, scale=None)
    joined = b.reshape(b.transpose(made, [0, 2, 1, 3]), (batch, length, features))
    return add_bias(b, b.product(joined, proj_weight, swap_y=True), proj_bias)
