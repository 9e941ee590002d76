"""How far results are from what they should be."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.operator import CannotExport, Op, operator
from lite.model.onnx.operators.activations import scaled, shifted


def _reduced(op: Op, x: str, reduction: str, all_rows: bool = False) -> str:
    if reduction in ("mean", "sum"):
        return op.reduce(reduction.capitalize(), x, None, keep=False)
    if reduction == "batchmean":
        total = op.reduce("Sum", x, None, keep=False)
        rows = op.cast(op.reshape(op.shape_of(x, 0, 1), []), op.dtype("X"))
        return str(op.node("Div", [total, rows]))
    return str(op.node("Identity", [x]))


def _log(op: Op, x: str, lowest: float) -> str:
    """The logarithm, but not below a number."""
    low = op.const(np.asarray(lowest, op.dtype("X")))
    return str(op.node("Max", [op.node("Log", [x]), low]))


@operator("bce_loss")
def bce_loss(op: Op) -> Any:
    """Binary cross entropy of probabilities; a logarithm ends at -100."""
    x, label, dtype = op["X"], op["Label"], op.dtype("X")
    rest = op.node("Sub", [op.like("X", 1), label])
    sure = op.node("Mul", [label, _log(op, x, -100)])
    other = op.node("Mul", [rest, _log(op, op.node("Sub", [op.like("X", 1), x]), -100)])
    return scaled(op, op.node("Add", [sure, other]), -1, dtype)


@operator("sigmoid_cross_entropy_with_logits")
def sigmoid_cross_entropy(op: Op) -> Any:
    """max(x, 0) - x label + log(1 + exp(-|x|)), 0 where the label is to be ignored."""
    if op.has("pos_weight") or op.flag("normalize"):
        raise CannotExport("weights, or a mean over what counts")
    x, label, dtype = op["X"], op["Label"], op.dtype("X")
    far = shifted(op, op.node("Exp", [op.node("Neg", [op.node("Abs", [x])])]), 1, dtype)
    near = op.node("Sub", [op.node("Max", [x, op.like("X", 0)]), op.node("Mul", [x, label])])
    made = op.node("Add", [near, op.node("Log", [far])])
    ignored = op.const(np.asarray(int(op.attr("ignore_index")), op.dtype("Label")))
    return op.node("Where", [op.node("Equal", [label, ignored]), op.like("X", 0), made])


@operator("log_loss")
def log_loss(op: Op) -> Any:
    """Cross entropy with a little added to each probability."""
    x, label = op["Predicted"], op["Labels"]
    dtype, small = op.dtype("Predicted"), op.number("epsilon")
    one = op.like("Predicted", 1)
    sure = op.node("Mul", [label, op.node("Log", [shifted(op, x, small, dtype)])])
    rest = op.node("Log", [shifted(op, op.node("Sub", [one, x]), small, dtype)])
    other = op.node("Mul", [op.node("Sub", [one, label]), rest])
    return {"Loss": scaled(op, op.node("Add", [sure, other]), -1, dtype)}


@operator("hinge_loss")
def hinge_loss(op: Op) -> Any:
    """max(0, 1 - x (2 label - 1))."""
    dtype = op.dtype("Logits")
    side = shifted(op, scaled(op, op["Labels"], 2, dtype), -1, dtype)
    rest = op.node("Sub", [op.like("Logits", 1), op.node("Mul", [op["Logits"], side])])
    return {"Loss": op.node("Max", [rest, op.like("Logits", 0)])}


@operator("huber_loss")
def huber_loss(op: Op) -> Any:
    """A square near zero, a line further away."""
    dtype, delta = op.dtype("X"), op.number("delta")
    residual = op.node("Sub", [op["Y"], op["X"]])
    size = op.node("Abs", [residual])
    square = scaled(op, op.node("Mul", [residual, residual]), 0.5, dtype)
    line = scaled(op, shifted(op, size, -0.5 * delta, dtype), delta, dtype)
    near = op.node("LessOrEqual", [size, op.like("X", delta)])
    return {"Out": op.node("Where", [near, square, line]), "Residual": residual}


@operator("kldiv_loss")
def kldiv_loss(op: Op) -> Any:
    """target (log target - x), 0 where the target is not positive."""
    x, target = op["X"], op["Target"]
    if op.flag("log_target"):
        made = op.node("Mul", [op.node("Exp", [target]), op.node("Sub", [target, x])])
    else:
        positive = op.node("Greater", [target, op.like("Target", 0)])
        known = op.node("Where", [positive, target, op.like("Target", 1)])
        made = op.node("Mul", [target, op.node("Sub", [op.node("Log", [known]), x])])
        made = op.node("Where", [positive, made, op.like("X", 0)])
    return {"Loss": _reduced(op, made, str(op.attr("reduction")))}


@operator("softmax_with_cross_entropy")
def softmax_with_cross_entropy(op: Op) -> Any:
    """Minus the logarithm of the label's probability."""
    x, rank = op["Logits"], op.rank("Logits")
    axis = op.axis(int(op.attr("axis")), rank)
    if op.flag("use_softmax", True):
        logs, probabilities = (op.softmax(t, x, axis, rank) for t in ("LogSoftmax", "Softmax"))
    else:
        logs, probabilities = op.node("Log", [x]), op.node("Identity", [x])
    if op.flag("soft_label"):
        loss = op.node("Neg", [op.reduce("Sum", op.node("Mul", [op["Label"], logs]), [axis])])
        return {"Loss": loss, "Softmax": probabilities}
    label = op.cast(op["Label"], np.int64)
    if op.rank("Label") < rank:
        label = op.unsqueeze(label, [axis])
    ignored = op.node("Equal", [label, op.const(np.int64(int(op.attr("ignore_index"))))])
    place = op.node("Where", [ignored, op.const(np.int64(0)), label])
    loss = op.node("Neg", [op.node("GatherElements", [logs, place], axis=axis)])
    return {
        "Loss": op.node("Where", [ignored, op.like("Logits", 0), loss]),
        "Softmax": probabilities,
    }


@operator("nll_loss")
def nll_loss(op: Op) -> Any:
    """Minus the label's number, weighed; a mean is over the weights."""
    label = op.cast(op["Label"], np.int64)
    ignored = int(op.attr("ignore_index"))
    reduction = str(op.attr("reduction"))
    weight = op.get("Weight")
    attributes: dict[str, Any] = {"reduction": reduction, "ignore_index": ignored}
    made = op.node("NegativeLogLikelihoodLoss", [op["X"], label, weight], **attributes)
    counts = op.node("Not", [op.node("Equal", [label, op.const(np.int64(ignored))])])
    own = op.cast(counts, op.dtype("X"))
    if weight is not None:
        place = op.node("Where", [counts, label, op.const(np.int64(0))])
        own = op.node("Mul", [own, op.node("Gather", [weight, place], axis=0)])
    total = op.reduce("Sum", own, None, keep=False)
    if reduction == "none":
        total = op.node("Identity", [op.like("X", 0)])
    return {"Out": made, "Total_weight": total}
