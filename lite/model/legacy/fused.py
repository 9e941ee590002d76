"""What Paddle Lite's optimizer has put into one operator, as several."""

from __future__ import annotations

from lite.model.legacy.writer import CannotHold, Writer
from lite.model.program import Attr, AttrType, OpDesc

_PARAMETERS: dict[str, dict[str, str]] = {
    "": {},
    "relu": {},
    "relu6": {"threshold": "fuse_brelu_threshold"},
    "leaky_relu": {"alpha": "leaky_relu_alpha"},
    "hard_swish": {
        "threshold": "hard_swish_threshold",
        "scale": "hard_swish_scale",
        "offset": "hard_swish_offset",
    },
    "sigmoid": {},
    "hard_sigmoid": {"slope": "slope", "offset": "offset"},
    "tanh": {},
}
"""Activations, and where their attributes stand in the operator that they are part of."""


def _activation(op: OpDesc, name: str) -> list[OpDesc]:
    """The operator's activation, if any, as one of its own; takes all attributes of activations."""
    if name not in _PARAMETERS:
        raise CannotHold(f"the activation {name}")
    theirs = [attr for names in _PARAMETERS.values() for attr in names.values()]
    taken = {attr: op.attrs.pop(attr) for attr in theirs if attr in op.attrs}
    attrs = {ours: taken[attr] for ours, attr in _PARAMETERS[name].items() if attr in taken}
    return [OpDesc(name, {}, {}, attrs)] if name else []


def _write(w: Writer, op: OpDesc, slot: str, following: list[OpDesc]) -> None:
    """An operator, and others of which each reads what stands in front of it."""
    out = op.outputs[slot][0]
    for step in following:
        op.outputs[slot] = step.inputs["X"] = [w.variable(out, out)]
        w.ops.append(op)
        op, slot = step, "Out"
    op.outputs[slot] = [out]
    w.ops.append(op)


def conv(w: Writer, op: OpDesc) -> None:
    """A convolution, its bias and its activation."""
    name = str(op.attr("act_type", "")) if op.attr("with_act", False) else ""
    if op.attr("fuse_relu", False):
        name = "relu"
    for attr in ("with_act", "act_type", "fuse_relu"):
        op.attrs.pop(attr, None)
    following = _activation(op, name)
    bias = op.inputs.pop("Bias", [])  # the plain kernels leave it aside, also where it is known
    if bias:
        if op.attr("data_format", "NCHW") not in ("NCHW", "AnyLayout", "NCDHW"):
            raise CannotHold("a bias of channels that come last")
        axis = {"axis": Attr(AttrType.INT, 1)}
        following.insert(0, OpDesc("elementwise_add", {"Y": list(bias)}, {}, axis))
    _write(w, op, "Output", following)


def elementwise(w: Writer, op: OpDesc) -> None:
    """An elementwise operator and its activation."""
    op.type = op.type.removeprefix("fusion_").removesuffix("_activation")
    name = str(op.attr("act_type", ""))
    op.attrs.pop("act_type", None)
    _write(w, op, "Out", _activation(op, name))
