"""The operators with which Paddle simulates quantisation, and what they say.

``fake_quantize_*`` and ``quantize_linear`` give steps, ``fake_*dequantize_*`` and
``dequantize_linear`` real numbers, ``fake_quantize_dequantize_*`` both at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lite.core.optimizer.graph import Node, Value
from lite.core.optimizer.quantization.scales import Simulation
from lite.core.optimizer.quantization.weights import (
    dequantize,
    largest_magnitude,
    quantize,
    to_steps,
)

STATIC_ROUND = "fake_quantize_dequantize_moving_average_abs_max"
"""Rounds X by the stored scale InScale."""

AFFINE_ROUND = "fake_quantize_per_tensor_affine"
"""Rounds X to steps of a scale, between two integers of which a third stands for 0."""

STATIC_QUANTIZE = frozenset({"fake_quantize_range_abs_max", "fake_quantize_moving_average_abs_max"})
"""X in steps of the stored scale InScale."""

DYNAMIC_ROUND = frozenset(
    {"fake_quantize_dequantize_abs_max", "fake_channel_wise_quantize_dequantize_abs_max"}
)
"""Rounds X by a scale that is taken from X itself; on weights only."""

DEQUANTIZE = frozenset({"fake_dequantize_max_abs", "fake_channel_wise_dequantize_max_abs"})
"""Steps that an operator made of steps, as real numbers."""

OBSERVER = "moving_average_abs_max_scale"


@dataclass(frozen=True)
class QuantizedWeight:
    """A weight as the program rounds it: ``scales`` are one, or one a channel of ``axis``."""

    source: Value
    scales: tuple[float, ...]
    axis: int
    bits: int
    steps: Callable[[], np.ndarray | None]

    def numbers(self) -> np.ndarray | None:
        """The weight in real numbers."""
        steps = self.steps()
        return None if steps is None else dequantize(steps, list(self.scales), self.axis)


def _numbers(value: Value | None) -> np.ndarray | None:
    """A stored scale, as a vector of positive numbers."""
    if value is None or value.array is None or value.array.dtype.kind != "f":
        return None
    vector = value.array.astype(np.float32).reshape(-1)
    return vector if vector.size and np.isfinite(vector).all() else None


def _threshold(value: Value | None) -> float | None:
    vector = _numbers(value)
    return float(vector[0]) if vector is not None and vector.size == 1 and vector[0] > 0 else None


def _bits(node: Node) -> int | None:
    bits = node.integer("bit_length", 8)
    return bits if 2 <= bits <= 16 else None


def is_observer(node: Node) -> bool:
    """Whether an operator only watched its input and passes it on."""
    if node.type in ("quantize_linear", "dequantize_linear"):
        return node.flag("only_observer")
    return node.type == OBSERVER


def observed(node: Node) -> tuple[Value | None, Value | None]:
    """The input and the output of an observer."""
    return node.input("X"), node.output("Out") or node.output("Y")


def observed_threshold(node: Node) -> float | None:
    """The largest size that an observer saw, where its program says it as quantize_linear does."""
    return _threshold(node.input("Scale")) if node.type == "quantize_linear" else None


def quantized_input(node: Node) -> tuple[Value, Simulation] | None:
    """Which real numbers an operator gives in steps of a stored scale."""
    source, bits = node.input("X"), _bits(node)
    if node.type in STATIC_QUANTIZE:
        threshold, rounding = _threshold(node.input("InScale")), 1
    elif node.type == "quantize_linear" and not node.flag("only_observer"):
        threshold, rounding = _threshold(node.input("Scale")), 0
    else:
        return None
    if source is None or threshold is None or bits is None:
        return None
    return source, Simulation(threshold, bits, node.integer("round_type", rounding))


def rounded_activation(node: Node) -> tuple[Value, Value, Simulation] | None:
    """(what it rounds, the result, how) of an operator behind which X is rounded."""
    if node.type == STATIC_ROUND:
        source, out = node.input("X"), node.output("Out")
        threshold, bits = _threshold(node.input("InScale")), _bits(node)
        if source is None or out is None or threshold is None or bits is None:
            return None
        return source, out, Simulation(threshold, bits, node.integer("round_type", 1))
    steps, out = node.input("X"), node.output("Y")
    if node.type != "dequantize_linear" or steps is None or out is None or is_observer(node):
        return None
    found = quantized_input(steps.producer) if steps.producer is not None else None
    if found is None or steps.producer is None or steps.producer.type != "quantize_linear":
        return None
    source, simulation = found
    if _threshold(node.input("Scale")) != simulation.threshold or _bits(node) != simulation.bits:
        return None
    return source, out, simulation


def rounds_to_bytes(node: Node) -> bool:
    """Whether X is rounded to steps of 8 bits behind an operator."""
    if node.type == AFFINE_ROUND:
        return node.integer("quant_max", 255) - node.integer("quant_min", 0) == 255
    found = rounded_activation(node) if node.type == STATIC_ROUND else None
    return found is not None and found[2].bits == 8


def rounded_weight(node: Node) -> tuple[QuantizedWeight, Value] | None:
    """The weight that an operator rounds or dequantises, and the result."""
    source, bits = node.input("X"), _bits(node)
    out = node.output("Out") or node.output("Y")
    if source is None or out is None or bits is None or is_observer(node):
        return None
    if node.type in DYNAMIC_ROUND:
        array = source.array
        if array is None or array.dtype != np.float32:
            return None
        axis = node.integer("quant_axis", 0) if "channel" in node.type else None
        if axis is not None and not 0 <= axis < array.ndim:
            return None
        thresholds = largest_magnitude(array, axis)
        return _weight(source, thresholds, axis or 0, bits, node.integer("round_type", 1)), out
    if node.type != "dequantize_linear":
        return None
    limits, axis = _numbers(node.input("Scale")), node.integer("quant_axis", 0)
    maker = source.producer
    if maker is not None and maker.type == "quantize_linear" and not is_observer(maker):
        inner, given = maker.input("X"), _numbers(maker.input("Scale"))
        same = given is not None and limits is not None and np.array_equal(given, limits)
        if not same or inner is None or _bits(maker) != bits:
            return None
        if maker.integer("quant_axis", 0) != axis:
            return None
        source, rounding = inner, maker.integer("round_type", 0)
    else:
        rounding = None
    if source.array is None or limits is None:
        return None
    count = 1 if axis < 0 else source.array.shape[axis] if axis < source.array.ndim else -1
    if limits.size != count:
        return None
    return _weight(source, limits, max(axis, 0), bits, rounding), out


def _weight(
    source: Value, thresholds: np.ndarray, axis: int, bits: int, round_type: int | None
) -> QuantizedWeight:
    def steps() -> np.ndarray | None:
        if source.array is None:
            return None
        if round_type is None:
            return to_steps(source.array, bits)
        return quantize(source.array, thresholds, axis, bits, round_type)

    scales = thresholds.astype(np.float64) / (2 ** (bits - 1) - 1)
    return QuantizedWeight(source, tuple(float(s) for s in scales), axis, bits, steps)


def dequantized_product(
    node: Node, threshold: float, bits: int, axis: int, count: int
) -> list[float] | None:
    """The weight's scales by which a DEQUANTIZE operator makes real numbers of a product of steps.

    ``threshold`` and ``bits`` are those of the activation; the weight has ``count`` channels, and
    the product has them along ``axis``.
    """
    bound = 2 ** (bits - 1) - 1
    if node.type == "fake_dequantize_max_abs":
        limit = node.number("max_range", 0.0)
        given = _threshold(node.input("Scale"))
        if given != threshold or not limit > 0:
            return None
        return [bound / limit] * count
    channels = _numbers(node.input("Scales"))
    widths = node.integers("quant_bits")
    if channels is None or len(widths) < 2 or _threshold(node.input("Scales", 1)) != threshold:
        return None
    if channels.size != count or node.integer("x_num_col_dims", 1) != axis or widths[1] != bits:
        return None
    if not 2 <= widths[0] <= 16:
        return None
    return [float(s) / (2 ** (widths[0] - 1) - 1) for s in channels]
