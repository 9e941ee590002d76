"""Fake quantisation operators go; scales in the attributes of their readers stay."""

from __future__ import annotations

from lite.core.optimizer.graph import Graph
from lite.core.optimizer.quantization.fuse import Fuser
from lite.core.optimizer.registry import Context, Pass, register


def _run(graph: Graph, context: Context) -> None:
    Fuser(graph, context).run()


register(Pass("lite_quant_dequant_fuse_pass", run=_run, once=True))
