"""Weights stored in integers: made, and made real numbers again."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator

import numpy as np

from lite.core.optimizer.graph import Graph, Node, Value
from lite.core.optimizer.quantization.scales import WEIGHT_SLOTS
from lite.errors import ModelFormatError
from lite.model.params import empty_aligned

STORED_SCALE = "_quant_scale"
"""What ends the attribute with the scales of a weight that is stored in integers."""


def channel_axis(node: Node, weight: np.ndarray) -> int | None:
    """Along which axis of its weight an operator has its output channels; None for no weight."""
    slots = WEIGHT_SLOTS.get(node.type)
    if slots is None or weight.ndim == 0:
        return None
    if slots[1] == "Filter":
        return 1 if "transpose" in node.type and weight.ndim > 1 else 0
    if node.flag("trans_y") or node.flag("transpose_Y"):
        return max(weight.ndim - 2, 0)
    return weight.ndim - 1


def beyond_bytes(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """What is taken from integers between these, at most 255 apart, so that int8 holds them."""
    moved: np.ndarray = np.maximum(high - 127, 0) + np.minimum(low + 128, 0)
    return moved


def integer_type(bits: int) -> np.dtype | None:
    """The type in which steps of so many bits are stored."""
    if 2 <= bits <= 8:
        return np.dtype(np.int8)
    return np.dtype(np.int16) if bits <= 16 else None


def to_steps(weight: np.ndarray, bits: int) -> np.ndarray | None:
    """A weight that holds whole steps already, as integers; None where it does not."""
    dtype = integer_type(bits)
    if dtype is None:
        return None
    if weight.dtype == dtype:
        return weight
    if weight.dtype.kind == "f":
        if not np.isfinite(weight).all() or not (np.rint(weight) == weight).all():
            return None
    elif weight.dtype.kind not in "iu":
        return None
    bounds = np.iinfo(dtype)
    if weight.size and not (bounds.min <= weight.min() and weight.max() <= bounds.max):
        return None
    return weight.astype(dtype)


def along(scales: np.ndarray, axis: int, rank: int) -> np.ndarray:
    """Scales in a shape that broadcasts over a weight."""
    if scales.size == 1:
        return scales.reshape((1,) * rank)
    return scales.reshape((1,) * axis + (-1,) + (1,) * (rank - axis - 1))


def largest_magnitude(weight: np.ndarray, axis: int | None) -> np.ndarray:
    """The largest magnitude of a weight, [1], or of each of its channels along ``axis``."""
    if weight.size == 0:
        return np.zeros(1 if axis is None else weight.shape[axis], np.float32)
    if axis is None:
        return np.full(1, np.abs(weight).max(), np.float32)
    others = tuple(i for i in range(weight.ndim) if i != axis)
    return np.asarray(np.abs(weight).max(others), np.float32)


def quantize(
    weight: np.ndarray, thresholds: np.ndarray, axis: int, bits: int, round_type: int
) -> np.ndarray | None:
    """A weight in steps, as Paddle's fake operators compute them in float32."""
    dtype = integer_type(bits)
    if dtype is None or weight.dtype != np.float32 or not np.isfinite(weight).all():
        return None
    bound = np.float32(2 ** (bits - 1) - 1)
    limits = along(thresholds.astype(np.float32), axis, weight.ndim)
    with np.errstate(all="ignore"):
        inverse = np.where(limits <= 1e-30, 1 / (limits + np.float32(1e-6)), 1 / limits)
        factor = bound * inverse.astype(np.float32)
        if round_type == 0:
            steps = np.clip(np.rint(factor * weight), -bound - 1, bound)
        else:
            scaled = factor * np.clip(weight, -limits, limits)
            steps = np.copysign(np.floor(np.abs(scaled.astype(np.float64)) + 0.5), scaled)
    return np.asarray(np.clip(steps, -bound - 1, bound)).astype(dtype)


def dequantize(weight: np.ndarray, scales: list[float], axis: int) -> np.ndarray:
    """The real numbers of a weight in steps; one scale, or one for each channel along ``axis``."""
    factors = along(np.asarray(scales, np.float64), axis, weight.ndim)
    out = empty_aligned(weight.shape, np.dtype(np.float32))
    with np.errstate(all="ignore"):
        np.multiply(weight, factors, out=out, dtype=np.float64, casting="same_kind")
    return out


def expand(scales: list[float], count: int) -> list[float]:
    """One scale for each of ``count`` channels."""
    return scales * count if len(scales) == 1 else scales


def stored_weights(node: Node) -> Iterator[tuple[str, Value, np.ndarray]]:
    """The weights of an operator that a weight-only export has in integers: slot and value."""
    for slot, values in node.inputs.items():
        for value in values[:1]:
            array = value.array
            if array is None or array.dtype not in (np.int8, np.int16):
                continue
            if value.name + STORED_SCALE in node.attrs:
                yield slot, value, array


def stored_scales(node: Node, weight: Value, array: np.ndarray) -> tuple[list[float], int]:
    """The scales of such a weight, one or one for each channel, and the channels' axis.

    Raises ModelFormatError for what are none.
    """
    axis = 0 if node.type in ("conv2d", "depthwise_conv2d") else array.ndim - 1
    if axis < 0:
        raise ModelFormatError(
            f"operator {node.type}, weight {weight.name!r}: a single integer, expected a "
            "weight with channels"
        )
    count = array.shape[axis]
    attr = node.attr(weight.name + STORED_SCALE)
    listed = attr if isinstance(attr, list) else [attr]
    scales = [float(s) for s in listed if isinstance(s, (int, float))]
    where = f"operator {node.type}, weight {weight.name!r}"
    if any(isinstance(s, int) for s in listed) and not any(scales):
        raise ModelFormatError(
            f"{where}: its scales are the integers {listed[:4]}: the exporter (paddlepaddle 2.4 to "
            "2.6) has lost them; quantise the float model again with another version, or by "
            "paddle_lite_opt --quant_model true"
        )
    if len(scales) not in (1, count) or not all(math.isfinite(s) for s in scales):
        raise ModelFormatError(
            f"{where}: {len(scales)} scales in {weight.name}{STORED_SCALE}, expected finite "
            f"numbers, 1 or {count} (one for each channel of axis {axis} of "
            f"{list(weight.shape or ())})"
        )
    return scales, axis


class WeightStore:
    """New versions of parameters, each made once for all operators that need the same one."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.made: dict[tuple[Value, Hashable], Value] = {}

    def put(
        self, node: Node, slot: str, source: Value, key: Hashable, make: Callable[[], np.ndarray]
    ) -> Value:
        """Lets an operator's first operand of ``slot`` be what ``make`` makes of ``source``.

        ``key`` says what that is: a second operator that needs it gets the same parameter.
        """
        made = self.made.get((source, key))
        if made is None:
            made = self.made[source, key] = self.graph.add_param(source.name, make())
        self.graph.replace_input(node, slot, 0, made)
        return made

    def finish(self) -> None:
        """Forgets the old versions that nobody reads any more; the new ones take their names."""
        for (source, _), made in self.made.items():
            if source.uses or self.graph.params.get(source.name) is not source:
                continue
            self.graph.drop_param(source)
            source.array = None
            del self.graph.params[made.name]
            self.graph.names.discard(made.name)
            made.name = self.graph.fresh_name(source.name)
            self.graph.params[made.name] = made
        self.made.clear()


def restore_stored(
    store: WeightStore, node: Node, slot: str, weight: Value, array: np.ndarray
) -> None:
    """Gives an operator the real numbers of a weight that is stored in integers."""
    scales, axis = stored_scales(node, weight, array)
    store.put(node, slot, weight, (tuple(scales), axis), lambda: dequantize(array, scales, axis))
