"""Any other operator on parameters alone becomes a parameter."""

from __future__ import annotations

from lite.core.optimizer.constants import EVALUATORS, fold_constants
from lite.core.optimizer.graph import Graph
from lite.core.optimizer.registry import Context, Pass, register

_OWN_PASS = {
    "assign_value",
    "fill_constant",
    "range",
    "reshape",
    "reshape2",
    "unsqueeze",
    "unsqueeze2",
    "scale",
}
_TYPES = tuple(sorted(set(EVALUATORS) - _OWN_PASS))


def _run(graph: Graph, context: Context) -> None:
    fold_constants(graph, context, _TYPES)


register(Pass("constant_folding_pass", run=_run))
