"""In a file, operators that real Paddle Lite computes wrongly become others that are equal."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from lite.core.optimizer.exchange.rewrite import Site, rewrites
from lite.core.optimizer.graph import Graph
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.text import print_op


@cache
def _load() -> None:
    package = importlib.import_module("lite.core.optimizer.exchange")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")


def _run(graph: Graph, context: Context) -> None:
    if context.weight_bits is None:
        return
    _load()
    for block in graph.blocks:
        for type, listed in rewrites().items():
            for node in block.of_type(type):
                before = [print_op(node.desc())] if context.trace is not None else []
                for function, target in listed:
                    if target and target not in context.targets:
                        continue
                    if function(Site(graph, node)):
                        context.record(block.index, before, (function.__name__,))
                        break


register(Pass("lite_exchange_pass", run=_run, final=True))
