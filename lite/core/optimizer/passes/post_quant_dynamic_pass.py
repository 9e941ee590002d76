"""Weights are stored in integers, where a file is written and that is asked for.

They are so too where they came in integers of 8 bits and the operator reads an activation that is
rounded to 8 bits: the runtime multiplies in integers then; and where the operator is one that
reads such a weight as the floats that it stands for.

One scale for each output channel, in Paddle Lite's vocabulary: ``quantization_type``,
``quantize_weight_bits`` and ``<weight>_quant_scale`` of the operator that reads the weight. For
other operators the runtime makes real numbers of them when it loads the file.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lite.core.optimizer.graph import Graph, Node, Value, data_type
from lite.core.optimizer.quantization.fakes import rounds_to_bytes
from lite.core.optimizer.quantization.scales import WEIGHT_BITS, WEIGHT_SLOTS, WEIGHT_STEPS
from lite.core.optimizer.quantization.weights import dequantize, integer_type
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.program import AttrType
from lite.model.text import print_op

KIND, SCALE = "quantization_type", "_quant_scale"

_SLOTS = {
    "conv2d": "Filter",
    "depthwise_conv2d": "Filter",
    "fc": "W",
    "mul": "Y",
    "matmul": "Y",
    "matmul_v2": "Y",
}
"""Operators whose weight real Paddle Lite reads in integers too; it leaves out the depthwise ones,
which are written so only where they were stored in integers before."""

_EXACT = 5e-7
"""The largest error, relative to a channel's largest magnitude, that counts as none."""


def _weight(node: Node) -> tuple[Value, np.ndarray, int] | None:
    """The weight that an operator reads, and the axis of its output channels."""
    slot = _SLOTS.get(node.type)
    weight = node.input(slot) if slot is not None else None
    if weight is None or weight.array is None or weight.array.dtype != np.float32:
        return None
    rank = 4 if slot == "Filter" else 2
    if weight.array.ndim != rank or weight.array.size == 0:
        return None
    return weight, weight.array, 0 if slot == "Filter" else rank - 1


def _bounds(node: Node, channels: int, bits: int) -> np.ndarray:
    """The integer for the largest number of each channel of a weight."""
    given = node.integers(WEIGHT_STEPS)
    bounds = np.full(channels, 2 ** (bits - 1) - 1)
    if bits == node.integer(WEIGHT_BITS, 0) and len(given) == channels:
        bounds = np.clip(given, 1, bounds + 1)  # one step more below 0
    return bounds


def _steps(
    array: np.ndarray, axis: int, bits: int, bounds: np.ndarray
) -> tuple[np.ndarray, np.ndarray] | None:
    """A weight in steps and its scales, or None where it has numbers that are none."""
    dtype = integer_type(bits)
    others = tuple(i for i in range(array.ndim) if i != axis)
    limits = np.abs(array).max(others)
    if dtype is None or not np.isfinite(limits).all():
        return None
    scales = (limits.astype(np.float64) / bounds).astype(np.float32)
    scales[scales == 0] = 1  # channels of zeros, and of what is less than a float's steps
    shape = [-1 if i == axis else 1 for i in range(array.ndim)]
    steps = np.rint(array / scales.reshape(shape).astype(np.float64))
    lowest, most = -bounds.reshape(shape), 2 ** (bits - 1) - 1
    return np.clip(steps, lowest, most).astype(dtype), scales


def _loses(array: np.ndarray, steps: np.ndarray, scales: np.ndarray, axis: int) -> bool:
    restored = dequantize(steps, [float(s) for s in scales], axis)
    others = tuple(i for i in range(array.ndim) if i != axis)
    error = np.abs(restored - array).max(others)
    return bool((error > _EXACT * np.abs(array).max(others)).any())


def exact_steps(node: Node, bits: int) -> tuple[np.ndarray, list[float]] | None:
    """The weight that an operator alone reads in steps, and their scales; None where that loses
    anything."""
    found = _weight(node)
    made = None
    if found is not None and list(found[0].uses.values()) == [1]:
        array, axis = found[1:]
        made = _steps(array, axis, bits, _bounds(node, array.shape[axis], bits))
    if found is None or made is None or _loses(found[1], *made, found[2]):
        return None
    return made[0], [float(s) for s in made[1]]


def _multiplies_int8(node: Node) -> bool:
    """Whether the runtime can multiply in integers: what it reads is rounded to 8 bits."""
    slots = WEIGHT_SLOTS.get(node.type)
    activation = node.input(slots[0]) if slots is not None else None
    maker = None if activation is None else activation.producer
    return maker is not None and node.integer(WEIGHT_BITS, 0) == 8 and rounds_to_bytes(maker)


def _reads_int8(node: Node) -> bool:
    """Whether the runtime keeps the weight in 8 bits in memory and multiplies floats."""
    whole = node.type == "conv2d" and node.integer("groups", 1) == 1
    return (whole or _SLOTS.get(node.type) in ("W", "Y")) and node.integer(WEIGHT_BITS, 0) == 8


class _Integers(NamedTuple):
    """How an operator's weight is to be stored; operators that have the same can share it."""

    weight: Value
    axis: int
    bits: int
    bounds: list[int]


def _integers(node: Node, context: Context, asked: int) -> _Integers | None:
    """None: in floats."""
    found = _weight(node)
    bits = node.integer(WEIGHT_BITS, 0) or (asked if node.type != "depthwise_conv2d" else 0)
    wanted = context.weight_bits is not None or _multiplies_int8(node) or _reads_int8(node)
    if found is None or not bits or not wanted:
        return None
    weight, array, axis = found
    return _Integers(weight, axis, bits, _bounds(node, array.shape[axis], bits).tolist())


def _can_share(context: Context, asked: int) -> bool:
    """Real Paddle Lite makes real numbers of a file's weight anew for each who reads it."""
    return not asked and (context.weight_bits is None or context.targets[:1] != ("arm",))


def _quantize(made: _Integers, asked: int) -> bool:
    """Stores a weight in integers for all who read it."""
    weight, axis, bits, bounds = made
    array = weight.array
    assert array is not None
    found = _steps(array, axis, bits, np.asarray(bounds))
    # A weight that came in integers is written so again only where that loses nothing.
    if found is None or (not asked and _loses(array, *found, axis)):
        return False
    weight.array, scales = found
    weight.dtype = data_type(weight.array.dtype)
    for reader in weight.uses:
        reader.set_attr(KIND, AttrType.STRING, "post_weight_channel_wise_abs_max")
        reader.set_attr(WEIGHT_BITS, AttrType.INT, bits)
        reader.set_attr(weight.name + SCALE, AttrType.FLOATS, [float(s) for s in scales])
    return True


def _run(graph: Graph, context: Context) -> None:
    asked = 8 if context.weight_bits == 4 else context.weight_bits or 0  # what is not in blocks
    can_share = _can_share(context, asked)
    for node in list(graph.nodes()):
        made = _integers(node, context, asked)
        if made is None or (len(made.weight.uses) > 1 and not can_share):
            continue
        uses = made.weight.uses
        if any(n > 1 or _integers(r, context, asked) != made for r, n in uses.items()):
            continue
        before = [print_op(r.desc()) for r in uses] if context.trace is not None else []
        if _quantize(made, asked):
            after = [print_op(r.desc()) for r in uses] if context.trace is not None else []
            context.record(node.block.index, before, after)
    for node in graph.nodes():
        node.attrs.pop(WEIGHT_STEPS, None)


register(Pass("post_quant_dynamic_pass", run=_run, final=True))
