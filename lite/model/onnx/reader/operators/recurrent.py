"""Recurrent layers: each becomes one `rnn`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor, limited
from lite.model.onnx.recurrence import GATES
from lite.model.program import DataType

_STANDARD = {"LSTM": ["Sigmoid", "Tanh", "Tanh"], "GRU": ["Sigmoid", "Tanh"]}


@adapter
def recurrent(
    b: Builder,
    call: Call,
    X: Tensor,
    W: Tensor,
    R: Tensor,
    B: Tensor | None,
    sequence_lens: Tensor | None,
    initial_h: Tensor | None,
    hidden_size: int | None,
    direction: str,
    initial_c: Tensor | None = None,
    P: Tensor | None = None,
    layout: int = 0,
    linear_before_reset: int = 0,
    input_forget: int = 0,
    clip: float | None = None,
    activations: list[str] | None = None,
    scales: list[float] | None = None,
    **others: Any,
) -> list[Tensor | None]:
    """LSTM, GRU and RNN of one layer; ``scales`` are the operator's ``int8_weight_scales``."""
    type = call.node.type
    mode = _mode(type, activations, direction)
    mode = "GRU_RESET_FIRST" if mode == "GRU" and not linear_before_reset else mode
    _refuse(
        (P is not None, "peepholes"),
        (bool(input_forget), "input_forget"),
        (clip is not None, "clip"),
        (direction == "reverse" and sequence_lens is not None, "lengths and direction reverse"),
        (direction not in ("forward", "bidirectional", "reverse"), f"direction {direction!r}"),
    )
    directions = 2 if direction == "bidirectional" else 1
    hidden = hidden_size or (R.shape[-1] if R.shape is not None else None)
    if hidden is None:
        raise CannotRead("neither hidden_size nor the shape of R is known")
    limited(hidden * 8)
    x = b.transpose(X, [1, 0, 2]) if layout else X
    reverse = direction == "reverse"
    x = b.emit("flip", {"X": x}, axis=[0]) if reverse else x
    bias = (
        B
        if B is not None
        else b.constant(np.zeros((directions, 2 * len(GATES[mode]) * hidden), np.float32))
    )
    matrices, vectors = _weights(b, W, R, bias, GATES[mode], hidden, directions)
    states = [initial_h, initial_c] if type == "LSTM" else [initial_h]
    first = [_state(b, x, state, directions, hidden, layout) for state in states]
    inputs: dict[str, Any] = {"Input": x, "WeightList": [*matrices, *vectors], "PreState": first}
    if sequence_lens is not None:
        inputs["SequenceLength"] = b.int32(sequence_lens)
    made = b.emit_all(
        "rnn",
        inputs,
        {"Out": 1, "State": len(first)},
        mode=mode,
        hidden_size=hidden,
        is_bidirec=directions == 2,
        num_layers=1,
        **({"int8_weight_scales": scales} if scales else {}),
    )
    if reverse:
        made[0] = b.emit("flip", {"X": made[0]}, axis=[0])
    return _outputs(b, made, directions, hidden, layout)


@adapter
def dynamic_quantize_lstm(
    b: Builder,
    call: Call,
    W: Tensor,
    R: Tensor,
    W_scale: Tensor,
    W_zero_point: Tensor,
    R_scale: Tensor,
    R_zero_point: Tensor,
    **others: Any,
) -> list[Tensor | None]:
    """Weights of bytes [directions, inputs, gates], with a scale for each direction or each of its
    gates. Where these are constants, the inputs of products are rounded to bytes, too."""
    plain = replace(call, node=replace(call.node, type="LSTM"))
    w, r = _numbers(b, W, W_scale, W_zero_point), _numbers(b, R, R_scale, R_zero_point)
    scales = None
    if W_scale.array is not None and R_scale.array is not None and W.known and R.known:
        hidden = limited(R.shape[1] or 0) if R.rank == 3 and R.shape is not None else 0
        scales = _row_scales(W_scale.array, R_scale.array, hidden)
    return recurrent(b, plain, W=w, R=r, scales=scales, **others)


def _row_scales(
    w: np.ndarray[Any, Any], r: np.ndarray[Any, Any], hidden: int
) -> list[float] | None:
    """One for each row of ``rnn``'s matrices; None where some are no positive numbers."""
    order = np.argsort(GATES["LSTM"])
    made = []
    for side in range(len(w)):
        for of_one in (w[side], r[side]):
            of_rows = np.broadcast_to(of_one.reshape(-1), 4 * hidden).reshape(4, hidden)
            made.append(of_rows[order].reshape(-1))
    found = np.concatenate(made)
    tiny = np.finfo(np.float32).tiny
    return found.tolist() if np.isfinite(found).all() and (found >= tiny).all() else None


def _numbers(b: Builder, x: Tensor, scale: Tensor, zero: Tensor) -> Tensor:
    middle, factor = (b.reshape(b.cast(t, DataType.FP32), [0, 1, -1]) for t in (zero, scale))
    steps = b.binary("elementwise_sub", b.cast(x, DataType.FP32), middle)
    return b.transpose(b.binary("elementwise_mul", steps, factor), [0, 2, 1])


def _refuse(*cases: tuple[bool, str]) -> None:
    found = [why for wrong, why in cases if wrong]
    if found:
        raise CannotRead(", ".join(found))


def _mode(type: str, activations: list[str] | None, direction: str) -> str:
    names = [name.capitalize() for name in activations or []]
    if type == "RNN":
        kinds = set(names or ["Tanh"])
        if len(kinds) > 1 or not kinds <= {"Tanh", "Relu"}:
            raise CannotRead(f"activations {activations}")
        return f"RNN_{kinds.pop().upper()}"
    usual = _STANDARD[type] * (2 if direction == "bidirectional" else 1)
    if names and names != usual:
        raise CannotRead(f"activations {activations}")
    return type


def _weights(
    b: Builder, w: Tensor, r: Tensor, bias: Tensor, gates: list[int], hidden: int, directions: int
) -> tuple[list[Tensor], list[Tensor]]:
    """Matrices and biases of each direction, the gates in Paddle's order."""
    order = np.argsort(gates)
    rows = b.constant(np.concatenate([np.arange(hidden) + gate * hidden for gate in order]))

    def sorted_(part: Tensor, side: int) -> Tensor:
        return b.emit("gather", {"X": b.slice(part, 0, side, side + 1, drop=True), "Index": rows})

    matrices, vectors = [], []
    width = len(gates) * hidden
    for side in range(directions):
        matrices += [sorted_(w, side), sorted_(r, side)]
        for first in (0, width):
            vectors.append(sorted_(b.slice(bias, 1, first, first + width), side))
    return matrices, vectors


def _state(
    b: Builder, x: Tensor, state: Tensor | None, directions: int, hidden: int, layout: int
) -> Tensor:
    if state is not None:
        return b.transpose(state, [1, 0, 2]) if layout else state
    batch = b.slice(b.shape_of(x), 0, 1, 2)
    sizes = b.concat([b.ints([directions]), batch, b.ints([hidden])], 0)
    return b.full(sizes, 0.0, x.dtype)


def _outputs(
    b: Builder, made: list[Tensor], directions: int, hidden: int, layout: int
) -> list[Tensor | None]:
    out, *states = made
    out.shape = (None, None, directions * hidden)
    split = b.reshape(out, [0, 0, directions, hidden])
    whole = b.transpose(split, [1, 0, 2, 3] if layout else [0, 2, 1, 3])
    for state in states:
        state.shape = (directions, None, hidden)
    return [whole, *(b.transpose(state, [1, 0, 2]) if layout else state for state in states)]
