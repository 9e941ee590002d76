"""One operation on builtin_device against numpy: with known and with unknown dimensions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from lite.errors import DeviceError
from lite.nnadapter import capi
from lite.nnadapter.capi import Model, Operand, Quantisation
from lite.nnadapter.types import Precision, ResultCode

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Const:
    """A constant operand."""

    value: Array


def const(value: Any, dtype: Any = None) -> Const:
    """A constant; numbers become int32, float32 or bool, of at least one dimension."""
    array = np.asarray(value)
    if dtype is None:
        kinds = {"i": np.int32, "f": np.float32, "b": np.bool_}
        dtype = kinds[array.dtype.kind]
    return Const(np.atleast_1d(array.astype(dtype)))


@dataclass(frozen=True)
class Quantised:
    """An int8 tensor of one scale, or one for each channel of an axis."""

    value: Array
    scales: tuple[float, ...]
    channel_dim: int | None = None
    constant: bool = False

    @property
    def quantisation(self) -> Quantisation:
        """As the operand's type has it."""
        return Quantisation(self.scales, self.channel_dim)

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
        return stored * np.asarray(self.scales, np.float32).reshape(shape)


Given = Any  # an array (a model's input), Const, Quantised or None


def rand(*shape: int, seed: int = 0, low: float = -2.0, high: float = 2.0) -> Array:
    """float32 numbers."""
    return np.random.default_rng(seed + sum(shape)).uniform(low, high, shape).astype(np.float32)


def randint(*shape: int, low: int = -9, high: int = 9, dtype: Any = np.int32) -> Array:
    """Integers."""
    return np.random.default_rng(sum(shape)).integers(low, high, shape).astype(dtype)


def quantised(real: Array, scale: float | None = None) -> Quantised:
    """A float tensor in int8."""
    scale = float(np.abs(real).max()) / 127 if scale is None else scale
    return Quantised(np.clip(np.round(real / scale), -127, 127).astype(np.int8), (scale,))


def real(given: Given) -> Any:
    """The numbers that an operand stands for."""
    if isinstance(given, Const):
        return given.value
    return given.real if isinstance(given, Quantised) else given


def add_operand(
    model: Model, given: Given, unknown: bool, inputs: list[tuple[Operand, Array]]
) -> Any:
    """Adds what is given to the model; what the model reads goes to `inputs` too."""
    if given is None:
        return None
    if isinstance(given, Const):
        if given.value.size:
            return model.constant(given.value)
        return model.tensor(given.value.dtype, given.value.shape)
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
    """One run of an operation."""

    operation: str
    operands: Sequence[Given]
    expected: Sequence[Any]  # None: an output that is not asked for
    inferred: Sequence[Any] | None  # shapes where they are not those of `expected`
    unknown: bool
    scales: Sequence[float | None]
    tolerance: float

    def build(self) -> tuple[Model, list[Array], list[Operand]]:
        """The finished model, the arrays of its inputs and its outputs."""
        model = Model()
        inputs: list[tuple[Operand, Array]] = []
        operands = [add_operand(model, o, self.unknown, inputs) for o in self.operands]
        results: list[Operand | None] = []
        for expected, scale in zip(self.expected, self.scales, strict=True):
            if expected is None:
                results.append(None)
            elif scale is not None:
                code = Precision.QUANT_INT8_SYMM_PER_LAYER
                results.append(
                    model.operand(capi.operand_type(code, [], quantisation=Quantisation((scale,))))
                )
            else:
                results.append(model.infer())
        outputs = model.operation(self.operation, operands, results)
        self.check_types(outputs)
        return model.finish([o for o, _ in inputs], outputs), [v for _, v in inputs], outputs

    def check_types(self, outputs: Sequence[Operand]) -> None:
        """Inferred types are those of the expected arrays."""
        wanted = [(e, s) for e, s in zip(self.expected, self.scales, strict=True) if e is not None]
        for index, (output, (expected, scale)) in enumerate(zip(outputs, wanted, strict=True)):
            kind = output.type
            shape = expected.shape if self.inferred is None else tuple(self.inferred[index])
            dims = kind.dimensions
            assert dims.count == len(shape), f"output {index} has rank {dims.count}"
            if self.unknown and dims.dynamic_count:
                found = tuple(-1 if d < 0 else d for d in dims.dynamic_data[0][: dims.count])
                assert found == shape, f"output {index}, candidate"
                assert all(d in (-1, s) for d, s in zip(kind.shape, shape, strict=True))
            else:
                assert kind.shape == shape, f"output {index}"
            if scale is None and kind.precision < 24:
                assert kind.dtype == expected.dtype, f"output {index}"

    def run(self) -> None:
        """Builds and runs the model and compares."""
        model, inputs, _ = self.build()
        results = capi.run(model, ["builtin_device"], inputs)
        wanted = [(e, s) for e, s in zip(self.expected, self.scales, strict=True) if e is not None]
        for result, (expected, scale) in zip(results, wanted, strict=True):
            assert result.shape == expected.shape
            if scale is not None:
                quanta = np.clip(np.round(expected / scale), -127, 127)
                assert np.abs(result - quanta).max(initial=0) <= 1
            elif expected.dtype.kind == "f":
                largest = float(np.abs(expected[np.isfinite(expected)]).max(initial=0))
                np.testing.assert_allclose(
                    result, expected, rtol=self.tolerance, atol=self.tolerance * largest
                )
            else:
                assert result.dtype == expected.dtype
                np.testing.assert_array_equal(result, expected)


class Table:
    """Cases of one operation; `reference` computes outputs from the operands' numbers."""

    def __init__(self, operation: str, reference: Callable[..., Any]) -> None:
        self.operation = operation
        self.reference = reference
        self.cases: list[Case] = []
        self.refused: list[tuple[Sequence[Given], int, str]] = []

    def case(
        self,
        *operands: Given,
        expected: Any = None,
        inferred: Sequence[Any] | None = None,
        unknown: bool = True,
        scale: float | None = None,
        tolerance: float = 1e-4,
        **settings: Any,
    ) -> None:
        """Runs with known dimensions and, if `unknown`, with unknown ones and one candidate.

        `inferred`: the outputs' shapes where they are not known in advance (-1). `scale`: the
        first output is quantised int8. `settings` go to the reference.
        """
        if expected is None:
            expected = self.reference(*map(real, operands), **settings)
        if isinstance(expected, np.ndarray | np.generic):
            expected = [np.asarray(expected)]
        scales = [scale, *[None] * (len(expected) - 1)]
        for flag in (False, True) if unknown else (False,):
            self.cases.append(
                Case(self.operation, operands, expected, inferred, flag, scales, tolerance)
            )

    def bad(self, *operands: Given, match: str, outputs: int = 1) -> None:
        """addOperation refuses these with INVALID_PARAMETER and a text."""
        self.refused.append((operands, outputs, match))

    def tests(self) -> Callable[[Case], None]:
        """A test function of the cases."""

        @pytest.mark.parametrize("case", self.cases, ids=_name)
        def test(case: Case) -> None:
            case.run()

        return test

    def bad_tests(self) -> Callable[..., None]:
        """A test function of what is refused."""
        operation = self.operation

        @pytest.mark.parametrize(("operands", "outputs", "match"), self.refused)
        def test(operands: Sequence[Given], outputs: int, match: str) -> None:
            model = Model()
            inputs: list[tuple[Operand, Array]] = []
            added = [add_operand(model, o, False, inputs) for o in operands]
            with pytest.raises(DeviceError, match=match) as caught:
                model.operation(operation, added, outputs)
            assert caught.value.code == ResultCode.INVALID_PARAMETER  # type: ignore[attr-defined]

        return test


def _name(case: Case) -> str:
    shapes = [str(np.shape(real(o))).replace(" ", "") for o in case.operands if o is not None]
    return "-".join([case.operation, *shapes[:3], *(["unknown"] if case.unknown else [])])


__all__ = [
    *("Case", "Const", "Given", "Quantised", "Table", "add_operand", "const", "quantised"),
    *("rand", "randint", "real"),
]
