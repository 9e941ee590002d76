"""Weights that are stored as integers become real numbers again (weight-only quantisation).

``<weight>_quant_scale`` holds one scale, or one for each output channel. ``quantize_weight_bits``
stays, so that a file that is written from the program may store the weight in integers again:
its channels' largest magnitudes are steps of the grid, so nothing is lost.
"""

from __future__ import annotations

from lite.core.optimizer.graph import Graph, Node
from lite.core.optimizer.quantization.scales import WEIGHT_BITS
from lite.core.optimizer.quantization.weights import (
    STORED_SCALE,
    WeightStore,
    restore_stored,
    stored_weights,
)
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.program import AttrType
from lite.model.text import print_op

QUANTIZATION_TYPE = "quantization_type"


def _restore(store: WeightStore, node: Node) -> bool:
    changed = False
    for slot, value, array in list(stored_weights(node)):
        restore_stored(store, node, slot, value, array)
        del node.attrs[value.name + STORED_SCALE]
        changed = True
        node.set_attr(WEIGHT_BITS, AttrType.INT, array.dtype.itemsize * 8)
    stale = [
        f"{v.name}{STORED_SCALE}"
        for v in node.input_values()
        if f"{v.name}{STORED_SCALE}" in node.attrs
    ]
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
