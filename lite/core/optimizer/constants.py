"""Operators on parameters alone, computed when the program is optimised: by their kernels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from lite import _core
from lite.core.optimizer.fold import MAX_NEW_CONSTANT, is_quantized
from lite.core.optimizer.graph import Graph, Node, Value
from lite.core.optimizer.registry import Context
from lite.core.optimizer.traits import having
from lite.errors import LiteError
from lite.model.program import AttrType
from lite.model.text import print_op

_NOT_PASSED = {AttrType.BLOCK, AttrType.BLOCKS, AttrType.VAR, AttrType.VARS}


def fold_constants(graph: Graph, context: Context, types: Iterable[str] | None = None) -> None:
    """Turns operators of some types, or of all that fold, on parameters alone into parameters."""
    wanted = having("folds") if types is None else frozenset(types)
    for block in graph.blocks:
        if wanted.isdisjoint(block.by_type):
            continue
        for node in block:
            if node.type in wanted:
                _fold_node(graph, context, node)


def _main_output(node: Node) -> Value | None:
    """The output that carries the result, where nobody needs another one."""
    main = node.output("Out") or node.output("Y")
    if main is None:
        return None
    others = [value for value in node.output_values() if value is not main]
    return main if all(value.dead for value in others) else None


def _computed(node: Node, out: Value) -> np.ndarray | None:
    """The output's array; None where the kernel refuses, or it would be too large a constant."""
    inputs: dict[str, list[tuple[np.ndarray, list[list[int]]]]] = {
        slot: [(value.array, []) for value in values if value.array is not None]
        for slot, values in node.inputs.items()
    }
    sizes = [array.nbytes for arrays in inputs.values() for array, _ in arrays]
    try:
        results = _core.run_op(
            node.type,
            inputs,
            {slot: len(values) for slot, values in node.outputs.items()},
            {n: a.value for n, a in node.attrs.items() if a.type not in _NOT_PASSED},
            params=list(inputs),
            dynamic=True,
            most=max([MAX_NEW_CONSTANT, *sizes]),
        )
    except LiteError:
        return None  # whoever runs it is told
    slot = next(slot for slot, values in node.outputs.items() if out in values)
    return results[slot][0][0]


def _is_certain(node: Node, result: np.ndarray) -> bool:
    """Whether machines agree: not about floats that become integers which cannot hold them."""
    if result.dtype.kind not in "iu":
        return True
    numbers: Any = 0.0
    if node.type == "cast":
        numbers = next(node.input_values()).array
    elif text := node.string("str_value"):
        return text.lstrip("-").isdigit()
    elif node.type.startswith("fill_"):
        numbers = node.number("value", 0.0)
    bounds, source = np.iinfo(result.dtype), np.asarray(numbers)
    if source.dtype.kind != "f":
        return True
    wide = source.astype(np.float64)
    return bool(((wide > bounds.min - 1.0) & (wide < bounds.max + 1.0)).all())


def _fold_node(graph: Graph, context: Context, node: Node) -> None:
    inputs = list(node.input_values())
    if not all(value.is_param for value in inputs):
        return
    out = _main_output(node)
    if out is None or not graph.can_vanish(out) or is_quantized(node):
        return
    result = _computed(node, out)
    if result is None or not _is_certain(node, result):
        return
    before = print_op(node.desc()) if context.trace is not None else ""
    graph.replace_by_param(out, result)
    graph.remove(node)
    for value in inputs:
        graph.drop_param(value)
    context.record(node.block.index, (before,), (f"param {out.name}",))
