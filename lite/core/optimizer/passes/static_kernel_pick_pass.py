"""Gives every operator its kernel: target, precision, layout and alias."""

from __future__ import annotations

from lite.core.optimizer.graph import Graph
from lite.core.optimizer.kernel_pick import KERNEL_ATTR, pick
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.program import AttrType


def _run(graph: Graph, context: Context) -> None:
    for node in graph.nodes():
        kernel = pick(node, context.targets)
        if kernel is not None:
            node.set_attr(KERNEL_ATTR, AttrType.STRING, str(kernel))


register(Pass("static_kernel_pick_pass", run=_run, final=True))
