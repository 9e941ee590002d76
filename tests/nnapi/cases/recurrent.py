"""Recurrent networks: cells, sequences of them, with and without their optional operands."""

from __future__ import annotations

from ..rows import ABSENT, Given, Row, row, scalar, tensor

FLOATS = "f32 f16"
TANH = 4


def _numbers(*values: float | int | bool) -> list[Given]:
    return [scalar(v) for v in values]


def _rnn(inputs: int, units: int) -> list[Given]:
    return [tensor(units, inputs), tensor(units, units), tensor(units), tensor(2, units)]


_RNN = [
    *(row("RNN", tensor(2, 3), *_rnn(3, 4), scalar(act), kinds=FLOATS) for act in (0, 1, 3)),
    *(row("UNIDIRECTIONAL_SEQUENCE_RNN", tensor(*shape), *_rnn(4, 3), scalar(1),
          scalar(major), kinds=FLOATS)
      for shape, major in (((2, 3, 4), 0), ((3, 2, 4), 1), ((2, 1, 4), 0))),
    *(row("BIDIRECTIONAL_SEQUENCE_RNN", tensor(2, 3, 4), *_rnn(4, 3), *_rnn(4, 3), *auxiliary,
          *_numbers(0, False, merge), kinds=FLOATS)
      for merge, auxiliary in (
          (False, [ABSENT] * 3), (True, [ABSENT] * 3),
          (False, [tensor(2, 3, 5), tensor(3, 5), tensor(3, 5)]),
          (False, [tensor(2, 3, 4), ABSENT, ABSENT]),
      )),
    *(row("SVDF", tensor(2, 3), tensor(4, 3), tensor(4, 5), offset, tensor(2, 20),
          *_numbers(rank, 0), kinds=FLOATS)
      for offset, rank in ((tensor(4), 1), (ABSENT, 2))),
]  # fmt: skip


def _cell(inputs: int = 3, units: int = 4, outputs: int = 4, own: bool = True, peep: bool = False,
          project: bool = False) -> list[Given]:  # fmt: skip
    """Weights, recurrent weights, peepholes, biases, projection."""
    first = [tensor(units, inputs) if own else ABSENT]
    second = [tensor(units, outputs) if own else ABSENT]
    third = [tensor(units) if own and peep else ABSENT]
    fourth = [tensor(units) if own else ABSENT]
    return [
        *first, *[tensor(units, inputs)] * 3, *second, *[tensor(units, outputs)] * 3,
        *third, *[tensor(units) if peep else ABSENT] * 2, *fourth, *[tensor(units)] * 3,
        tensor(outputs, units) if project else ABSENT, tensor(outputs) if project else ABSENT,
    ]  # fmt: skip


_NORMS = [tensor(4, low=0.5)] * 4
_STATES = [tensor(2, 4), tensor(2, 4)]

_LSTM = [
    row("LSTM", tensor(2, 3), *_cell(), *_STATES, *_numbers(TANH, 0.0, 0.0), kinds=FLOATS),
    row("LSTM", tensor(2, 3), *_cell(own=False, peep=True), *_STATES, *_numbers(TANH, 0.0, 0.0),
        kinds=FLOATS),
    row("LSTM", tensor(2, 3), *_cell(outputs=3, peep=True, project=True), tensor(2, 3),
        tensor(2, 4), *_numbers(TANH, 0.75, 0.5), kinds=FLOATS),
    row("LSTM", tensor(2, 3), *_cell(peep=True), *_STATES, *_numbers(TANH, 0.0, 0.0), *_NORMS,
        kinds="f32"),
    row("UNIDIRECTIONAL_SEQUENCE_LSTM", tensor(2, 5, 3), *_cell(), *_STATES,
        *_numbers(TANH, 0.0, 0.0, False), kinds=FLOATS),
    row("UNIDIRECTIONAL_SEQUENCE_LSTM", tensor(5, 2, 3), *_cell(own=False), *_STATES,
        *_numbers(TANH, 0.5, 0.0, True), ABSENT, *_NORMS[1:], kinds="f32"),
    *(row("BIDIRECTIONAL_SEQUENCE_LSTM", tensor(2, 3, 3), *_cell(), *_cell(peep=True), *_STATES,
          *_STATES, *auxiliary, *_numbers(TANH, 0.0, 0.0, merge, False), kinds="f32")
      for merge, auxiliary in (
          (False, [ABSENT] * 9), (True, [ABSENT] * 9),
          (False, [tensor(2, 3, 2), *[tensor(4, 2)] * 8]),
      )),
]  # fmt: skip

ROWS: list[Row] = [*_RNN, *_LSTM]
