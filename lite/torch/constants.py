"""Constants made of what is not computed here, say positions in float64: torch computes them."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.fx import Graph, GraphModule, Interpreter, Node

from lite.torch import control_flow
from lite.torch.graph import is_check, is_size, unsupported


def fold(module: GraphModule, weights: Mapping[Node, torch.Tensor]) -> None:
    """Makes constants of results that no input reaches, where an operator before them has no
    translation. ``weights`` are the placeholders whose values stay."""
    constant = _constant(module.graph, weights)
    refused = unsupported(constant)
    behind: set[Node] = set()
    for node in constant:
        if node in refused or not behind.isdisjoint(node.all_input_nodes):
            behind.add(node)
    checks = [user for node in behind for user in node.users if is_check(user)]
    for check in dict.fromkeys(checks):
        module.graph.erase_node(check)

    def reads(user: Node) -> bool:
        # What the graph returns is its caller's, and made anew each time.
        return user not in constant and user.op != "output"

    wanted = [node for node in behind if any(map(reads, node.users))]
    if not wanted:
        return
    values = _values(module, constant, wanted, weights)
    for node in wanted:
        name = f"_constant_of_{node.name}"
        module.register_buffer(name, values[node])
        with module.graph.inserting_after(node):
            held = module.graph.get_attr(name)
        node.replace_all_uses_with(held, delete_user_cb=reads)
    module.graph.eliminate_dead_code()
    module.recompile()


def is_held(node: Node) -> bool:
    """Whether it is a tensor that the graph's module holds."""
    return node.op == "get_attr" and isinstance(control_flow.attribute(node), torch.Tensor)


def _constant(graph: Graph, weights: Mapping[Node, torch.Tensor]) -> dict[Node, None]:
    """The nodes that no input reaches, in order."""
    found: dict[Node, None] = {}
    for node in graph.nodes:
        if node.op == "call_function":
            known = _is_pure(node) and found.keys() >= set(node.all_input_nodes)
        else:
            known = node in weights or is_held(node)
        if known:
            found[node] = None
    return found


def _is_pure(node: Node) -> bool:
    """Whether torch gives the same tensors whenever it is asked, on this processor."""
    if is_size(node) or is_check(node) or node.is_impure():
        return False
    if node.target is operator.getitem:
        return True
    value = node.meta.get("val")
    results = value if isinstance(value, (list, tuple)) else [value]
    return (
        isinstance(node.target, torch._ops.OpOverload)
        and torch.Tag.nondeterministic_seeded not in node.target.tags
        and all(isinstance(one, torch.Tensor) and one.device.type == "cpu" for one in results)
    )


def _values(
    module: GraphModule,
    constant: Iterable[Node],
    wanted: Iterable[Node],
    weights: Mapping[Node, torch.Tensor],
) -> dict[Node, Any]:
    """What the wanted nodes and those before them are."""
    needed = set(wanted)
    ordered = list(constant)
    for node in reversed(ordered):
        if node in needed:
            needed.update(node.all_input_nodes)
    interpreter = Interpreter(module)
    values: dict[Node, Any] = interpreter.env
    values.update(weights)
    with unset_fake_temporarily(), torch.no_grad():
        for node in ordered:
            if node in needed and node not in weights:
                values[node] = interpreter.run_node(node)
    return values
