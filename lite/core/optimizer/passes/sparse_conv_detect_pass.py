"""Convolutions of 1 x 1 pixels with many zero weights become sparse ones, in a file for arm.

What real Paddle Lite's opt writes: the weights that are not zero, where each output channel ends
among them, and the distances in bytes between the input channels that they multiply. So it goes
with one size of input only. A zero in front brings each channel's first weight to a multiple of 4.
"""

from __future__ import annotations

import numpy as np

from lite.core.optimizer.graph import Graph, Node
from lite.core.optimizer.kernel_pick import KERNEL_ATTR, pick
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.program import AttrType
from lite.model.text import print_op

_ALIGN, _BYTES = 4, 4


def _plane(node: Node) -> int | None:
    """Bytes of a channel of the input, as the exporter declared it; None where that is not said."""
    source = node.input("Input")
    desc = None if source is None else node.block.desc.vars.get(source.name)
    if desc is None or len(desc.shape) != 4 or any(size <= 0 for size in desc.shape[2:]):
        return None
    return desc.shape[2] * desc.shape[3] * _BYTES


def _is_plain(node: Node) -> bool:
    """Whether a convolution has nothing that a sparse one cannot have."""
    if node.integer("groups", 1) != 1 or node.input("ResidualData") is not None:
        return False
    paddings = node.integers("paddings")
    return (
        all(s == 1 for s in (*node.integers("strides"), *node.integers("dilations")))
        and not any(paddings)
        and node.attr("padding_algorithm") in (None, "", "EXPLICIT")
    )


def encode(weight: np.ndarray, plane: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, int] | None:
    """(weights, ends, distances, first channel) of a matrix; None where a row has no weights."""
    values: list[float] = []
    ends: list[int] = []
    diffs: list[int] = []
    first = -1
    for row in weight:
        channels = np.flatnonzero(row)
        if channels.size == 0:
            return None
        if first < 0:
            first = int(channels[0])
        else:
            diffs[-1] = (int(channels[0]) - first) * plane
        padding = -len(values) % _ALIGN
        values += [0.0] * padding + [float(v) for v in row[channels]]
        diffs += [0] * padding + [int(d) * plane for d in np.diff(channels)] + [0]
        ends.append(len(values))
    rest = -len(values) % _ALIGN
    return (
        np.array(values + [0.0] * rest, np.float32),
        np.array(ends, np.int32),
        np.array(diffs + [0] * rest, np.int64),
        first,
    )


def _change(graph: Graph, context: Context, node: Node, threshold: float) -> bool:
    weight, plane = node.input("Filter"), _plane(node)
    array = None if weight is None else weight.array
    if weight is None or array is None or plane is None or array.dtype != np.float32:
        return False
    if array.ndim != 4 or array.shape[2:] != (1, 1) or array.size == 0 or not _is_plain(node):
        return False
    if np.count_nonzero(array == 0) < threshold * array.size:
        return False
    made = encode(array.reshape(array.shape[:2]), plane)
    if made is None or np.abs(made[2]).max() > np.iinfo(np.int32).max:
        return False
    values, ends, diffs, first = made
    slots = {"Input": node.inputs["Input"]}
    if node.inputs.get("Bias"):
        slots["Bias"] = node.inputs["Bias"]
    for slot, ending, data in (
        ("NonZeroWeights", "_nonzeros_output", values),
        ("OcNonZeros", "_oc_nonzeros", ends),
        ("Diffs", "_ic_diffs", diffs.astype(np.int32)),
    ):
        slots[slot] = [graph.add_param(weight.name + ending, data)]
    sparse = graph.insert(node, "sparse_conv2d", slots, node.outputs, node.attrs)
    sparse.set_attr("first_ic", AttrType.INT, first)
    sparse.set_attr("flag_semi", AttrType.INT, 0)
    kernel = pick(sparse, context.targets)
    if kernel is not None:
        sparse.set_attr(KERNEL_ATTR, AttrType.STRING, str(kernel))
    graph.remove(node)
    return True


def _run(graph: Graph, context: Context) -> None:
    threshold = context.sparse_threshold
    if threshold is None or context.targets[:1] != ("arm",):
        return
    for block in graph.blocks:
        for node in block.of_type("conv2d"):
            before = [print_op(node.desc())] if context.trace is not None else []
            if _change(graph, context, node, threshold):
                context.record(block.index, before, ("sparse_conv2d",))


register(Pass("sparse_conv_detect_pass", run=_run, final=True))
