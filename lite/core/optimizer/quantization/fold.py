"""What stands behind a convolution in integers goes into its weight's scales and its bias.

Devices that compute in integers would round in between, which the program does not.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lite.core.optimizer.build import is_test_batch_norm
from lite.core.optimizer.fold import (
    CONVS,
    bias_vector,
    channel_vector,
    finite,
    has_activation,
    is_nchw_conv,
    out_channels,
)
from lite.core.optimizer.graph import Graph, Node
from lite.core.optimizer.quantization.scales import (
    ENABLE_INT8,
    get_scale,
    set_scale,
)
from lite.core.optimizer.quantization.weights import along, channel_axis, expand

_MOST_BIAS = 2.0**30


def fold_integer_convs(graph: Graph) -> list[Node]:
    """Folds batch norms and biases; the convolutions that took some in."""
    changed = []
    for block in graph.blocks:
        for conv in block.of_type(*CONVS.split("/")):
            filter = conv.input("Filter")
            if filter is None or not is_nchw_conv(conv, filter):
                continue
            if not conv.flag(ENABLE_INT8) or has_activation(conv):
                continue
            folded = _fold(graph, conv)
            if _fit_bias(graph, conv) or folded:
                changed.append(conv)
    return changed


def _fold(graph: Graph, conv: Node) -> bool:
    found = False
    while (reader := _only_reader(conv)) is not None and reader.type in _FOLDS:
        slot = _OUTPUTS.get(reader.type, "Out")
        out, scale = reader.output(slot), get_scale(reader, slot)
        if out is None or not out.stable or (get_scale(conv, "Output") and not scale):
            break
        if not _FOLDS[reader.type](graph, conv, reader):
            break
        graph.absorb(conv, conv.outputs["Output"][0], reader, out)
        if scale:
            set_scale(conv, "Output", 0, scale)
        found = True
    return found


def _only_reader(conv: Node) -> Node | None:
    out = conv.output("Output")
    if out is None or out.pinned or not out.stable or list(out.uses.values()) != [1]:
        return None
    (reader,) = out.uses
    return reader if reader.block is conv.block and not out.hidden_uses else None


def _batch_norm(graph: Graph, conv: Node, norm: Node) -> bool:
    """The norm's factors and differences."""
    out = norm.output("Y")
    if any(value is not out and not value.dead for value in norm.output_values()):
        return False
    if not is_test_batch_norm(norm) or norm.string("data_layout", "NCHW") == "NHWC":
        return False
    arrays = [_array(norm, slot) for slot in ("Scale", "Bias", "Mean", "Variance")]
    numbers = [a.astype(np.float64).reshape(-1) for a in arrays if a is not None]
    if [a.size for a in numbers] != [_channels(conv)] * 4:
        return False
    gamma, beta, mean, variance = numbers
    with np.errstate(all="ignore"):
        factor = gamma / np.sqrt(variance + norm.number("epsilon", 1e-5))
        return _rescale(graph, conv, factor, beta - mean * factor)


def _elementwise(graph: Graph, conv: Node, op: Node) -> bool:
    """One number for all channels, or for each."""
    operand = op.input("Y" if op.input("X") is conv.output("Output") else "X")
    if operand is None or operand.array is None or has_activation(op):
        return False
    weight = _array(conv, "Filter")
    if weight is None:
        return False
    channels = out_channels(conv, weight)
    vector = channel_vector(operand, weight.ndim, op.integer("axis", -1), 1, channels)
    if vector is None:
        return False
    is_sum = op.type == "elementwise_add"
    factor, shift = (np.ones(channels), vector) if is_sum else (vector, np.zeros(channels))
    return _rescale(graph, conv, factor, shift)


_FOLDS: dict[str, Callable[[Graph, Node, Node], bool]] = {
    "batch_norm": _batch_norm,
    "sync_batch_norm": _batch_norm,
    "elementwise_add": _elementwise,
    "elementwise_mul": _elementwise,
}

_OUTPUTS = {"batch_norm": "Y", "sync_batch_norm": "Y"}


def _rescale(graph: Graph, conv: Node, factor: np.ndarray, shift: np.ndarray) -> bool:
    """Result times factor plus shift, of each channel: a negative factor turns the steps around."""
    weight, scales = _array(conv, "Filter"), get_scale(conv, "Filter")
    bias = bias_vector(_array(conv, "Bias"), factor.size)
    axis = None if weight is None else channel_axis(conv, weight)
    if weight is None or scales is None or bias is None or axis is None:
        return False
    if weight.shape[axis] != factor.size:
        return False
    with np.errstate(all="ignore"):
        total = (bias * factor + shift).astype(np.float32)
        made = np.asarray(expand(scales, factor.size)) * np.abs(factor)
    made[factor == 0] = 1
    narrow = made.astype(np.float32)
    if not finite(total, narrow) or (narrow == 0).any():
        return False
    steps = weight * along(np.sign(factor).astype(np.int16), axis, weight.ndim)
    if steps.size and not -128 <= steps.min() <= steps.max() <= 127:
        return False
    if (factor <= 0).any():
        _set(graph, conv, "Filter", steps.astype(weight.dtype))
    set_scale(conv, "Filter", 0, [float(scale) for scale in made])
    _set(graph, conv, "Bias", total)
    return True


def _fit_bias(graph: Graph, conv: Node) -> bool:
    """Larger steps for the weights of channels beside which the bias, in the steps of a sum, is
    beyond 32 bits: next to nothing, as those of dead channels are."""
    bias, weight = _array(conv, "Bias"), _array(conv, "Filter")
    entry, scales = get_scale(conv, "Input"), get_scale(conv, "Filter")
    axis = None if weight is None else channel_axis(conv, weight)
    if bias is None or weight is None or axis is None or not entry or not scales:
        return False
    if weight.shape[axis] != bias.size:
        return False
    known = np.asarray(expand(scales, bias.size))
    least = np.abs(bias.astype(np.float64).reshape(-1)) / (entry[0] * _MOST_BIAS)
    if (known >= least).all():
        return False
    made = np.maximum(known, least)
    steps = np.rint(weight * along(known / made, axis, weight.ndim))
    _set(graph, conv, "Filter", steps.astype(weight.dtype))
    set_scale(conv, "Filter", 0, [float(scale) for scale in made])
    return True


def _channels(conv: Node) -> int:
    weight = _array(conv, "Filter")
    return 0 if weight is None else out_channels(conv, weight)


def _array(node: Node, slot: str) -> np.ndarray | None:
    value = node.input(slot)
    return None if value is None else value.array


def _set(graph: Graph, conv: Node, slot: str, array: np.ndarray) -> None:
    """A parameter of its own in place of an operand."""
    old = conv.input(slot)
    base = f"{conv.outputs['Output'][0].name}.bias" if old is None else old.name
    made = graph.add_param(base, array)
    if old is None:
        conv.inputs[slot] = [made]
        made.uses[conv] = 1
    else:
        graph.replace_input(conv, slot, 0, made)
