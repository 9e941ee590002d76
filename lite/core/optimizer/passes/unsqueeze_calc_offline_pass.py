"""unsqueeze of a parameter becomes a parameter."""

from __future__ import annotations

from lite.core.optimizer.constants import fold_constants
from lite.core.optimizer.graph import Graph
from lite.core.optimizer.registry import Context, Pass, register

_TYPES = ("unsqueeze", "unsqueeze2")


def _run(graph: Graph, context: Context) -> None:
    fold_constants(graph, context, _TYPES)


register(Pass("unsqueeze_calc_offline_pass", run=_run))
