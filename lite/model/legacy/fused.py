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


def _activated(w: Writer, op: OpDesc, slot: str, name: str) -> None:
    """Lets the operator, without its activation, write something that the activation reads."""
    if name not in _PARAMETERS:
        raise CannotHold(f"the activation {name}")
    parameters = {
        ours: op.attrs.pop(theirs)
        for ours, theirs in _PARAMETERS[name].items()
        if theirs in op.attrs
    }
    for attributes in _PARAMETERS.values():
        for theirs in attributes.values():
            op.attrs.pop(theirs, None)
    out = op.outputs[slot][0]
    if name:
        op.outputs[slot] = [w.variable(out, out)]
    w.ops.append(op)
    if name:
        w.add(name, {"X": op.outputs[slot]}, out, parameters)


def conv(w: Writer, op: OpDesc) -> None:
    """A convolution, its bias and its activation."""
    asked = bool(op.attr("with_act", False))
    name = str(op.attr("act_type", "")) if asked else ""
    if op.attr("fuse_relu", False):
        name = "relu"
    for attr in ("with_act", "act_type", "fuse_relu"):
        op.attrs.pop(attr, None)
    bias = op.inputs.pop("Bias", [])  # the plain kernels leave it aside, also where it is known
    if not bias:
        _activated(w, op, "Output", name)
        return
    if op.attr("data_format", "NCHW") not in ("NCHW", "AnyLayout", "NCDHW"):
        raise CannotHold("a bias of channels that come last")
    out = op.outputs["Output"][0]
    sum = OpDesc("elementwise_add", {"X": [], "Y": list(bias)}, {"Out": [out]})
    sum.attrs = {"axis": Attr(AttrType.INT, 1)}
    for names in _PARAMETERS.values():
        sum.attrs |= {n: op.attrs.pop(n) for n in names.values() if n in op.attrs}
    op.outputs["Output"] = sum.inputs["X"] = [w.variable(out, out)]
    w.ops.append(op)
    _activated(w, sum, "Out", name)


def elementwise(w: Writer, op: OpDesc) -> None:
    """An elementwise operator and its activation."""
    op.type = op.type.removeprefix("fusion_").removesuffix("_activation")
    name = str(op.attr("act_type", ""))
    op.attrs.pop("act_type", None)
    _activated(w, op, "Out", name)
