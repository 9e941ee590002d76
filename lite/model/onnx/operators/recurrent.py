"""Recurrent layers of the operator ``rnn``."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.operator import CannotExport, Op, operator
from lite.model.onnx.recurrence import GATES


def _ordered(op: Op, name: str, gates: list[int], hidden: int) -> str:
    """The rows of a weight or bias with the gates in ONNX's order, and a dimension in front."""
    rows = np.concatenate([np.arange(hidden) + gate * hidden for gate in gates]).astype(np.int64)
    return op.unsqueeze(op.node("Gather", [name, op.const(rows)], axis=0), [0])


def _stepped(op: Op, index: int, gates: list[int], hidden: int) -> list[np.ndarray[Any, Any]]:
    """A constant matrix [summands, rows] in int8, with a scale and a zero point of its rows."""
    known, width = op.array("WeightList", index), len(gates) * hidden
    if known is None or known.shape[:1] != (width,):
        raise CannotExport("weights of int8_weight_scales that are computed")
    rows = np.concatenate([np.arange(hidden) + gate * hidden for gate in gates])
    scales = np.array(op.attr("int8_weight_scales"), np.float32)[index * width :][rows]
    steps = np.rint(known[rows] / scales[:, None])
    low, high = steps.min(1, initial=0), steps.max(1, initial=0)
    zeros = -np.where((low < -128) | (high > 127), low + 128, 0)
    if (scales == scales[0]).all():
        zeros = np.broadcast_to(-128 - steps.min() if zeros.any() else 0, zeros.shape)
    elif zeros.any():
        raise CannotExport("more than 8 bits of int8_weight_scales, a scale for each row")
    return [(steps + zeros[:, None]).T.astype(np.int8), scales, zeros.astype(np.int8)]


def _rounded_layer(op: Op, x: str, first: int, gates: list[int], others: list[str | None]) -> Any:
    """ONNX Runtime's layer whose products' inputs are rounded to bytes."""
    directions, hidden = 2 if op.flag("is_bidirec") else 1, int(op.attr("hidden_size"))
    weights, ends = [], []
    for part in (0, 1):  # of the input, of the hidden state
        indices = (2 * (first + side) + part for side in range(directions))
        sides = zip(*(_stepped(op, i, gates, hidden) for i in indices), strict=True)
        matrix, scales, zeros = (np.stack(one) for one in sides)
        if (scales == scales[:, :1]).all():
            scales, zeros = scales[:, 0], zeros[:, 0]
        weights.append(op.const(matrix))
        ends += [op.const(scales), op.const(zeros)]
    inputs = [x, *weights, *others, None, *ends]
    return _layer(op, "DynamicQuantizeLSTM", inputs, domain="com.microsoft")


@operator("rnn")
def rnn(op: Op) -> Any:
    """A node for each layer; time comes first in both."""
    mode, hidden, layers = (
        str(op.attr("mode")),
        int(op.attr("hidden_size")),
        int(op.attr("num_layers")),
    )
    if mode not in GATES:
        raise CannotExport(f"mode {mode}")
    directions = 2 if op.flag("is_bidirec") else 1
    if not 0 < layers <= 4096:
        raise CannotExport(f"{layers} layers")
    weights, states = op.names("WeightList"), op.names("PreState")
    half, count = len(weights) // 2, layers * directions
    if half != 2 * count:
        raise CannotExport(f"{len(weights)} weights for {count} layers and directions")
    lengths = op.cast(op["SequenceLength"], np.int32) if op.has("SequenceLength") else None
    op.need_small(4 * hidden)
    x, ends = op["Input"], []
    for layer in range(layers):
        biases = []
        for d in range(directions):
            at = half + 2 * (layer * directions + d)
            pair = [_ordered(op, weights[at + part], GATES[mode], hidden) for part in (0, 1)]
            biases.append(op.concat(pair, 1))
        first = layer * directions
        initial = [op.slice(state, [first], [first + directions], [0]) for state in states]
        others = [op.concat(biases), lengths, *initial]
        if op.attr("int8_weight_scales"):
            x, last = _rounded_layer(op, x, first, GATES[mode], others)
        else:
            groups: list[str] = []
            for part in (0, 1):  # of the input, of the hidden state
                listed = [weights[2 * (first + d) + part] for d in range(directions)]
                groups.append(op.concat([_ordered(op, w, GATES[mode], hidden) for w in listed]))
            x, last = _layer(op, mode, [x, *groups, *others])
        ends.append(last)
    made = [op.concat([last[i] for last in ends]) for i in range(len(states))]
    return {"Out": x, "State": made}


def _layer(op: Op, mode: str, inputs: list[str | None], domain: str = "") -> tuple[str, list[str]]:
    directions = 2 if op.flag("is_bidirec") else 1
    attributes: dict[str, Any] = {
        "hidden_size": int(op.attr("hidden_size")),
        "direction": "bidirectional" if directions == 2 else "forward",
    }
    if mode == "GRU":
        attributes["linear_before_reset"] = 1
    type = mode.split("_")[0]
    if mode == "RNN_RELU":
        attributes["activations"] = ["Relu"] * directions
    states = len(op.names("PreState"))
    made = op.node(type, inputs, outputs=1 + states, domain=domain, **attributes)
    out = op.reshape(
        op.transpose(made[0], [0, 2, 1, 3]), [0, 0, directions * attributes["hidden_size"]]
    )
    return out, list(made[1:])


@operator("gru_unit")
def gru_unit(op: Op) -> Any:
    """One step; the weights of two gates come before those of the candidate."""
    kinds = ("Identity", "Sigmoid", "Tanh", "Relu")
    gate, candidate = (kinds[int(op.attr(n))] for n in ("gate_activation", "activation"))
    before, size = op["HiddenPrev"], op.shape("HiddenPrev")[1]
    if size is None:
        raise CannotExport("a state of a free size")
    x = op.node("Add", [op["Input"], op["Bias"]]) if op.has("Bias") else op["Input"]
    own = op.split(x, [2 * size, size], 1)
    weights = op.split(op.flat(op["Weight"]), [2 * size * size, size * size], 0)
    both = op.node("MatMul", [before, op.reshape(weights[0], [size, 2 * size])])
    gates = op.node(gate, [op.node("Add", [own[0], both])])
    update, reset = op.split(gates, [size, size], 1)
    kept = op.node("Mul", [reset, before])
    new = op.node("MatMul", [kept, op.reshape(weights[1], [size, size])])
    new = op.node(candidate, [op.node("Add", [own[1], new])])
    ends = (new, before) if op.flag("origin_mode") else (before, new)
    way = op.node("Mul", [update, op.node("Sub", [ends[1], ends[0]])])
    return {
        "Hidden": op.node("Add", [ends[0], way]),
        "ResetHiddenPrev": kept,
        "Gate": op.concat([update, reset, new], 1),
    }
