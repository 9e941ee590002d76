"""int8 operations: results within one level of the float operation on the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ... import capi
from ...types import Precision
from ..case import Array, Case, Const, Var, cases, random
from .windows import convolution

_INT8 = Precision.QUANT_INT8_SYMM_PER_LAYER


def _levels(*shape: int, salt: int = 0) -> Array:
    return random(*shape, low=-100, high=100, dtype=np.int8, salt=salt)


def _variable(value: Array, scale: float) -> Var:
    return Var(value, _INT8, capi.Quantisation((scale,)))


def _quantised(values: Array, scale: float) -> Array:
    levels = np.sign(values) * np.floor(np.abs(values) / scale + 0.5)
    return np.asarray(np.clip(levels, -128, 127).astype(np.int8))


def _case(
    operation: str,
    label: str,
    inputs: Sequence[Any],
    shape: Sequence[int],
    scale: float,
    function: Callable[..., Any],
) -> Case:
    """`function` gives real numbers for the variables' levels."""
    return Case(
        operation,
        label,
        inputs,
        lambda *levels: _quantised(function(*(x.astype(np.float64) for x in levels)), scale),
        result=capi.operand_type(_INT8, shape, quantisation=capi.Quantisation((scale,))),
        levels=1,
    )


@cases("QUANTIZE")
def _quantize() -> Iterator[Case]:
    yield Case(
        *("QUANTIZE", "per layer"),
        [Var(random(2, 3, low=-3, high=3)), -1, np.array([0.05], np.float32), 0],
        lambda x: _quantised(x, 0.05),
        result=capi.operand_type(_INT8, [2, 3], quantisation=capi.Quantisation((0.05,))),
        levels=1,
    )


@cases("DEQUANTIZE")
def _dequantize() -> Iterator[Case]:
    inputs = [_variable(_levels(2, 3), 0.05)]
    yield Case("DEQUANTIZE", "per layer", inputs, lambda x: x.astype(np.float64) * 0.05)


@cases("RELU")
def _relu() -> Iterator[Case]:
    inputs = [_variable(_levels(2, 3), 0.1)]
    yield _case("RELU", "scale 0.1 to 0.1", inputs, [2, 3], 0.1, lambda x: np.maximum(x * 0.1, 0))


@cases("ADD")
def _add() -> Iterator[Case]:
    inputs = [_variable(_levels(2, 3), 0.1), _variable(_levels(2, 3, salt=1), 0.03), 0]
    yield _case("ADD", "three scales", inputs, [2, 3], 0.12, lambda x, y: x * 0.1 + y * 0.03)


@cases("SOFTMAX")
def _softmax() -> Iterator[Case]:
    def expected(x: Array) -> Array:
        powers = np.exp(x * 0.05)
        return np.asarray(powers / powers.sum(-1, keepdims=True))

    inputs = [_variable(_levels(2, 5), 0.05), -1]
    yield _case("SOFTMAX", "last axis", inputs, [2, 5], 1 / 127, expected)


@cases("RESHAPE")
def _reshape() -> Iterator[Case]:
    inputs = [_variable(_levels(2, 6), 0.1), [3, 4]]
    yield _case("RESHAPE", "keeps levels", inputs, [3, 4], 0.1, lambda x: x.reshape(3, 4) * 0.1)


@cases("CONV_2D")
def _convolutions() -> Iterator[Case]:
    filters, biases = _levels(4, 3, 3, 3), np.arange(-2, 2, dtype=np.int32) * 300
    for label, scales in (("per layer", [0.02]), ("per channel", [0.02, 0.01, 0.03, 0.015])):
        single = len(scales) == 1
        axis = None if single else 0
        weight_code = _INT8 if single else Precision.QUANT_INT8_SYMM_PER_CHANNEL
        bias_code = Precision.QUANT_INT32_SYMM_PER_LAYER
        if not single:
            bias_code = Precision.QUANT_INT32_SYMM_PER_CHANNEL
        bias_scales = tuple(0.05 * s for s in scales)
        every = np.broadcast_to(np.array(scales), 4)
        real = filters * every.reshape(-1, 1, 1, 1)
        offset = biases * 0.05 * every
        inputs = [
            _variable(_levels(1, 3, 6, 6), 0.05),
            Const(filters, weight_code, capi.Quantisation(tuple(scales), axis)),
            Const(biases, bias_code, capi.Quantisation(bias_scales, axis)),
            *(0, [1, 1, 1, 1], [1, 1], 1, [1, 1], 0),
        ]
        yield _case(
            *("CONV_2D", f"weights {label}", inputs, [1, 4, 6, 6], 1.5),
            lambda x, f=real, b=offset: convolution(
                x * 0.05, f, b, [1, 1, 1, 1], [1, 1], 1, [1, 1]
            ),
        )


@cases("AVERAGE_POOL_2D")
def _average_pool() -> Iterator[Case]:
    inputs = [_variable(_levels(1, 2, 4, 4), 0.1), 0, [0] * 4, [2, 2], [2, 2], False, False, 0]
    yield _case(
        *("AVERAGE_POOL_2D", "2 by 2", inputs, [1, 2, 2, 2], 0.1),
        lambda x: x.reshape(1, 2, 2, 2, 2, 2).mean((3, 5)) * 0.1,
    )
