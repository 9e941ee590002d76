"""A group of operators of a compiled graph, as a Program that is built when it is first called."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import torch
from torch.fx import GraphModule, Node

from lite.errors import LiteError, UnsupportedOperatorError
from lite.torch.builder import Builder
from lite.torch.engine import Engine, Options, as_array, with_strides
from lite.torch.graph import is_size, name_of, operators, translate_graph
from lite.torch.outputs import add_fetches
from lite.torch.report import current
from lite.torch.values import Meta, NotTranslatableError, is_symbolic, metas


class Subgraph(torch.nn.Module):  # type: ignore[misc]
    """A group of operators that runs here. ``fixed`` inputs are weights: they are packed once, and
    again when they change."""

    def __init__(self, graph: GraphModule, fixed: Sequence[bool], options: Options) -> None:
        super().__init__()
        self.graph_module = [graph]  # in a list: no submodule
        self.placeholders = graph.graph.find_nodes(op="placeholder")
        self.fixed = list(fixed)
        self.options = options
        self.engine: Engine | None = None
        self.failed = ""  # why torch runs it
        self.seen: tuple[Any, ...] = ()
        self.weights: list[torch.Tensor] = []
        self.fed: list[int] = []
        self.results: list[Node] = []  # tensors and sizes
        self.outs: list[Meta | None] = []  # of the tensors among them
        self.single = False

    def forward(self, *args: Any) -> Any:
        """Runs the group on torch's tensors; sizes are plain ints. Torch runs what fails here."""
        if not self.failed:
            try:
                return self._run(args)
            except NotTranslatableError as error:
                self._fall_back(UnsupportedOperatorError(str(error)))
            except LiteError as error:
                self._fall_back(error)
        return self.graph_module[0](*args)

    def _fall_back(self, error: LiteError) -> None:
        """From now on torch runs the group; with ``strict`` raises."""
        if self.options.strict:
            raise error
        self.failed = f"its group cannot run here: {error}"
        self.engine, self.weights = None, []
        names = [name_of(node) for node in operators(self.graph_module[0])]
        report = current()
        if report is not None:
            report.stay(names, self.failed)
        warnings.warn(
            f"{len(names)} operators of a compiled graph stay with torch; {self.failed}",
            RuntimeWarning,
            stacklevel=2,
        )

    def _run(self, args: Sequence[Any]) -> Any:
        weights = [arg for arg, fixed in zip(args, self.fixed, strict=True) if fixed]
        seen = tuple((weight.data_ptr(), weight._version) for weight in weights)
        if self.engine is None or seen != self.seen:
            self.engine = None  # frees the old packing first
            self.engine = self._build(args)
            self.seen, self.weights = seen, weights
        results = self.engine.run([args[index] for index in self.fed])
        tensors = iter(
            result if meta is None else with_strides(result, meta)
            for result, meta in zip(results, self.outs, strict=True)
        )
        sizes = iter(self._sizes(args))
        made = [next(sizes) if is_size(node) else next(tensors) for node in self.results]
        return made[0] if self.single else tuple(made)

    def _sizes(self, args: Sequence[Any]) -> list[Any]:
        """The results that are sizes, from their expressions over the sizes of the inputs."""
        wanted = [node.meta["val"] for node in self.results if is_size(node)]
        if not wanted:
            return []
        known: dict[Any, int] = {}
        for node, value in zip(self.placeholders, args, strict=True):
            meta = node.meta.get("val")
            dims = (
                zip(meta.shape, value.shape, strict=True)
                if isinstance(meta, torch.Tensor)
                else [(meta, value)]
            )
            known.update((dim.node.expr, int(size)) for dim, size in dims if is_symbolic(dim))
        return [
            {torch.SymInt: int, torch.SymFloat: float, torch.SymBool: bool}[type(size)](
                size.node.expr.xreplace(known)
            )
            for size in wanted
        ]

    def _build(self, args: Sequence[Any]) -> Engine:
        graph = self.graph_module[0].graph
        given = dict(zip(self.placeholders, range(len(args)), strict=True))
        self.fed = []

        def declare(builder: Builder, node: Node) -> Any:
            index = given[node]
            value = args[index]
            if isinstance(value, torch.Tensor) and self.fixed[index]:
                return builder.parameter(as_array(value), value.dtype)
            known = node.meta.get("val")
            if isinstance(known, torch.Tensor):
                self.fed.append(index)
                return builder.feed(node.name, known.dtype, tuple(known.shape))
            if is_symbolic(known):
                self.fed.append(index)
                return builder.feed_size(node.name, known)
            return value

        results = graph.output_node().args[0]
        self.single = not isinstance(results, (list, tuple))
        self.results = [results] if self.single else list(results)
        tensors = [index for index, node in enumerate(self.results) if not is_size(node)]
        self.outs = [metas(self.results[index])[0] for index in tensors]
        program, outputs = translate_graph(
            graph, declare, lambda listed: [listed[index] for index in tensors]
        )
        add_fetches(program, outputs)
        return Engine(program, self.options)
