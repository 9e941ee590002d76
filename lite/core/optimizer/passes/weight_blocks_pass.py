"""Products read weights of 4 bits in blocks, where a file is written and that is asked for.

A block of 32 numbers of a column shares a scale: its largest number in magnitude is the integer -8.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.core.optimizer.graph import Graph, Node, Value
from lite.core.optimizer.quantization.scales import WEIGHT_BITS
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.params import pack_nibbles
from lite.model.program import Attr, AttrType
from lite.model.text import print_op

BITS, BLOCK = 4, 32
_ROWS = {"matmul_v2": "X", "matmul": "X", "mul": "X", "fc": "Input"}


def _weight(node: Node) -> np.ndarray[Any, Any] | None:
    """[rows, columns] of a product of all but the last dimension of its input; None for others."""
    slot = "W" if node.type == "fc" else "Y"
    weight, x = node.input(slot), node.input(_ROWS[node.type])
    if node.integer(WEIGHT_BITS, 0):  # it came in integers
        return None
    if weight is None or x is None or weight.array is None or weight.array.dtype != np.float32:
        return None
    if weight.array.ndim != 2 or weight.array.shape[0] < BLOCK or list(weight.uses.values()) != [1]:
        return None
    if node.type == "fc":
        plain = not node.flag("padding_weights") and not node.string("activation_type")
        by_rows = node.string("op_type") in ("matmul", "matmul_v2")
        rows = x.rank == node.integer("in_num_col_dims", 1) + 1 or by_rows
    elif node.type == "mul":
        plain = node.integer("y_num_col_dims", 1) == 1
        rows = x.rank == node.integer("x_num_col_dims", 1) + 1
    else:
        plain = not (node.flag("trans_x") or node.flag("transpose_X"))
        rows = node.number("alpha", 1.0) == 1
    if not plain or not rows or not np.isfinite(weight.array).all():
        return None
    turned = node.flag("trans_y") or node.flag("transpose_Y")
    return weight.array.T if turned else weight.array


def in_blocks(weight: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Integers [columns, blocks, bytes] and scales [blocks, columns] for `matmul_nbits`."""
    rows, columns = weight.shape
    blocks = -(-rows // BLOCK)
    whole = np.zeros((columns, blocks * BLOCK), np.float32)
    whole[:, :rows] = weight.T
    whole = whole.reshape(columns, blocks, BLOCK)
    at = np.abs(whole).argmax(2)[..., None]
    scales = np.take_along_axis(whole, at, 2) / np.float32(-8)
    scales[scales == 0] = 1
    steps = np.clip(np.rint(whole / scales) + 8, 0, 15).astype(np.uint8)
    return pack_nibbles(steps), np.ascontiguousarray(scales[..., 0].T)


def _replace(graph: Graph, node: Node, weight: np.ndarray[Any, Any]) -> Node:
    name = node.inputs["W" if node.type == "fc" else "Y"][0].name
    packed, scales = in_blocks(weight)
    inputs: dict[str, list[Value]] = {
        "X": list(node.inputs[_ROWS[node.type]]),
        "Y": [graph.add_param(f"{name}.blocks", packed)],
        "Scales": [graph.add_param(f"{name}.scales", scales)],
    }
    bias = node.input("Bias")
    if bias is not None:
        inputs["Bias"] = [bias]
    attrs = {
        "bits": Attr(AttrType.INT, BITS),
        "block_size": Attr(AttrType.INT, BLOCK),
    }
    outputs = {"Out": list(node.outputs["Out"])}
    made = graph.insert(node, "matmul_nbits", inputs, outputs, attrs)
    graph.remove(node)
    return made


def _run(graph: Graph, context: Context) -> None:
    if context.weight_bits != BITS:
        return
    for node in list(graph.nodes()):
        weight = _weight(node) if node.type in _ROWS else None
        if weight is None:
            continue
        before = [print_op(node.desc())] if context.trace is not None else []
        made = _replace(graph, node, weight)
        after = [print_op(made.desc())] if context.trace is not None else []
        context.record(made.block.index, before, after)


register(Pass("weight_blocks_pass", run=_run, final=True))
