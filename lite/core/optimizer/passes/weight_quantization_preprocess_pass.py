"""Recognises weights stored as integers (weight-only quantisation), not read yet."""

from __future__ import annotations

import numpy as np

from lite.core.optimizer.graph import Graph, Node
from lite.core.optimizer.registry import Context, Pass, register
from lite.errors import UnsupportedOperatorError

_WEIGHT_SLOTS = ("Filter", "W", "Y")


def _has_integer_weight(node: Node) -> bool:
    if not any(n == "quantization_type" or n.endswith("_quant_scale") for n in node.attrs):
        return False
    weights = (node.input(slot) for slot in _WEIGHT_SLOTS)
    return any(
        w is not None and w.array is not None and w.array.dtype in (np.int8, np.int16)
        for w in weights
    )


def _run(graph: Graph, context: Context) -> None:
    found = [node for node in graph.nodes() if _has_integer_weight(node)]
    if found:
        types = ", ".join(sorted({node.type for node in found}))
        raise UnsupportedOperatorError(
            f"weights quantised to integers are not supported yet: {len(found)} operators "
            f"({types}); export the model with fp32 weights"
        )


register(Pass("weight_quantization_preprocess_pass", run=_run))
