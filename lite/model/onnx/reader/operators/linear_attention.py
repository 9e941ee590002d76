"""Layers that keep a state in the place of a cache: Gated DeltaNet, Mamba and their like.

Definitions: Operators.md of ONNX (operator set 27) and docs/ContribOperators.md of ONNX Runtime.
"""

from __future__ import annotations

from typing import Any

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.operators.windows import conv
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.program import DataType

_RULES = {
    "linear": (False, False),
    "gated": (True, False),
    "delta": (False, True),
    "gated_delta": (True, True),
}
"""Whether a rule decays the state, and whether values replace what their keys find."""


@adapter
def linear_attention(
    b: Builder,
    call: Call,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    past_state: Tensor | None,
    decay: Tensor | None,
    beta: Tensor | None,
    q_num_heads: int,
    kv_num_heads: int,
    scale: float,
    update_rule: str,
    chunk_size: int,
    state_window: int = 0,
) -> list[Tensor]:
    """Attention by a state, and the state behind the last step."""
    if update_rule not in _RULES:
        raise CannotRead(f"update_rule {update_rule!r}")
    if state_window:
        raise CannotRead("state_window: states of several steps")
    inputs = {"Query": query, "Key": key, "Value": value}
    if past_state is not None:
        inputs["State"] = past_state
    for slot, needed, given in zip(
        ("Decay", "Beta"), _RULES[update_rule], (decay, beta), strict=True
    ):
        if needed and given is None:
            raise CannotRead(f"update_rule {update_rule!r} without {slot.lower()}")
        if needed and given is not None:
            inputs[slot] = given
    inputs = {slot: b.cast(x, DataType.FP32) for slot, x in inputs.items()}
    attrs = {"q_num_heads": q_num_heads, "kv_num_heads": kv_num_heads, "scale": scale}
    out, state = b.emit_all("linear_attention", inputs, {"Out": 1, "StateOut": 1}, **attrs)
    like = past_state.dtype if past_state is not None else query.dtype
    return [b.cast(out, query.dtype), b.cast(state, like)]


@adapter
def decay_gate(
    b: Builder, call: Call, a: Tensor, dt_bias: Tensor, decay_scale: Tensor, b_: Tensor | None
) -> list[Tensor | None]:
    """decay_scale softplus(a + dt_bias), and the sigmoid of b."""
    x = b.binary("elementwise_add", b.cast(a, DataType.FP32), dt_bias)
    decay = b.binary("elementwise_mul", b.emit("softplus", {"X": x}), decay_scale)
    decay.shape = a.shape
    beta = None
    if b_ is not None:
        beta = b.cast(b.emit("sigmoid", {"X": b.cast(b_, DataType.FP32)}), b_.dtype)
    return [b.cast(decay, a.dtype), beta]


@adapter
def gated_delta(
    b: Builder,
    call: Call,
    query: Tensor,
    key: Tensor | None,
    value: Tensor | None,
    cu_seqlens: Tensor | None,
    decay: Tensor | None,
    beta: Tensor | None,
    initial_state: Tensor | None,
    a_log: Tensor | None,
    dt_bias: Tensor | None,
    capture_count: Tensor | None,
    state_update_active: Tensor | None,
    update_rule: str,
    scale: float,
    gate_activation: str,
    beta_activation: str,
    gate_lower_bound: float,
    qk_l2_norm: int,
    chunk_size: int,
    state_update_capacity: int,
) -> list[Tensor | None]:
    """linear_attention of tokens [batch, steps, heads, size] or [tokens, heads, size], whose state
    is [batch, heads, size of values, size of keys]."""
    if key is None or value is None or cu_seqlens is not None or state_update_capacity:
        raise CannotRead("packed QKV, cu_seqlens, or state_update_capacity")
    sizes = [x.shape[-2:] if x.shape is not None else (None, None) for x in (query, key, value)]
    (heads, dk), _, (all_heads, dv) = sizes
    if heads is None or all_heads is None or dk is None or dv is None or all_heads % heads:
        raise CannotRead("heads or sizes that are not known")
    flat = query.rank == 3
    if flat and initial_state is None:
        raise CannotRead("tokens of a batch that is not known")
    lead: Any = [0, 0]
    if flat:
        assert initial_state is not None
        batch = initial_state.shape[0] if initial_state.shape is not None else None
        if batch is None:
            raise CannotRead("a batch that is not known")
        lead = [batch, -1]

    def rows(x: Tensor, width: int) -> Tensor:
        return b.reshape(b.cast(x, DataType.FP32), [*lead, width])

    parts = []
    for x in (query, key):
        if qk_l2_norm:
            x = b.emit("norm", {"X": b.cast(x, DataType.FP32)}, axis=-1, epsilon=1e-6)
        parts.append(rows(x, heads * dk))
    if decay is not None:
        each = decay.shape[-1] if decay.rank > (2 if flat else 3) and decay.shape else 1
        decay = rows(decay, all_heads * (each or 1))
        decay = _gate(b, decay, a_log, dt_bias, gate_activation, gate_lower_bound, all_heads)
    if beta is not None:
        beta = rows(beta, all_heads)
        beta = b.emit("sigmoid", {"X": beta}) if beta_activation == "sigmoid" else beta
    state = None if initial_state is None else b.transpose(initial_state, [0, 1, 3, 2])
    q, k = parts
    v = rows(value, all_heads * dv)
    out, state = linear_attention(
        b, call, q, k, v, state, decay, beta, heads, all_heads, scale, update_rule, chunk_size
    )
    shape = [-1, all_heads, dv] if flat else [0, 0, all_heads, dv]
    out = b.cast(b.reshape(out, shape), query.dtype)
    return [out, b.transpose(state, [0, 1, 3, 2]), None]


def _gate(
    b: Builder,
    x: Tensor,
    a_log: Tensor | None,
    dt_bias: Tensor | None,
    activation: str,
    bound: float,
    heads: int,
) -> Tensor:
    """Logarithms of a decay [batch, steps, heads or heads times size]."""
    if activation == "none":
        return x
    if activation not in ("softplus", "qwen", "sigmoid", "kda") or a_log is None or dt_bias is None:
        raise CannotRead(f"gate_activation {activation!r}, or it without a_log or dt_bias")
    width = x.shape[2] if x.shape is not None else None
    if width is None:
        raise CannotRead("a decay of a free size")
    rate = b.emit("exp", {"X": b.flat(a_log)})
    if width != heads:
        rate = b.emit("repeat_interleave", {"X": rate}, dim=0, Repeats=width // heads)
    bias = b.flat(dt_bias)
    if bias.shape == (heads,) != (width,):
        bias = b.emit("repeat_interleave", {"X": bias}, dim=0, Repeats=width // heads)
    x = b.binary("elementwise_add", x, bias)
    if activation in ("sigmoid", "kda"):
        x = b.emit("sigmoid", {"X": b.binary("elementwise_mul", x, rate)})
        return b.emit("scale", {"X": x}, scale=bound)
    made = b.binary("elementwise_mul", b.emit("softplus", {"X": x}), rate)
    return b.emit("scale", {"X": made}, scale=-1.0)


@adapter
def causal_conv(
    b: Builder,
    call: Call,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    past_state: Tensor | None,
    activation: str,
    dilation: int = 1,
    ndim: int = 1,
    channels_last: int = 0,
    state_update_capacity: int = 0,
    state_channels_last: int = 0,
    state_window: int = 0,
    state_length: int = 0,
    input_channel_offset: int = 0,
    input_channels: int = 0,
) -> list[Tensor]:
    """A filter for each channel over earlier steps; the last of them are the next call's state."""
    if activation not in ("none", "", "silu", "swish"):
        raise CannotRead(f"activation {activation!r}")
    others = (state_update_capacity, state_channels_last, state_window, state_length)
    if ndim != 1 or channels_last or any((*others, input_channel_offset, input_channels)):
        raise CannotRead("ndim, channels_last, state_* or input_* other than the plain form's")
    channels, _, width = weight.shape if weight.shape is not None else (None, None, None)
    if channels is None or width is None:
        raise CannotRead("a weight of a free size")
    kept = (width - 1) * dilation
    if past_state is None:
        sizes = b.concat([b.slice(b.shape_of(input), 0, 0, 2), b.ints([kept])], 0)
        past_state = b.full(sizes, 0.0, input.dtype)
    whole = b.concat([past_state, input], 2)
    made = conv(b, call, whole, weight, bias, "NOTSET", [dilation], channels, [width], None, [1])
    if activation in ("silu", "swish"):
        made = b.emit("swish", {"X": made})
    return [made, b.slice(whole, 2, -kept) if kept else b.slice(whole, 2, 0, 0)]
