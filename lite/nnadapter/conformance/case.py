"""A case: one operation on given inputs, and what it must give."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import capi

Array = np.ndarray[Any, np.dtype[Any]]
# Outputs for the variable inputs, in float64 or the output's own type.
Reference = Callable[..., Any]


@dataclass(frozen=True)
class Var:
    """An input that the model gets when it runs."""

    value: Array
    precision: Any = None
    quantisation: capi.Quantisation | None = None


@dataclass(frozen=True)
class Const:
    """An input that is known when the model is built."""

    value: Any
    precision: Any = None
    quantisation: capi.Quantisation | None = None


@dataclass
class Case:
    """`inputs` may also hold plain numbers and lists (constants) and None (absent)."""

    operation: str
    label: str
    inputs: Sequence[Any]
    reference: Reference | None = None  # None: builtin_device
    outputs: int = 1
    tolerance: float = 1e-4
    # Quantised outputs: their type, and by how many levels they may differ.
    result: capi.OperandType | None = None
    levels: int = 0
    variables: list[Array] = field(init=False)

    def __post_init__(self) -> None:
        self.variables = [i.value for i in self.inputs if isinstance(i, Var)]

    @property
    def dtype(self) -> str:
        """Element type of the first variable."""
        quantised = any(isinstance(i, Var) and i.quantisation for i in self.inputs)
        return f"{'quant ' if quantised else ''}{self.variables[0].dtype}"

    @property
    def name(self) -> str:
        """For reports."""
        return f"{self.operation} {self.dtype} {self.label}"

    def build(self, model: capi.Model | None = None) -> capi.Model:
        """A finished model of the one operation."""
        model = capi.Model() if model is None else model
        operands: list[capi.Operand | None] = []
        variables = []
        for item in self.inputs:
            if isinstance(item, Var):
                variable = model.tensor(
                    item.value.dtype,
                    item.value.shape,
                    quantisation=item.quantisation,
                    precision=item.precision,
                )
                operands.append(variable)
                variables.append(variable)
            elif isinstance(item, Const):
                constant = model.constant(
                    item.value, quantisation=item.quantisation, precision=item.precision
                )
                operands.append(constant)
            else:
                operands.append(None if item is None else model.constant(item))
        wanted = self.outputs if self.result is None else [model.operand(self.result)]
        return model.finish(variables, model.operation(self.operation, operands, wanted))

    def expected(self) -> list[Array]:
        """By the reference, or by builtin_device."""
        if self.reference is None:
            return capi.run(self.build(), ["builtin_device"], self.variables)
        wide = [v.astype(np.float64) if v.dtype == np.float32 else v for v in self.variables]
        with np.errstate(all="ignore"):
            found = self.reference(*wide)
        return list(found) if isinstance(found, tuple | list) else [found]


def difference(found: Array, expected: Array, tolerance: float, levels: int = 0) -> str:
    """Nothing, or how the arrays differ.

    Floats: the error is relative to the largest expected number. Integers: they differ by more than
    `levels`.
    """
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
    error = np.where(same, 0.0, np.abs(wide - wanted))
    error[np.isnan(error)] = np.inf
    if error.max() <= tolerance * scale:
        return ""
    at = tuple(int(i) for i in np.unravel_index(int(error.argmax()), error.shape))
    return (
        f"{found[at]} at {at}, expected {expected[at]} (relative error {error.max() / scale:.2g})"
    )


_TABLE: dict[str, list[Callable[[], Iterable[Case]]]] = {}


def cases(operation: str) -> Callable[[Callable[[], Iterable[Case]]], Callable[[], Any]]:
    """Adds a function's cases to those of an operation."""

    def add(function: Callable[[], Iterable[Case]]) -> Callable[[], Any]:
        _TABLE.setdefault(operation, []).append(function)
        return function

    return add


def all_cases() -> Iterator[Case]:
    """Every case, by operation."""
    for operation in sorted(_TABLE):
        for function in _TABLE[operation]:
            yield from function()


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
