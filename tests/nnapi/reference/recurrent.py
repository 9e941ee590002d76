"""Recurrent networks: cells, and sequences of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .common import Operation

_ACTIVATIONS: dict[int, Operation] = {
    0: lambda x: x,
    1: lambda x: np.maximum(x, 0),
    2: lambda x: np.clip(x, -1, 1),
    3: lambda x: np.clip(x, 0, 6),
    4: np.tanh,
    6: lambda x: 1 / (1 + np.exp(-x)),
}


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def _times(x: Any, weights: Any) -> Any:
    return 0 if x is None or weights is None else x @ weights.T


def _rnn(x: Any, w: Any, r: Any, b: Any, h: Any, act: int) -> Any:
    state = _ACTIVATIONS[act](x @ w.T + h @ r.T + b)
    return state, state


def _moments(x: Any, time_major: Any) -> Any:
    return None if x is None else (x if time_major else x.swapaxes(0, 1))


def _joined(moments: list[Any], time_major: Any) -> Any:
    return np.stack(moments, 0 if time_major else 1)


def _sequence_rnn(x: Any, w: Any, r: Any, b: Any, h: Any, act: int, time_major: int) -> Any:
    results = []
    for moment in _moments(x, time_major):
        h, _ = _rnn(moment, w, r, b, h, act)
        results.append(h)
    return _joined(results, time_major), h


def _both(forward: Any, backward: Any, merge: bool, time_major: bool) -> list[Any]:
    a, b = _joined(forward, time_major), _joined(backward, time_major)
    return [np.concatenate([a, b], -1)] if merge else [a, b]


def _bidirectional_rnn(x: Any, *rest: Any) -> Any:
    w, r, b, h, bw, br, bb, bh, aux, aux_w, aux_bw, act, time_major, merge = rest
    moments, seconds = _moments(x, time_major), _moments(aux, time_major)
    crossed = aux is not None and aux_w is None
    behind = seconds if crossed else moments
    extra = [None] * len(moments) if aux is None or crossed else seconds
    forward: list[Any] = []
    for i in range(len(moments)):
        h = _ACTIVATIONS[act](moments[i] @ w.T + h @ r.T + b + _times(extra[i], aux_w))
        forward.append(h)
    backward: list[Any] = []
    for i in reversed(range(len(moments))):
        bh = _ACTIVATIONS[act](behind[i] @ bw.T + bh @ br.T + bb + _times(extra[i], aux_bw))
        backward.insert(0, bh)
    return [*_both(forward, backward, merge, time_major), h, bh]


def _svdf(x: Any, features: Any, times: Any, b: Any, state: Any, rank: int, act: int) -> Any:
    batch, (filters, memory) = len(x), times.shape
    old = state.reshape(batch, filters, memory)
    new = np.concatenate([old[:, :, 1:], (x @ features.T)[:, :, None]], 2)
    sums = (new * times).sum(2).reshape(batch, filters // rank, rank).sum(2)
    return new.reshape(state.shape), _ACTIVATIONS[act](sums + (0 if b is None else b))


class _Lstm:
    """Operands of one cell: weights, recurrent ones, peepholes, biases, projection."""

    def __init__(self, operands: Any, h: Any, c: Any, act: int, clips: Any, norms: Any) -> None:
        self.w, self.r = operands[:4], operands[4:8]
        self.peep = [operands[8], operands[9], None, operands[10]]
        self.b, (self.p, self.pb) = operands[11:15], operands[15:17]
        self.h, self.c, self.act, self.clips = h, c, _ACTIVATIONS[act], clips
        self.norms = [*norms, *[None] * 4][:4]
        self.aux: Any = [None] * 4

    def _sum(self, gate: int, x: Any, second: Any, c: Any) -> Any:
        total = x @ self.w[gate].T + self.h @ self.r[gate].T + _times(second, self.aux[gate])
        if self.peep[gate] is not None:
            total = total + c * self.peep[gate]
        if self.norms[gate] is None:
            return total + self.b[gate]
        centred = total - total.mean(1, keepdims=True)
        deviation = np.sqrt(total.var(1, keepdims=True) + 1e-8)
        return centred / deviation * self.norms[gate] + self.b[gate]

    def step(self, x: Any, second: Any = None) -> Any:
        forget = _sigmoid(self._sum(1, x, second, self.c))
        own = self.w[0] is not None
        entry = _sigmoid(self._sum(0, x, second, self.c)) if own else 1 - forget
        fresh = self.act(self._sum(2, x, second, self.c))
        cell = forget * self.c + entry * fresh
        self.c = np.clip(cell, -self.clips[0], self.clips[0]) if self.clips[0] else cell
        out = _sigmoid(self._sum(3, x, second, self.c)) * self.act(self.c)
        if self.p is not None:
            out = out @ self.p.T + (0 if self.pb is None else self.pb)
            out = np.clip(out, -self.clips[1], self.clips[1]) if self.clips[1] else out
        self.h = out
        return out


def _lstm(x: Any, *rest: Any) -> Any:
    cell = _Lstm(rest[:17], rest[17], rest[18], rest[19], rest[20:22], rest[22:])
    out = cell.step(x)
    gates = 3 if rest[0] is None else 4
    return np.zeros((len(x), gates * cell.c.shape[1])), out, cell.c, out


def _sequence_lstm(x: Any, *rest: Any) -> Any:
    cell = _Lstm(rest[:17], rest[17], rest[18], rest[19], rest[20:22], rest[23:])
    results = [cell.step(moment) for moment in _moments(x, rest[22])]
    return _joined(results, rest[22]), cell.h, cell.c


def _bidirectional_lstm(x: Any, *rest: Any) -> Any:
    act, clips, merge, time_major = rest[47], rest[48:50], rest[50], rest[51]
    forward = _Lstm(rest[:17], rest[34], rest[35], act, clips, rest[52:56])
    backward = _Lstm(rest[17:34], rest[36], rest[37], act, clips, rest[56:60])
    forward.aux, backward.aux = rest[39:43], rest[43:47]
    moments, seconds = _moments(x, time_major), _moments(rest[38], time_major)
    crossed = seconds is not None and forward.aux[1] is None
    behind = seconds if crossed else moments
    extra = [None] * len(moments) if seconds is None or crossed else seconds
    first = [forward.step(moments[i], extra[i]) for i in range(len(moments))]
    last = [backward.step(behind[i], extra[i]) for i in reversed(range(len(moments)))][::-1]
    states = [forward.h, forward.c, backward.h, backward.c]
    return [*_both(first, last, merge, time_major), *states]


OPERATIONS: dict[str, Operation] = {
    "RNN": _rnn,
    "UNIDIRECTIONAL_SEQUENCE_RNN": _sequence_rnn,
    "BIDIRECTIONAL_SEQUENCE_RNN": _bidirectional_rnn,
    "SVDF": _svdf,
    "LSTM": _lstm,
    "UNIDIRECTIONAL_SEQUENCE_LSTM": _sequence_lstm,
    "BIDIRECTIONAL_SEQUENCE_LSTM": _bidirectional_lstm,
}
