"""The backend of torch.compile: what the table translates runs here, the rest stays with torch."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from functorch.compile import make_boxed_func
from torch.fx import GraphModule, Node
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase

from lite.api import arguments
from lite.api.devices import DeviceOptions
from lite.errors import ConfigError, LiteError, UnsupportedOperatorError
from lite.torch.constants import fold, is_held
from lite.torch.control_flow import inner_nodes
from lite.torch.decompositions import decompositions
from lite.torch.engine import Options
from lite.torch.graph import is_size, name_of, operators, unsupported
from lite.torch.interpolation import kept_whole
from lite.torch.report import Report, current, reporting
from lite.torch.subgraph import Subgraph
from lite.torch.values import is_symbolic

SMALLEST_GROUP = 2
"""A group of fewer operators stays with torch: crossing costs more than it gives."""


def read_options(options: Mapping[str, Any] | None) -> Options:
    """Options as users write them. Raises ConfigError for what is unknown."""
    given = dict(options or {})
    unknown = sorted(set(given) - {"threads", "devices", "strict"})
    if unknown:
        raise ConfigError(f"unknown option {unknown[0]!r}; there are threads, devices, strict")
    devices = given.get("devices", ())
    names = (devices,) if isinstance(devices, str) else tuple(arguments.texts(devices, "devices"))
    return Options(
        threads=arguments.threads(given["threads"]) if "threads" in given else 0,
        devices=names,
        strict=arguments.flag(given.get("strict", False), "strict"),
    )


def backend(
    module: GraphModule,
    inputs: Sequence[Any],
    *,
    options: Mapping[str, Any] | None = None,
    mode: str | None = None,
) -> Callable[..., Any]:
    """``torch.compile(model, backend="lite", options={...})``.

    AOTAutograd makes the graph functional; gradients stay with torch. With ``strict`` an operator
    that has no translation is an UnsupportedOperatorError when the model is called.
    """
    from torch._dynamo.backends.common import aot_autograd

    chosen = read_options(options)

    def forward(graph: GraphModule, examples: Sequence[Any]) -> Any:
        try:
            return compile_graph(graph, _static_inputs(), chosen)
        except LiteError as error:
            # Raised in the backend, users would see BackendCompilerFailed.
            failed = error

            def fail(*_: Any) -> Any:
                raise failed

            return make_boxed_func(fail)

    compiler = aot_autograd(
        fw_compiler=forward,
        bw_compiler=lambda graph, examples: make_boxed_func(graph.forward),
        inference_compiler=forward,
        decompositions=decompositions(),
    )
    with kept_whole() if _is_interpolation_kept(inputs) else contextlib.nullcontext():
        return compiler(module, inputs)  # type: ignore[no-any-return]


def _is_interpolation_kept(inputs: Sequence[Any]) -> bool:
    """torch cannot trace interpolation's own derivatives with symbolic sizes, nor empty images."""
    symbolic = any(isinstance(value, torch.SymInt) for value in inputs)
    tensors = [value for value in inputs if isinstance(value, torch.Tensor)]
    trains = any(tensor.requires_grad for tensor in tensors) and torch.is_grad_enabled()
    empty = any(not is_symbolic(dim) and dim == 0 for tensor in tensors for dim in tensor.shape)
    return not (symbolic and trains) and not empty


def _static_inputs() -> set[int]:
    """The placeholders that are parameters and buffers."""
    context = torch._guards.TracingContext.try_get()
    found = getattr(getattr(context, "fw_metadata", None), "static_input_indices", None)
    return set(found or ())


class _Support(OperatorSupportBase):  # type: ignore[misc]
    def __init__(self, refused: Mapping[Node, str]) -> None:
        self.refused = refused

    def is_node_supported(self, submodules: Any, node: Node) -> bool:
        if node.op != "call_function" or node in self.refused:
            return False
        # torch takes sizes among its own results only.
        return not (is_size(node) and any(user.op == "output" for user in node.users))


def compile_graph(graph: GraphModule, static: set[int], options: Options) -> Any:
    """A graph of aten operators as a function of one list of inputs."""
    DeviceOptions(options.devices).make_available()
    fold(graph, {})
    refused = unsupported(graph.graph.nodes)
    _tell(graph, refused)
    if options.strict and refused:
        node, reason = next(iter(refused.items()))
        raise UnsupportedOperatorError(
            f"strict: {name_of(node)} stays with torch: {reason} "
            f"({len(refused)} of the graph's operators do); leave options['strict'] out"
        )
    constants = {
        node.name
        for index, node in enumerate(graph.graph.find_nodes(op="placeholder"))
        if index in static
    }
    partitioner = CapabilityBasedPartitioner(
        graph, _Support(refused), allows_single_node_partition=True
    )
    groups = [
        group
        for group in partitioner.propose_partitions()
        if not refused or _operator_count(group) >= SMALLEST_GROUP
    ]
    fused = partitioner.fuse_partitions(groups)
    for node in list(fused.graph.find_nodes(op="call_module")):
        inner = getattr(fused, node.target)
        fixed = [isinstance(a, Node) and (a.name in constants or is_held(a)) for a in node.args]
        setattr(fused, node.target, Subgraph(inner, fixed, options))
    fused.recompile()
    return make_boxed_func(fused.forward)


def _tell(graph: GraphModule, refused: Mapping[Node, str]) -> None:
    report = current()
    if report is None:
        return
    report.graphs += 1
    for node in operators(graph):
        report.operators[name_of(node)] += 1
        if node in refused:
            report.stay([name_of(node)], refused[node])


def _operator_count(group: Any) -> int:
    return sum(
        1 + inner_nodes(node)
        for node in group.nodes
        if isinstance(node.target, (torch._ops.OpOverload, torch._ops.HigherOrderOperator))
    )


def explain(model: Any, args: Any = (), kwargs: Mapping[str, Any] | None = None) -> Report:
    """Compiles and calls a model once; says which operators stay with torch and why."""
    given = args if isinstance(args, (list, tuple)) else (args,)
    torch._dynamo.reset()
    with reporting() as report:
        torch.compile(model, backend=backend)(*given, **dict(kwargs or {}))
    torch._dynamo.reset()
    return report
