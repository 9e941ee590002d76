"""The table of cases: an operation on given operands; what it must give says the device `python`.

CLIP = table("CLIP")
CLIP.case(rand(2, 3), const(-0.5), const(1.0))                       # an input, constants
CLIP.case(quantised(rand(2, 30)), const(-0.5), const(1.0), scale=0.01)
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .. import capi
from ..capi import Model, Operand, Quantisation
from ..driver.python.operations import compute
from ..types import Precision

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Const:
    """A constant operand."""

    value: Array


def const(value: Any, dtype: Any = None) -> Const:
    """A constant; numbers become int32, float32 or bool, of at least one dimension."""
    array = np.asarray(value)
    if dtype is None:
        kinds: dict[str, Any] = {"i": np.int32, "f": np.float32, "b": np.bool_}
        dtype = kinds[array.dtype.kind]
    return Const(np.atleast_1d(array.astype(dtype)))


@dataclass(frozen=True)
class Quantised:
    """An integer tensor of one scale, or one for each channel of an axis."""

    value: Array
    scales: tuple[float, ...]
    channel_dim: int | None = None
    constant: bool = False

    @property
    def quantisation(self) -> Quantisation:
        """As the operand's type has it."""
        return Quantisation(self.scales, channel_axis=self.channel_dim)

    @property
    def precision(self) -> Precision:
        """Of the operand."""
        bits = 8 * self.value.dtype.itemsize
        kind = "PER_LAYER" if self.channel_dim is None else "PER_CHANNEL"
        return Precision[f"QUANT_INT{bits}_SYMM_{kind}"]

    @property
    def real(self) -> Array:
        """What it stands for."""
        stored = np.asarray(self.value, np.float32)
        if self.channel_dim is None:
            return np.asarray(stored * np.float32(self.scales[0]))
        shape = [1] * self.value.ndim
        shape[self.channel_dim] = -1
        return np.asarray(stored * np.asarray(self.scales, np.float32).reshape(shape))


# An array (a model's input), Const, Quantised, or None for an operand that is absent.
Given = Any


def rand(*shape: int, seed: int = 0, low: float = -2.0, high: float = 2.0) -> Array:
    """float32 numbers."""
    values = np.random.default_rng(seed + sum(shape)).uniform(low, high, shape)
    return np.asarray(values, np.float32)


def randint(*shape: int, low: int = -9, high: int = 9, dtype: Any = np.int32) -> Array:
    """Integers; `high` is none of them."""
    return np.random.default_rng(sum(shape)).integers(low, high, shape).astype(dtype)


def quantised(values: Array, scale: float | None = None) -> Quantised:
    """A float tensor in int8."""
    scale = float(np.abs(values).max()) / 127 if scale is None else scale
    return Quantised(quanta(values, scale), (scale,))


def quanta(values: Array, scale: float) -> Array:
    """What is stored of real numbers in int8."""
    return np.asarray(np.clip(np.round(values / scale), -127, 127), np.int8)


def real(given: Given) -> Any:
    """The numbers that an operand stands for."""
    if isinstance(given, Const):
        return given.value
    return given.real if isinstance(given, Quantised) else given


def add_operand(
    model: Model, given: Given, unknown: bool, inputs: list[tuple[Operand, Array]]
) -> Operand | None:
    """Adds what is given to the model; what the model reads goes to `inputs` too."""
    if given is None:
        return None
    if isinstance(given, Const):
        if given.value.size:
            return model.constant(given.value)
        return model.tensor(given.value.dtype, given.value.shape)  # without elements to set
    quant, precision = None, None
    value = given
    if isinstance(given, Quantised):
        value, quant, precision = given.value, given.quantisation, given.precision
        if given.constant:
            return model.constant(value, quantisation=quant, precision=precision)
    shape: Sequence[int] = [-1] * value.ndim if unknown else value.shape
    candidates = [value.shape] if unknown and value.ndim else []
    operand = model.tensor(value.dtype, shape, candidates, quant, precision)
    inputs.append((operand, value))
    return operand


@dataclass
class Case:
    """One operation on operands."""

    operation: str
    operands: Sequence[Given]
    # Of the first output, which is then quantised int8.
    scale: float | None = None
    tolerance: float = 1e-4
    # What a device that takes the operation at all takes: float32, ordinary attributes.
    common: bool = False
    # Whether its inputs' dimensions may be unknown when the model is built.
    unknown: bool = True
    # The outputs' shapes where they are not known in advance (-1).
    inferred: Sequence[Any] | None = None
    # Whether optional outputs are asked for, and how many outputs are named at all.
    optional: bool = True
    outputs: int | None = None
    number: int = 0

    @property
    def variables(self) -> list[Array]:
        """The inputs, as they are stored."""
        stored = [
            o.value if isinstance(o, Quantised) and not o.constant else o for o in self.operands
        ]
        return [v for v in stored if isinstance(v, np.ndarray)]

    @property
    def dtype(self) -> str:
        """Element type of the first input."""
        quantised = any(isinstance(o, Quantised) for o in self.operands) or self.scale is not None
        first = (self.variables or [real(self.operands[0])])[0]
        return f"{'quant ' if quantised else ''}{first.dtype}"

    @property
    def name(self) -> str:
        """For reports: the operands' shapes, or the numbers of short constants."""
        words = [self.operation, self.dtype, *map(_word, self.operands)]
        return " ".join([*words, *([f"#{self.number}"] if self.number else [])])

    @cached_property
    def reals(self) -> list[Array | None]:
        """The outputs' numbers; None for one that is not asked for."""
        found = compute(self.operation, [real(o) for o in self.operands])
        found = found if self.optional else [*found[:1], *[None] * (len(found) - 1)]
        return found[: self.outputs]

    @property
    def levels(self) -> int:
        """By how many levels integers may differ."""
        return int(self.scale is not None)

    def expected(self) -> list[Array]:
        """The outputs that are asked for, as they are stored."""
        found = [array for array in self.reals if array is not None]
        return found if self.scale is None else [quanta(found[0], self.scale), *found[1:]]

    def build(self, model: Model | None = None, unknown: bool = False) -> Model:
        """A finished model of the one operation; `unknown`: all dimensions, with one candidate."""
        model = Model() if model is None else model
        inputs: list[tuple[Operand, Array]] = []
        operands = [add_operand(model, o, unknown, inputs) for o in self.operands]
        results: list[Operand | None] = []
        for number, array in enumerate(self.reals):
            if array is None:
                results.append(None)
            elif self.scale is not None and number == 0:
                code, quant = Precision.QUANT_INT8_SYMM_PER_LAYER, Quantisation((self.scale,))
                results.append(model.operand(capi.operand_type(code, [], quantisation=quant)))
            else:
                results.append(model.infer())
        outputs = model.operation(self.operation, operands, results)
        return model.finish([operand for operand, _ in inputs], outputs)


def _word(given: Given) -> str:
    if given is None:
        return "none"
    integers = isinstance(given, Const) and given.value.dtype.kind in "iub"
    if isinstance(given, Const) and given.value.size <= (8 if integers else 1):
        text = ",".join(f"{v:g}" for v in given.value.reshape(-1).tolist())
        return text if given.value.size == 1 else f"({text})"
    shape = ",".join(map(str, np.shape(real(given))))
    return f"{'const' if isinstance(given, Const) else ''}[{shape}]"


class Table:
    """The cases of one operation."""

    def __init__(self, operation: str) -> None:
        self.operation = operation
        self.cases: list[Case] = []
        self._names: set[str] = set()

    def case(self, *operands: Given, **settings: Any) -> None:
        """Adds a case; the settings are its fields."""
        given = [np.asarray(o) if isinstance(o, np.generic) else o for o in operands]
        case = Case(self.operation, given, **settings)
        while case.name in self._names:
            case.number += 1
        self._names.add(case.name)
        self.cases.append(case)


TABLES: dict[str, Table] = {}


def table(operation: str) -> Table:
    """An operation's table; it is made when it is asked for first."""
    return TABLES.setdefault(operation, Table(operation))


def all_cases() -> Iterator[Case]:
    """Every case whose inputs have elements, by operation."""
    for operation in sorted(TABLES):
        for case in TABLES[operation].cases:
            if all(array.size for array in case.variables):
                yield case


def largest(array: Array) -> float:
    """The largest finite number of a float array; 0 where there is none."""
    if array.dtype.kind != "f":
        return 0.0
    return float(np.abs(array[np.isfinite(array)]).max(initial=0))


ROUNDING = {"fp32": 0.0, "fp16": 2.0**-11, "bf16": 2.0**-8}
"""The relative error of one rounding, by what a device says that it computes in (`Hal.precision`);
that of fp32 is in each case's tolerance."""

_ROUNDINGS = 8
"""How many of them an operation's result may be off by: of inputs, intermediate results, output."""


class Judged:
    """By what numbers are judged in this process: those of one device."""

    precision = "fp32"


def difference(
    found: Array, expected: Array, tolerance: float, levels: int = 0, inputs: Sequence[Array] = ()
) -> str:
    """Nothing, or how the arrays differ.

    Floats: the error is relative to the largest expected number, and where the device computes in
    less than fp32, to the largest of the inputs, too. Integers: they differ by more than `levels`.
    """
    rounding = ROUNDING[Judged.precision]
    if found.shape != expected.shape:
        return f"shape {list(found.shape)}, expected {list(expected.shape)}"
    if found.size == 0:
        return ""
    if found.dtype.kind in "iub":
        wrong = np.abs(found.astype(np.int64) - expected.astype(np.int64)) > levels
        if not wrong.any():
            return ""
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        return f"{int(wrong.sum())} of {found.size} differ: {found[at]} at {at}, not {expected[at]}"
    wide, wanted = found.astype(np.float64), expected.astype(np.float64)
    same = (wide == wanted) | (np.isnan(wide) & np.isnan(wanted))
    finite = wanted[np.isfinite(wanted)]
    scale = max(1e-3, float(np.abs(finite).max()) if finite.size else 1.0)
    if rounding:
        tolerance = max(tolerance, _ROUNDINGS * rounding)
        scale = max([scale, *map(largest, inputs)])
    error = np.where(same, 0.0, np.abs(wide - wanted))
    error[np.isnan(error)] = np.inf
    if error.max() <= tolerance * scale:
        return ""
    at = tuple(int(i) for i in np.unravel_index(int(error.argmax()), error.shape))
    return (
        f"{found[at]} at {at}, expected {expected[at]} (relative error {error.max() / scale:.2g})"
    )


def random(
    *shape: int, low: float = -2, high: float = 2, dtype: Any = np.float32, salt: int = 0
) -> Array:
    """The same numbers for the same arguments; integers include `high`."""
    seed = zlib.crc32(repr((shape, low, high, np.dtype(dtype).name, salt)).encode())
    generator = np.random.default_rng(seed)
    if np.dtype(dtype) == np.bool_:
        return generator.integers(0, 2, shape).astype(np.bool_)
    if np.issubdtype(dtype, np.integer):
        return generator.integers(int(low), int(high) + 1, shape).astype(dtype)
    return generator.uniform(low, high, shape).astype(dtype)
