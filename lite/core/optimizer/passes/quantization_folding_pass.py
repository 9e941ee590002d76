"""Batch norms and biases go into the convolutions in integers in front of them."""

from __future__ import annotations

from lite.core.optimizer.graph import Graph
from lite.core.optimizer.quantization.fold import fold_integer_convs
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.text import print_op


def _run(graph: Graph, context: Context) -> None:
    for conv in fold_integer_convs(graph):
        context.record(conv.block.index, (), (print_op(conv.desc()),))


register(Pass("quantization_folding_pass", run=_run, once=True))
