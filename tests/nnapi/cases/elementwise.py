"""Operations element by element, and those along one axis that keep the shape."""

from __future__ import annotations

from ..rows import Row, numbers, row, scalar, tensor, truths, weights

FLOATS, NUMBERS, ALL = "f32 f16", "f32 f16 u8 i8", "f32 f16 i32 u8 i8"
SIGNED = [[-3.5, -1.0, -0.25], [0.0, 0.5, 4.0]]

_ARITHMETIC = [
    *(
        row(name, tensor(2, 3, 4), tensor(2, 3, 4, low=-2, high=2), scalar(act), kinds=kinds)
        for name, kinds in [("ADD", ALL), ("SUB", ALL), ("MUL", ALL)]
        for act in (0, 1, 2, 3)
    ),
    *(row(name, tensor(2, 1, 4), tensor(3, 1), scalar(0), kinds=NUMBERS)
      for name in ("ADD", "SUB", "MUL")),
    *(row(name, tensor(4), tensor(2, 2, 3, 4), scalar(0), kinds=NUMBERS)
      for name in ("ADD", "SUB", "MUL")),
    row("ADD", tensor(1), tensor(2, 3), scalar(0), kinds=ALL),
    *(row("DIV", tensor(2, 3), tensor(3, low=0.5, high=2), scalar(act), kinds=FLOATS)
      for act in (0, 1, 2, 3)),
    row("DIV", numbers([[-7, 7, -8, 8], [9, -9, 6, -6]]), numbers([2, 2, -3, -3]), scalar(0),
        kinds="i32", name="rounds down"),
    *(row(name, tensor(2, 3, 4), tensor(3, 1), kinds=ALL) for name in ("MAXIMUM", "MINIMUM")),
    row("POW", tensor(2, 3, low=0.5, high=2), tensor(3), kinds=FLOATS),
    row("POW", tensor(2, 3, low=-2, high=2), numbers([2.0]), kinds=FLOATS),
    row("PRELU", tensor(1, 2, 2, 3), numbers([0.25, 0.5, -0.75]), kinds=NUMBERS),
    row("PRELU", tensor(2, 3), numbers([0.25]), kinds=NUMBERS),
    row("PRELU", tensor(2, 3, 4, 5), tensor(3, 4, 5), kinds=NUMBERS),
]  # fmt: skip

_UNARY = [
    *(row(name, numbers(SIGNED, low=-4, high=4), kinds=NUMBERS, out="same")
      for name in ("RELU", "RELU1", "RELU6")),
    *(row(name, tensor(1, 2, 3, 4, low=-4, high=8), kinds=NUMBERS, out="same")
      for name in ("RELU", "RELU1", "RELU6")),
    row("TANH", numbers(SIGNED, low=-4, high=4), kinds=NUMBERS, out=(1 / 128, 128)),
    row("LOGISTIC", numbers(SIGNED, low=-4, high=4), kinds=NUMBERS, out=(1 / 256, 0)),
    row("HARD_SWISH", tensor(2, 9, low=-5, high=5), kinds=NUMBERS),
    row("ABS", numbers(SIGNED, low=-4, high=4), kinds="f32 f16 i32"),
    row("NEG", numbers(SIGNED, low=-4, high=4), kinds="f32 f16 i32"),
    *(row(name, numbers(SIGNED), kinds=FLOATS) for name in ("FLOOR", "EXP", "SIN")),
    *(row(name, tensor(5, low=0.1, high=4), kinds=FLOATS) for name in ("LOG", "RSQRT", "SQRT")),
    *(row(name, tensor(2, 2, 3, 2, low=0.1, high=4), kinds=FLOATS)
      for name in ("LOG", "RSQRT", "SQRT", "FLOOR", "EXP", "SIN", "ABS", "NEG")),
    *(row("ELU", numbers(SIGNED), scalar(alpha), kinds=FLOATS) for alpha in (1.0, 0.5)),
    row("QUANTIZE", tensor(2, 3, 4, low=-2, high=3), kinds=FLOATS, out="u8"),
    row("QUANTIZE", tensor(2, 3, 4, low=-2, high=3), kinds=FLOATS, out="i8", name="signed"),
    row("DEQUANTIZE", tensor(2, 3, 4), kinds="u8 i8 s8", out="f32"),
    row("DEQUANTIZE", weights(3, 2), kinds="channel", out="f32", name="channels"),
    row("DEQUANTIZE", weights(2, 3, 2, channel=1), kinds="channel", out="f32", name="channels"),
    row("DEQUANTIZE", tensor(4, low=-3, high=5), kinds="u8 i8 s8", out="f16", name="half"),
]  # fmt: skip

_LOGIC = [
    row("LOGICAL_NOT", truths(2, 3), out="bool", kinds="bool"),
    *(row(name, truths(2, 3), truths(2, 3), out="bool", kinds="bool")
      for name in ("LOGICAL_AND", "LOGICAL_OR")),
    *(row(name, truths(2, 1, 3), truths(2, 1), out="bool", kinds="bool")
      for name in ("LOGICAL_AND", "LOGICAL_OR")),
    *(row(name, numbers([[-1, 0], [0.5, 1]]), numbers([[-1, 0.5], [0, 1]]), out="bool",
          kinds=ALL)
      for name in ("EQUAL", "NOT_EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL")),
    *(row(name, numbers([[-1, 0], [0.5, 1]]), numbers([0.5]), out="bool", kinds=ALL)
      for name in ("EQUAL", "NOT_EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL")),
    *(row(name, truths(2, 3), truths(2, 3), out="bool", kinds="bool")
      for name in ("EQUAL", "NOT_EQUAL")),
    row("SELECT", truths(2, 3), tensor(2, 3), tensor(2, 3), kinds=ALL),
    row("SELECT", truths(7), tensor(7), tensor(7, low=-3, high=2), kinds=ALL),
]  # fmt: skip

_AXES = [
    *(row("SOFTMAX", tensor(*shape, low=-2, high=2), scalar(beta), kinds=NUMBERS,
          out=(1 / 256, 0))
      for shape in ((2, 5), (1, 2, 3, 4)) for beta in (1.0, 0.5)),
    *(row("SOFTMAX", tensor(2, 3, 4, 5), scalar(1.0), scalar(axis), kinds="f32 u8 i8",
          out=(1 / 256, 0))
      for axis in (0, 1, 2, -1)),
    *(row("LOG_SOFTMAX", tensor(2, 3, 4), scalar(beta), scalar(axis), kinds=FLOATS)
      for beta, axis in ((1.0, -1), (2.0, 1))),
    row("L2_NORMALIZATION", tensor(2, 2, 2, 3), kinds=NUMBERS, out=(1 / 128, 128)),
    *(row("L2_NORMALIZATION", tensor(2, 3, 4), scalar(axis), kinds="f32 u8 i8",
          out=(1 / 128, 128))
      for axis in (1, -1)),
    row("LOCAL_RESPONSE_NORMALIZATION", tensor(1, 2, 2, 6), scalar(2), scalar(1.0), scalar(0.5),
        scalar(0.75), kinds=FLOATS),
    row("LOCAL_RESPONSE_NORMALIZATION", tensor(1, 2, 2, 6), scalar(20), scalar(9.0), scalar(4.0),
        scalar(0.5), kinds=FLOATS),
    *(row("LOCAL_RESPONSE_NORMALIZATION", tensor(2, 5, 3, 4), scalar(1), scalar(1.0),
          scalar(0.5), scalar(1.0), scalar(axis), kinds=FLOATS)
      for axis in (1, -2)),
]  # fmt: skip

ROWS: list[Row] = [*_ARITHMETIC, *_UNARY, *_LOGIC, *_AXES]
