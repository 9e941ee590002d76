"""Normalisations and softmax."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.operator import CannotExport, Op, operator
from lite.model.onnx.operators.activations import shifted
from lite.model.onnx.operators.windows import channels_back, channels_first


def _vector(op: Op, slot: str, like: str, value: float) -> str:
    """A vector of an input, or as many numbers as another has."""
    if op.has(slot):
        return op.flat(op[slot])
    channels = op.shape(like)[1]
    if channels is None:
        raise CannotExport("the number of channels is free")
    op.need_small(channels)
    return op.const(np.full(channels, value, op.dtype(like)))


@operator("batch_norm", "sync_batch_norm")
def batch_norm(op: Op) -> Any:
    """With the stored mean and variance."""
    x, behind = channels_first(op, op["X"], "X", "data_layout")
    rank = op.rank("X")
    count = op.shape_of(op["Mean"])
    scale = op.get("Scale") or op.node("Expand", [op.like("Mean", 1), count])
    bias = op.get("Bias") or op.node("Expand", [op.like("Mean", 0), count])
    inputs = [x, scale, bias, op["Mean"], op["Variance"]]
    made = op.node("BatchNormalization", inputs, epsilon=op.number("epsilon"))
    return {"Y": channels_back(op, made, behind, rank)}


@operator("instance_norm")
def instance_norm(op: Op) -> Any:
    """Of each plane."""
    flat = op.rank("X") == 2
    x = op.unsqueeze(op["X"], [2]) if flat else op["X"]
    inputs = [x, _vector(op, "Scale", "X", 1), _vector(op, "Bias", "X", 0)]
    made = op.node("InstanceNormalization", inputs, epsilon=op.number("epsilon"))
    return {"Y": op.squeeze(made, [2]) if flat else made}


@operator("layer_norm")
def layer_norm(op: Op) -> Any:
    """From an axis on; Paddle's scale and bias are flat."""
    op.need_opset(17)
    x, rank = op["X"], op.rank("X")
    axis = op.axis(int(op.attr("begin_norm_axis")), rank)
    dims = op.shape("X")[axis:]
    weights: list[str | None] = [None, None]
    for i, slot in enumerate(("Scale", "Bias")):
        if op.has(slot):
            weights[i] = op[slot]
            if op.dtype(slot) != op.dtype("X"):
                weights[i] = op.cast(op[slot], op.dtype("X"))
            if rank - axis > 1:
                if any(dim is None for dim in dims):
                    raise CannotExport("the normalised dimensions are free")
                weights[i] = op.reshape(str(weights[i]), [int(dim or 0) for dim in dims])
    if weights[0] is None:
        weights[0] = op.const(np.ones([1] * (rank - axis), op.dtype("X")))
        if None not in dims:
            op.need_small(float(np.prod([float(dim or 0) for dim in dims])))
            weights[0] = op.const(np.ones([int(dim or 0) for dim in dims], op.dtype("X")))
    made = op.node("LayerNormalization", [x, *weights], axis=axis, epsilon=op.number("epsilon"))
    return {"Y": made}


@operator("group_norm")
def group_norm(op: Op) -> Any:
    """Instance normalisation of groups; scale and bias are the channels'."""
    x, behind = channels_first(op, op["X"], "X", "data_layout")
    op.need_small(int(op.attr("groups")))
    rank, groups = op.rank("X"), int(op.attr("groups"))
    shape = op.shape_of(x)
    if 0 in op.shape("X"):
        return {"Y": op.node("Identity", [op["X"]])}
    rows = op.reshape(x, [0, groups, -1])
    weights = [op.const(np.full(groups, value, op.dtype("X"))) for value in (1, 0)]
    made = op.node("InstanceNormalization", [rows, *weights], epsilon=op.number("epsilon"))
    made = op.node("Reshape", [made, shape])
    for slot, type in (("Scale", "Mul"), ("Bias", "Add")):
        if op.has(slot):
            made = op.node(type, [made, op.reshape(op[slot], [-1] + [1] * (rank - 2))])
    return {"Y": channels_back(op, made, behind, rank)}


@operator("norm")
def norm(op: Op) -> Any:
    """Divided by the length along an axis."""
    axis = op.axis(int(op.attr("axis")), op.rank("X"))
    total = op.reduce("SumSquare", op["X"], [axis])
    length = op.node("Sqrt", [shifted(op, total, op.number("epsilon"), op.dtype("X"))])
    return {"Out": op.node("Div", [op["X"], length]), "Norm": length}


@operator("lrn")
def local_response(op: Op) -> Any:
    """ONNX divides alpha by the size of the window."""
    size = int(op.attr("n"))
    if size % 2 == 0:
        raise CannotExport(f"a window of {size}, an even number")
    x, behind = channels_first(op, op["X"], "X")
    made = op.node(
        "LRN",
        [x],
        size=size,
        alpha=op.number("alpha") * size,
        beta=op.number("beta"),
        bias=op.number("k"),
    )
    return {"Out": channels_back(op, made, behind, 4)}


@operator("softmax", "log_softmax")
def softmax(op: Op) -> Any:
    """Along an axis; a single number is alone."""
    x, rank = op["X"], op.rank("X")
    type = "Softmax" if op.type == "softmax" else "LogSoftmax"
    if not rank:
        return op.reshape(op.node(type, [op.flat(x)], axis=0), [])
    return op.softmax(type, x, op.axis(int(op.attr("axis")), rank), rank)


@operator("affine_channel")
def affine_channel(op: Op) -> Any:
    """Scale and bias of each channel."""
    rank = op.rank("X")
    behind = op.attr("data_layout") == "NHWC"
    dims = [-1] if behind else [-1] + [1] * (rank - 2)
    product = op.node("Mul", [op["X"], op.reshape(op["Scale"], dims)])
    return op.node("Add", [product, op.reshape(op["Bias"], dims)])
