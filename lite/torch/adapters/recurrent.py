"""LSTM and GRU in torch's three forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lite.torch.builder import Builder, Inputs
from lite.torch.registry import adapter
from lite.torch.values import Meta, NotTranslatableError, Tensor

Outs = list[Meta]


def run_rnn(
    b: Builder,
    mode: str,
    x: Tensor,
    states: Sequence[Tensor],
    weights: Sequence[Tensor],
    layers: int,
    both: bool,
) -> tuple[Tensor, list[Tensor]]:
    """Paddle's ``rnn`` over [time, batch, features]; ``weights``: all weights, then all biases."""
    hidden = int(states[0].shape[-1])
    out = b.variable(x.dtype, (*x.shape[:2], hidden * (2 if both else 1)))
    last = [b.variable(state.dtype, state.shape) for state in states]
    dropout = b.variable(x.dtype, (0,))
    reserve = b.variable(x.dtype, (0,))
    attrs = {"mode": mode, "num_layers": layers, "hidden_size": hidden, "is_bidirec": both}
    inputs: Inputs = {"Input": x, "PreState": states, "WeightList": weights}
    outputs = {"Out": [out], "State": last, "DropoutState": [dropout], "Reserve": [reserve]}
    b.emit_all("rnn", inputs, attrs, outputs)
    return out, last


def _ordered(b: Builder, params: Sequence[Tensor], biased: bool) -> list[Tensor]:
    """torch lists a layer's weights and biases together; Paddle all weights first."""
    if not biased:
        weights = list(params)
        biases = [b.full((w.shape[0],), 0.0, w.dtype) for w in weights]
        return [*weights, *biases]
    weights = [p for i in range(0, len(params), 4) for p in params[i : i + 2]]
    biases = [p for i in range(0, len(params), 4) for p in params[i + 2 : i + 4]]
    return [*weights, *biases]


def _whole(
    b: Builder,
    mode: str,
    outs: Outs,
    input: Tensor,
    states: Sequence[Tensor],
    params: Sequence[Tensor],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> list[Tensor]:
    if train and dropout:
        raise NotTranslatableError("a recurrent network with dropout (call model.eval())")
    if len(params) != num_layers * (2 if bidirectional else 1) * (4 if has_biases else 2):
        raise NotTranslatableError("an LSTM with projections")
    x = b.transpose(input, [1, 0, 2]) if batch_first else input
    weights = _ordered(b, params, has_biases)
    out, last = run_rnn(b, mode, x, states, weights, num_layers, bidirectional)
    return [b.transpose(out, [1, 0, 2]) if batch_first else out, *last]


@adapter
def lstm(
    b: Builder,
    outs: Outs,
    input: Tensor,
    hx: Sequence[Tensor],
    params: Sequence[Tensor],
    **how: Any,
) -> list[Tensor]:
    """``lstm.input``."""
    return _whole(b, "LSTM", outs, input, list(hx), params, **how)


@adapter
def gru(
    b: Builder, outs: Outs, input: Tensor, hx: Tensor, params: Sequence[Tensor], **how: Any
) -> list[Tensor]:
    """``gru.input``."""
    return _whole(b, "GRU", outs, input, [hx], params, **how)


@adapter
def mkldnn_rnn_layer(
    b: Builder,
    outs: Outs,
    input: Tensor,
    weight0: Tensor,
    weight1: Tensor,
    weight2: Tensor,
    weight3: Tensor,
    hx_: Tensor,
    cx_: Tensor,
    reverse: bool,
    batch_sizes: Sequence[int],
    mode: int,
    hidden_size: int,
    num_layers: int,
    has_biases: bool,
    bidirectional: bool,
    batch_first: bool,
    train: bool,
) -> Any:
    """One layer in one direction of an LSTM, as torch writes it for CPU tensors."""
    if mode != 2 or num_layers != 1 or bidirectional or batch_sizes:
        raise NotTranslatableError("mkldnn_rnn_layer of another kind than one layer of an LSTM")
    zeros = [b.full((weight0.shape[0],), 0.0, weight0.dtype)] * 2
    biases = [weight2, weight3] if has_biases else zeros
    # batch_first only says how the network's own input lay: the layer's is [time, batch, features].
    x = b.emit("flip", {"X": input}, {"axis": [0]}) if reverse else input
    states = [_three(b, hx_), _three(b, cx_)]
    out, last = run_rnn(b, "LSTM", x, states, [weight0, weight1, *biases], 1, False)
    if reverse:
        out = b.emit("flip", {"X": out}, {"axis": [0]})
    hidden, cell = (b.reshape(s, o.shape) for s, o in zip(last, outs[1:3], strict=True))
    return [out, hidden, cell, None]


def _three(b: Builder, state: Tensor) -> Tensor:
    return state if state.rank == 3 else b.reshape(state, (1, *state.shape))
