"""Weights that are stored as integers become real numbers again (weight-only quantisation).

``<weight>_quant_scale`` holds one scale, or one for each output channel. ``quantize_weight_bits``
stays, so that a file that is written from the program may store the weight in integers again:
its channels' largest magnitudes are steps of the grid, so nothing is lost.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from lite.core.optimizer.graph import Graph, Node, Value
from lite.core.optimizer.quantization.scales import WEIGHT_BITS
from lite.core.optimizer.quantization.weights import WeightStore, dequantize
from lite.core.optimizer.registry import Context, Pass, register
from lite.errors import ModelFormatError
from lite.model.program import AttrType
from lite.model.text import print_op

SCALE = "_quant_scale"
QUANTIZATION_TYPE = "quantization_type"


def _integer_weights(node: Node) -> Iterator[tuple[str, Value, np.ndarray]]:
    for slot, values in node.inputs.items():
        for value in values[:1]:
            array = value.array
            if array is None or array.dtype not in (np.int8, np.int16):
                continue
            if value.name + SCALE in node.attrs:
                yield slot, value, array


def _scales(node: Node, weight: Value, axis: int, count: int) -> list[float]:
    attr = node.attr(weight.name + SCALE)
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
            f"{where}: {len(scales)} scales in {weight.name}{SCALE}, expected finite numbers, 1 or "
            f"{count} (one for each channel of axis {axis} of {list(weight.shape or ())})"
        )
    return scales


def _restore(store: WeightStore, node: Node) -> bool:
    changed = False
    for slot, value, array in list(_integer_weights(node)):
        axis = 0 if node.type in ("conv2d", "depthwise_conv2d") else array.ndim - 1
        if axis < 0:
            raise ModelFormatError(
                f"operator {node.type}, weight {value.name!r}: a single integer, expected a "
                "weight with channels"
            )
        scales = _scales(node, value, axis, array.shape[axis])

        def numbers(
            steps: np.ndarray = array, s: list[float] = scales, at: int = axis
        ) -> np.ndarray:
            return dequantize(steps, s, at)

        store.put(node, slot, value, (tuple(scales), axis), numbers)
        del node.attrs[value.name + SCALE]
        changed = True
        node.set_attr(WEIGHT_BITS, AttrType.INT, array.dtype.itemsize * 8)
    stale = [f"{v.name}{SCALE}" for v in node.input_values() if f"{v.name}{SCALE}" in node.attrs]
    for name in stale:  # of a weight that is in real numbers already
        del node.attrs[name]
    if changed or stale:
        node.attrs.pop(QUANTIZATION_TYPE, None)
    return changed or bool(stale)


def _run(graph: Graph, context: Context) -> None:
    store = WeightStore(graph)
    for block in graph.blocks:
        for node in block:
            before = [print_op(node.desc())] if context.trace is not None else []
            if _restore(store, node):
                after = [print_op(node.desc())] if context.trace is not None else []
                context.record(block.index, before, after)
    store.finish()


register(Pass("weight_quantization_preprocess_pass", run=_run, once=True))
