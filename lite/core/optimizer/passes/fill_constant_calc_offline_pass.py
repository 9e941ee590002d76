"""fill_constant of a constant shape and value becomes a parameter."""

from __future__ import annotations

from lite.core.optimizer.constants import fold_constants
from lite.core.optimizer.graph import Graph
from lite.core.optimizer.registry import Context, Pass, register

_TYPES = ("fill_constant",)


def _run(graph: Graph, context: Context) -> None:
    fold_constants(graph, context, _TYPES)


register(Pass("fill_constant_calc_offline_pass", run=_run))
