"""Any other operator on parameters alone becomes a parameter."""

from __future__ import annotations

from lite.core.optimizer.constants import fold_constants
from lite.core.optimizer.graph import Graph
from lite.core.optimizer.registry import Context, Pass, register
from lite.core.optimizer.traits import having

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
_TYPES = having("folds") - _OWN_PASS


def _run(graph: Graph, context: Context) -> None:
    fold_constants(graph, context, _TYPES)


register(Pass("constant_folding_pass", run=_run))
