"""Layers that are a mixture of experts: a router's best few of many products for each token.

Definitions: docs/ContribOperators.md of ONNX Runtime.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.operators.weight_blocks import rounding, unpacked, widened
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.program import DataType

_PLAIN: dict[str, tuple[str, dict[str, Any]] | None] = {
    "relu": ("relu", {}),
    "gelu": ("gelu", {"approximate": True}),
    "silu": ("swish", {"beta": 1.0}),
    "identity": None,
}
"""What becomes of an activation_type that has no gate."""


@dataclass(frozen=True)
class _Experts:
    """Matrices [experts, columns, rows] as they are, or in integers."""

    weights: Tensor
    bias: Tensor | None
    scales: Tensor | None = None
    zeros: Tensor | None = None
    bits: int = 0
    block: int = 0
    accuracy_level: int = 0


@dataclass(frozen=True)
class _Activation:
    """Between the products of an expert; a gate of alpha, beta and a limit may be part of it."""

    activation_type: str
    swiglu_fusion: int
    activation_alpha: float
    activation_beta: float
    swiglu_limit: float | None
    swiglu_limit_after_activation: int


@adapter
def mixture(
    b: Builder,
    call: Call,
    input: Tensor,
    router_probs: Tensor,
    fc1_experts_weights: Tensor,
    fc1_experts_bias: Tensor | None,
    fc2_experts_weights: Tensor,
    fc2_experts_bias: Tensor | None,
    fc3_experts_weights: Tensor | None,
    fc3_experts_bias: Tensor | None,
    k: int,
    normalize_routing_weights: int,
    use_sparse_mixer: int,
    **activation: Any,
) -> Tensor:
    """The shares of all experts, or of the chosen ones among themselves."""
    _refuse_mixer(use_sparse_mixer)
    chosen, scores = _route(b, router_probs, k)
    if normalize_routing_weights:
        shares = b.emit("softmax", {"X": scores}, axis=-1)
    else:
        whole = b.emit("softmax", {"X": b.cast(router_probs, DataType.FP32)}, axis=-1)
        shares = _at(b, whole, chosen)
    third = None
    if fc3_experts_weights is not None:
        third = _Experts(fc3_experts_weights, fc3_experts_bias)
    products = (
        _Experts(fc1_experts_weights, fc1_experts_bias),
        _Experts(fc2_experts_weights, fc2_experts_bias),
        third,
    )
    return _mixed(b, input, chosen, shares, products, _Activation(**activation))


@adapter
def quantised_mixture(
    b: Builder,
    call: Call,
    input: Tensor,
    router_probs: Tensor,
    router_weights: Tensor | None,
    k: int,
    normalize_routing_weights: int,
    use_sparse_mixer: int,
    expert_weight_bits: int,
    block_size: int,
    quant_type: str,
    weights_prepacked: int,
    accuracy_level: int,
    **others: Any,
) -> Tensor:
    """Weights of 2, 4 or 8 bits; the shares are of the chosen experts among themselves."""
    _refuse_mixer(use_sparse_mixer)
    if quant_type != "int" or weights_prepacked == 1:
        raise CannotRead(f"quant_type {quant_type!r}, or weights that are packed for a device")
    extra = [name for name in others if name.endswith(("global_scale", "act_scale", "block_scale"))]
    if any(others.pop(name) is not None for name in extra):
        raise CannotRead("scales of activations, or of all weights")
    products: list[_Experts | None] = []
    for part in ("fc1", "fc2", "fc3"):
        weights = others.pop(f"{part}_experts_weights")
        bias, scales = others.pop(f"{part}_experts_bias"), others.pop(f"{part}_scales")
        zeros = others.pop(f"{part}_zero_points")
        bits = others.pop(f"{part}_expert_weight_bits") or expert_weight_bits
        whole = _Experts(weights, bias, scales, zeros, bits, block_size, accuracy_level)
        products.append(whole if weights is not None else None)
    first, second, third = products
    assert first is not None and second is not None
    chosen, scores = _route(b, router_probs, k)
    if router_weights is None:
        shares = b.emit("softmax", {"X": scores}, axis=-1)
    else:
        shares = _at(b, b.cast(router_weights, DataType.FP32), chosen)
        if normalize_routing_weights:
            shares = b.binary("elementwise_div", shares, b.reduce("sum", shares, [-1], True))
    return _mixed(b, input, chosen, shares, (first, second, third), _Activation(**others))


@adapter
def group_router(
    b: Builder,
    call: Call,
    logits: Tensor,
    expert_bias: Tensor,
    projection_weight: Tensor | None,
    group_topk: int,
    n_group: int,
    router_sentinel: float,
    top_k: int,
    topk_group: int,
) -> list[Tensor | None]:
    """Logarithms of the shares of the best experts in the best groups, others a sentinel; or all
    shares with and without the bias that chooses."""
    x = b.cast(logits, DataType.FP32)
    if projection_weight is not None:
        inputs = {"X": x, "Y": b.cast(projection_weight, DataType.FP32)}
        x = b.emit("matmul_v2", inputs, trans_y=True)
    experts = x.shape[-1] if x.shape is not None else None
    if experts is None or experts % n_group:
        raise CannotRead("a number of experts that is not known, or not one of groups")
    shares = b.emit("sigmoid", {"X": b.reshape(x, [-1, experts])})
    biased = b.binary("elementwise_add", shares, b.cast(expert_bias, DataType.FP32))
    if not call.node.outputs[0]:
        return [None, biased, shares]
    if topk_group < n_group:
        size = experts // n_group
        groups = b.reshape(biased, [0, n_group, size])
        _, best = _route(b, groups, min(group_topk, size))
        chosen, _ = _route(b, b.reduce("sum", best, [2], False), topk_group)
        hidden = b.unsqueeze(_marked(b, (None, n_group), chosen, biased, 0.0, -1e30), [2])
        biased = b.reshape(b.binary("elementwise_add", groups, hidden), [0, experts])
    chosen, _ = _route(b, biased, top_k)
    found = b.emit("log", {"X": b.binary("elementwise_max", shares, b.like(1e-20, shares))})
    hidden = _marked(b, (None, experts), chosen, shares, 0.0, 1.0)
    kept = b.binary("elementwise_mul", found, b.emit("scale", {"X": hidden}, scale=-1.0, bias=1.0))
    rest = b.emit("scale", {"X": hidden}, scale=router_sentinel)
    out = b.binary("elementwise_add", kept, rest)
    out.shape = (None, experts)
    return [b.cast(out, logits.dtype), None, None]


def _marked(
    b: Builder, shape: tuple[int | None, int], at: Tensor, rows: Tensor, mark: float, rest: float
) -> Tensor:
    """As many rows as ``rows`` has, filled with ``rest``, and ``mark`` in some places of each."""
    sizes = b.concat([b.slice(b.shape_of(rows), 0, 0, 1), b.ints([shape[1]])], 0)
    made = b.full(sizes, rest, DataType.FP32)
    values = b.full(b.shape_of(at), mark, DataType.FP32)
    inputs = {"Input": made, "Index": at, "Value": values}
    made = b.emit("put_along_axis", inputs, Axis=1, Reduce="assign")
    made.shape = shape
    return made


def _refuse_mixer(use_sparse_mixer: int) -> None:
    if use_sparse_mixer:
        raise CannotRead("use_sparse_mixer")


def _route(b: Builder, router: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """The best k experts of each token, and what the router gave them."""
    inputs = {"X": b.cast(router, DataType.FP32)}
    attrs = {"k": k, "axis": -1, "largest": True}
    values, chosen = b.emit_all("top_k_v2", inputs, {"Out": 1, "Indices": 1}, **attrs)
    return chosen, values


def _at(b: Builder, x: Tensor, places: Tensor) -> Tensor:
    return b.emit("take_along_axis", {"Input": x, "Index": places}, Axis=1)


def _mixed(
    b: Builder,
    x: Tensor,
    chosen: Tensor,
    shares: Tensor,
    products: tuple[_Experts, _Experts, _Experts | None],
    activation: _Activation,
) -> Tensor:
    """Sums of what the chosen experts make of each token, by their shares."""
    first, second, third = products
    width = second.weights.shape[1] if second.weights.shape is not None else None
    if width is None:
        raise CannotRead("weights of a free size")
    rows = b.reshape(b.cast(x, DataType.FP32), [-1, width])
    hidden = _product(b, rows, chosen, first)
    gate = None if third is None else _product(b, rows, chosen, third)
    made = _product(b, _activated(b, hidden, gate, activation), chosen, second)
    shape = b.int32(b.concat([b.shape_of(chosen), b.ints([width])], 0))
    each = b.emit("reshape2", {"X": made, "Shape": shape})
    each = b.binary("elementwise_mul", each, b.unsqueeze(shares, [2]))
    out = b.reduce("sum", each, [1], False)
    if x.rank != 2:
        out = b.emit("reshape2", {"X": out, "Shape": b.int32(b.shape_of(x))})
    out.shape = x.shape
    return b.cast(out, x.dtype)


def _product(b: Builder, rows: Tensor, chosen: Tensor, experts: _Experts) -> Tensor:
    inputs = {"X": rows, "Index": chosen}
    attrs = {}
    if experts.bias is not None:
        inputs["Bias"] = b.cast(experts.bias, DataType.FP32)
    if experts.bits:
        attrs = _in_blocks(b, experts, inputs)
    else:
        inputs["Y"] = b.cast(experts.weights, DataType.FP32)
    made = b.emit("expert_matmul", inputs, **attrs)
    assert experts.weights.shape is not None
    made.shape = (None, experts.weights.shape[1])
    return made


def _in_blocks(b: Builder, experts: _Experts, inputs: dict[str, Tensor]) -> dict[str, int]:
    """Adds integers, scales and zero points as the operator has them; its attributes."""
    weights, scales, bits = experts.weights, experts.scales, experts.bits
    if scales is None or bits not in (2, 4, 8):
        raise CannotRead(f"weights of {bits} bits, or without scales")
    count, columns, size = weights.shape if weights.shape is not None else (None, None, None)
    if count is None or columns is None or size is None:
        raise CannotRead("weights of a free size")
    block = experts.block if experts.block > 0 else size * 8 // bits
    blocks = size * 8 // bits // block
    zeros = experts.zeros
    if zeros is not None:
        shape = [count, -1] if experts.block <= 0 else [count, columns, -1]
        zeros = unpacked(b, b.reshape(zeros, shape), bits)
        zeros = b.slice(zeros, len(shape) - 1, 0, columns if experts.block <= 0 else blocks)
    inputs["Y"] = b.reshape(widened(b, weights, bits), [count, columns, blocks, -1])
    for slot, x in (("Scales", b.cast(scales, DataType.FP32)), ("ZeroPoints", zeros)):
        if x is not None:
            inputs[slot] = b.transpose(b.reshape(x, [count, columns, blocks]), [0, 2, 1])
    if zeros is None and bits == 2:
        inputs["ZeroPoints"] = b.full(b.ints([count, blocks, columns]), 2, DataType.UINT8)
    return {"bits": max(bits, 4), "block_size": block, **rounding(experts.accuracy_level)}


def _activated(b: Builder, x: Tensor, gate: Tensor | None, how: _Activation) -> Tensor:
    if how.activation_type in _PLAIN:
        made = _PLAIN[how.activation_type]
        return x if made is None else b.emit(made[0], {"X": x}, **made[1])
    if how.activation_type != "swiglu":
        raise CannotRead(f"activation_type {how.activation_type!r}")
    width = x.shape[1] if x.shape is not None else None
    if how.swiglu_fusion == 1:
        pairs = b.reshape(x, [0, -1, 2])
        x, gate = (b.slice(pairs, 2, i, i + 1, drop=True) for i in (0, 1))
    elif how.swiglu_fusion == 2 and width is not None:
        x, gate = b.slice(x, 1, 0, width // 2), b.slice(x, 1, width // 2)
    if gate is None:
        raise CannotRead("swiglu without fc3_experts_weights, or an unknown swiglu_fusion")
    limit, after = how.swiglu_limit, how.swiglu_limit_after_activation
    if limit is not None:
        x = x if after else b.binary("elementwise_min", x, b.like(limit, x))
        gate = b.emit("clip", {"X": gate}, min=-limit, max=limit)
    x = b.emit("swish", {"X": x}, beta=how.activation_alpha)
    if limit is not None and after:
        x = b.binary("elementwise_min", x, b.like(limit, x))
    if how.activation_beta:
        gate = b.emit("scale", {"X": gate}, scale=1.0, bias=how.activation_beta)
    return b.binary("elementwise_mul", x, gate)
