"""Rows of the table of cases, and what becomes of a row in each of its kinds.

A row is one use of an operation, its numbers in whatever type a kind has: "f32", "f16", "u8" and
"i8" (asymmetric, unsigned and signed), "channel" (u8 with filters quantised per channel), "i32".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .client import Network, Operand
from .reference import compute
from .types import QUANTISED, STORED, Type

Array = np.ndarray[Any, np.dtype[Any]]
TENSORS = {
    "f32": Type.TENSOR_FLOAT32,
    "f16": Type.TENSOR_FLOAT16,
    "u8": Type.TENSOR_QUANT8_ASYMM,
    "i8": Type.TENSOR_QUANT8_ASYMM_SIGNED,
    "channel": Type.TENSOR_QUANT8_ASYMM,
    "i32": Type.TENSOR_INT32,
    "bool": Type.TENSOR_BOOL8,
    "q16": Type.TENSOR_QUANT16_SYMM,
    "a16": Type.TENSOR_QUANT16_ASYMM,
    "s8": Type.TENSOR_QUANT8_SYMM,
}


@dataclass(frozen=True)
class Given:
    """An operand of a row. `role`: what it is; see the functions below."""

    role: str
    value: Any = None
    shape: tuple[int, ...] = ()
    low: float = -1.0
    high: float = 1.0
    type: str = ""  # a kind of its own; the row's if empty
    channel: int = 0  # the axis of the scales of a filter per channel


def tensor(*shape: int, low: float = -1.0, high: float = 1.0, type: str = "") -> Given:
    """Numbers in [low, high] of the row's kind."""
    return Given("data", None, shape, low, high, type)


def numbers(values: Any, low: float = -1.0, high: float = 1.0, type: str = "") -> Given:
    """These numbers, in the row's kind."""
    array = np.asarray(values, np.float64)
    return Given("data", array, array.shape, low, high, type)


def stored(values: Any) -> Given:
    """These stored numbers, which the reference sees as they are."""
    array = np.asarray(values)
    return Given("stored", array, array.shape)


ABSENT = Given("absent")  # an optional operand that is left out


def weights(*shape: int, channel: int = 0) -> Given:
    """A filter."""
    return Given("filter", None, shape, channel=channel)


def bias(count: int) -> Given:
    """A bias, int32 with the scale of input times filter where they are quantised."""
    return Given("bias", None, (count,))


def scalar(value: float | int | bool) -> Given:
    """INT32, BOOL, or FLOAT32; FLOAT16 in that kind."""
    return Given("scalar", value)


def ints(*values: Any) -> Given:
    """Axes, shapes or pads."""
    array = np.asarray(values[0] if len(values) == 1 and not np.isscalar(values[0]) else values)
    return Given("ints", array.astype(np.int32), array.shape)


def places(values: Any) -> Given:
    """An INT32 tensor of data: indices."""
    array = np.asarray(values, np.int32)
    return Given("places", array, array.shape)


def truths(*shape: int) -> Given:
    """A BOOL8 tensor."""
    return Given("truths", None, shape)


@dataclass(frozen=True)
class Row:
    """`out`: the type of each output: "free", "same" as the first operand of data, "bool", "int",
    a kind, "stored" numbers of u8, a "scalar", or the (scale, unsigned zero point) that a
    quantised result must have."""

    operation: str
    operands: tuple[Given, ...]
    kinds: tuple[str, ...]
    out: tuple[Any, ...]
    name: str


def row(operation: str, *operands: Given, kinds: str = "f32 f16", out: Any = "free",
        name: str = "") -> Row:  # fmt: skip
    outputs = tuple(out) if isinstance(out, list) else (out,)
    return Row(operation, operands, tuple(kinds.split()), outputs, name)


@dataclass
class Case:
    """One model of one operation, what its operands are and what must come out."""

    name: str
    operation: str
    operands: list[Operand]
    real: list[Any]
    lists: set[int]  # positions of axes, shapes and pads
    expected: list[Operand]

    def network(self, mode: str) -> Network:
        """The model in one of five modes. `constants`: all but the first tensor are constant;
        `inputs`: lists and scalars are; `lists`: scalars are, and operands are left out when it
        runs; `unknown`: as constants, but dimensions are given when it runs, and `rankless`: the
        rank as well."""
        operands: list[Operand] = []
        inputs: list[int] = []
        for index, source in enumerate(self.operands):
            copied = Operand(**vars(source))
            is_tensor = source.type in STORED and bool(source.shape)
            free = is_tensor and (mode == "lists" or index not in self.lists)
            left_out = source.left_out and mode == "lists"
            as_input = left_out or (free and (mode in ("inputs", "lists") or not inputs))
            copied.constant = not as_input
            if as_input:
                inputs.append(index)
                if mode in ("unknown", "rankless"):
                    copied.declared = (0,) * len(source.shape) if mode == "unknown" else ()
                elif left_out:
                    copied.declared = (0, 0)
            operands.append(copied)
        outputs = []
        for source in self.expected:
            copied = Operand(**vars(source))
            if mode in ("unknown", "rankless"):
                copied.declared = ()
            outputs.append(len(operands))
            operands.append(copied)
        step = (self.operation, list(range(len(self.operands))), outputs)
        return Network(operands, [step], inputs, outputs)


def _quantised(real: Array, operand: Operand) -> Array:
    """Stored numbers of real ones, rounded half away from zero."""
    limits: Any = np.iinfo(STORED[operand.type])
    scale: Any = operand.scale
    if operand.channels is not None:
        axis, scales = operand.channels
        scale = scales.reshape([-1 if a == axis else 1 for a in range(real.ndim)])
    scaled = np.asarray(real, np.float64) / scale
    rounded = np.sign(scaled) * np.floor(np.abs(scaled) + 0.5)
    clipped = np.clip(rounded + operand.zero, limits.min, limits.max)
    result: Array = clipped.astype(STORED[operand.type])
    return result


def _real(operand: Operand) -> Array:
    """What stored numbers stand for."""
    assert operand.value is not None
    if operand.type not in QUANTISED and operand.scale == 0:
        kind = {"f": np.float64, "i": np.int64, "u": np.bool_}[operand.value.dtype.kind]
        return operand.value.astype(kind)
    scale: Any = operand.scale
    if operand.channels is not None:
        axis, scales = operand.channels
        scale = scales.reshape([-1 if a == axis else 1 for a in range(operand.value.ndim)])
    real: Array = (operand.value.astype(np.float64) - operand.zero) * scale
    return real


def _scaled(operand: Operand, low: float, high: float) -> None:
    """Chooses scale and zero point for numbers in [low, high], 0 among them."""
    limits: Any = np.iinfo(STORED[operand.type])
    low, high = min(low, 0.0), max(high, 1e-3)
    if operand.type in (Type.TENSOR_QUANT16_SYMM, Type.TENSOR_QUANT8_SYMM):
        operand.scale = float(np.float32(max(-low, high) / limits.max))
        return
    operand.scale = float(np.float32((high - low) / (limits.max - limits.min)))
    operand.zero = int(limits.min + np.floor(-low / operand.scale + 0.5))


class _Maker:
    """Makes the operands of a row in one kind."""

    def __init__(self, kind: str, seed: int) -> None:
        self.kind = kind
        self.random = np.random.default_rng(seed)
        self.quantised = TENSORS[kind] in QUANTISED
        self.scales: list[Any] = []  # of input and filter, for the bias

    def make(self, given: Given) -> Operand:
        made: Operand = getattr(self, "_" + given.role)(given)
        return made

    def _numbers(self, given: Given) -> Array:
        if given.value is not None:
            return np.asarray(given.value, np.float64)
        return self.random.uniform(given.low, given.high, given.shape)

    def _data(self, given: Given) -> Operand:
        operand = Operand(TENSORS[given.type or self.kind], given.shape)
        real = self._numbers(given)
        if operand.type in QUANTISED:
            _scaled(operand, given.low, given.high)
            operand.value = _quantised(real, operand)
            self.scales.append(operand.scale)
        elif operand.type == Type.TENSOR_INT32:
            operand.value = (real if given.value is not None else np.round(real * 10)).astype("i4")
        else:
            operand.value = real.astype(STORED[operand.type])
        return operand

    def _filter(self, given: Given) -> Operand:
        if self.kind != "channel":
            return self._data(given)
        operand = Operand(Type.TENSOR_QUANT8_SYMM_PER_CHANNEL, given.shape)
        count = given.shape[given.channel]
        scales = np.linspace(0.004, 0.008, count, dtype=np.float32)
        operand.channels = (given.channel, scales)
        operand.value = _quantised(self._numbers(given), operand)
        self.scales.append(scales)
        return operand

    def _bias(self, given: Given) -> Operand:
        if not self.quantised:
            return self._data(given)
        scale = np.asarray(self.scales[0] * np.asarray(self.scales[1], np.float64))
        operand = Operand(Type.TENSOR_INT32, given.shape)
        operand.scale = 0.0 if scale.ndim else float(np.float32(scale))
        operand.value = np.round(self._numbers(given) / scale).astype(np.int32)
        return operand

    def _scalar(self, given: Given) -> Operand:
        value = given.value
        if isinstance(value, bool):
            return Operand(Type.BOOL, value=np.array([value], np.uint8))
        if isinstance(value, int):
            return Operand(Type.INT32, value=np.array([value], np.int32))
        half = self.kind == "f16"
        return Operand(Type.FLOAT16 if half else Type.FLOAT32,
                       value=np.array([value], np.float16 if half else np.float32))  # fmt: skip

    def _ints(self, given: Given) -> Operand:
        return Operand(Type.TENSOR_INT32, given.shape, value=given.value)

    _places = _ints

    def _absent(self, given: Given) -> Operand:
        return Operand(TENSORS[self.kind], left_out=True)

    def _stored(self, given: Given) -> Operand:
        kind = TENSORS[self.kind]
        operand = Operand(kind, given.shape, value=given.value.astype(STORED[kind]))
        if kind in QUANTISED:
            operand.scale, operand.zero = 0.25, 3
        return operand

    def _truths(self, given: Given) -> Operand:
        value = self.random.integers(0, 2, given.shape).astype(np.uint8)
        return Operand(Type.TENSOR_BOOL8, given.shape, value=value)

    def real(self, given: Given, operand: Operand) -> Any:
        """The operand as the reference takes it."""
        if given.role == "absent":
            return None
        assert operand.value is not None
        if given.role == "scalar":
            value = operand.value[0]
            return bool(value) if operand.type == Type.BOOL else value.item()
        if given.role == "stored":
            return operand.value.astype(np.float64)
        if given.role == "bias" and self.quantised:
            return operand.value * (self.scales[0] * np.asarray(self.scales[1], np.float64))
        return _real(operand)


def _expected(kind: str, wanted: Any, real: Array, first: Operand) -> Operand:
    """The output operand with the elements that are right."""
    if wanted == "stored":
        numbers = np.clip(np.trunc(real), 0, 255).astype(np.uint8)
        return Operand(TENSORS["u8"], real.shape, 0.5, 10, numbers)
    if wanted == "scalar":
        return Operand(Type.INT32, value=real.astype(np.int32).reshape(()))
    own = wanted if isinstance(wanted, str) and wanted in TENSORS else kind
    operand = Operand({"bool": Type.TENSOR_BOOL8, "int": Type.TENSOR_INT32}.get(
        wanted if isinstance(wanted, str) else "", TENSORS[own]), real.shape)  # fmt: skip
    if operand.type in QUANTISED:
        if wanted == "same":
            operand.scale, operand.zero = first.scale, first.zero
        elif isinstance(wanted, tuple):
            operand.scale, operand.zero = wanted
            operand.zero -= 128 if operand.type == Type.TENSOR_QUANT8_ASYMM_SIGNED else 0
        else:
            _scaled(operand, float(real.min()), float(real.max()))
        operand.value = _quantised(real, operand)
    else:
        operand.value = real.astype(STORED[operand.type])
    return operand


def case_of(row: Row, kind: str, number: int) -> Case:
    """A row in one of its kinds."""
    maker = _Maker(kind, number)
    operands = [maker.make(given) for given in row.operands]
    real = [maker.real(*pair) for pair in zip(row.operands, operands, strict=True)]
    results = compute(row.operation, real)
    first = next((o for g, o in zip(row.operands, operands, strict=True) if g.role == "data"),
                 operands[0])  # fmt: skip
    wanted: Sequence[Any] = row.out if len(row.out) == len(results) else row.out * len(results)
    expected = [
        _expected(kind, out, np.asarray(result), first)
        for out, result in zip(wanted, results, strict=True)
    ]
    lists = {i for i, given in enumerate(row.operands) if given.role == "ints"}
    name = "-".join(filter(None, (row.operation, row.name or str(number), kind)))
    return Case(name, row.operation, operands, real, lists, expected)


def differs(expected: Operand, got: Array) -> str:
    """Empty, or what is wrong."""
    wanted = expected.value
    assert wanted is not None
    if got.shape != wanted.shape:
        return f"shape {got.shape}, expected {wanted.shape}"
    if expected.type in QUANTISED:
        close = np.abs(got.astype(np.int64) - wanted.astype(np.int64)) <= 1
    elif got.dtype.kind == "f":
        relative = 1e-5 if got.dtype == np.float32 else 5 * 2.0**-10
        close = np.isclose(got, wanted, rtol=relative, atol=relative)
    else:
        close = got == wanted
    if close.all():
        return ""
    at = tuple(int(i) for i in np.argwhere(~close)[0])
    return f"{(~close).sum()} of {close.size} elements, first {at}: {got[at]} for {wanted[at]}"
