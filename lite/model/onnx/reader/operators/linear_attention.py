"""Layers that keep a state in the place of a cache: Gated DeltaNet, Mamba and their like.

Definitions: Operators.md of ONNX (operator set 27) and docs/ContribOperators.md of ONNX Runtime.
"""

from __future__ import annotations

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
