"""What Paddle fused for its CPU (oneDNN), as the operators that it was made of.

Programs that Paddle saved after its passes (``enable_save_optim_model``: `_optimized.pdmodel`,
`_optimized.json`) have operators that begin and end with others: another shape, a tensor that is
added, an activation, a scale. Those stand around it here, and this project's passes fuse them again
in their own way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lite.errors import UnsupportedOperatorError
from lite.model.batch_statistics import normalise_by_batch, uses_batch_statistics
from lite.model.fused_layers import LAYERS
from lite.model.parts import Parts
from lite.model.program import Attr, AttrType, OpDesc, Program

_BASES = {
    "fused_conv2d": "conv2d",
    "fused_conv3d": "conv3d",
    "fused_elementwise_add": "elementwise_add",
    "fused_elementwise_sub": "elementwise_sub",
    "fused_elementwise_mul": "elementwise_mul",
    "fused_elementwise_div": "elementwise_div",
    "fused_matmul": "matmul_v2",
    "fused_softplus": "softplus",
    "fused_transpose": "transpose2",
}
"""The operator that a fused one begins with."""

_FLOATS: dict[str, tuple[Any, ...]] = {"mkldnn_data_type": ("", "float32")}
_FLOATS_OF_TRANSPOSE = {
    **_FLOATS,
    "output_data_type": ("", "fp32"),
    "scale": (1.0,),
    "shift": (0.0,),
}
"""Attributes that say that numbers are floats, and stay so."""

_ACTIVATIONS: dict[str, Callable[[float, float], tuple[str, dict[str, float]]]] = {
    "abs": lambda a, b: ("abs", {}),
    "clip": lambda a, b: ("clip", {"min": a, "max": b}),
    "gelu": lambda a, b: ("gelu", {"approximate": False}),
    "gelu_erf": lambda a, b: ("gelu", {"approximate": False}),
    "gelu_tanh": lambda a, b: ("gelu", {"approximate": True}),
    "hard_sigmoid": lambda a, b: (
        "hard_sigmoid",
        {"slope": a, "offset": b},
    ),
    "hard_swish": lambda a, b: (
        "hard_swish",
        {"threshold": 1 / a, "scale": 1 / a, "offset": b / a},
    ),
    "leaky_relu": lambda a, b: ("leaky_relu", {"alpha": a}),
    "mish": lambda a, b: ("mish", {"threshold": 20}),
    "relu": lambda a, b: ("relu", {}),
    "relu6": lambda a, b: ("relu6", {"threshold": 6}),
    "sigmoid": lambda a, b: ("sigmoid", {}),
    "sqrt": lambda a, b: ("sqrt", {}),
    "swish": lambda a, b: ("swish", {"beta": a}),
    "tanh": lambda a, b: ("tanh", {}),
}
"""By oneDNN's name, of its alpha and beta."""


class _Fused(Parts):
    """An operator that oneDNN begins and ends with others."""

    def shaped(self, x: str, slot: str) -> str:
        """An operand of a product: in another shape, then with its axes in another order."""
        shape, order = (self.take(f"fused_{kind}_{slot}", []) for kind in ("reshape", "transpose"))
        if shape:
            x = self.add("reshape2", {"X": x}, shape=shape)
        if order:
            x = self.add("transpose2", {"X": x}, axis=order)
        return x

    def first(self, type: str) -> str:
        """The operator that the fused one begins with, and what is its alone."""
        inputs = {slot: names[0] for slot, names in self.op.inputs.items() if names}
        residual = inputs.pop("ResidualData", "")
        bias = inputs.pop("Bias", "") if type in ("conv2d", "conv3d") else ""
        for slot in ("X", "Y"):
            if slot in inputs:
                inputs[slot] = self.shaped(inputs[slot], slot)
        if (axes := self.take("fused_squeeze2_axes", [])) and "X" in inputs:
            inputs["X"] = self.add("squeeze2", {"X": inputs["X"]}, axes=axes)
        alpha = self.take("matmul_alpha", 1.0)
        order, shape = (self.take(f"fused_{kind}_Out", []) for kind in ("transpose", "reshape"))
        made = self.add(type, inputs, self.slot, **self.attrs)
        others = {slot: names for slot, names in self.op.outputs.items() if slot != self.slot}
        self.ops[-1].outputs.update(others)
        if bias:
            known = self.block.vars.get(bias)  # Paddle 3 gives it the rank of the result
            axis = -1 if known is not None and len(known.shape) > 1 else 1
            made = self.add("elementwise_add", {"X": made, "Y": bias}, axis=axis)
        if alpha != 1.0:
            made = self.add("scale", {"X": made}, scale=alpha)
        if order:
            made = self.add("transpose2", {"X": made}, axis=order)
        if shape:
            made = self.add("reshape2", {"X": made}, shape=shape)
        if residual:
            pair = {"X": made, "Y": residual}
            made = self.add("elementwise_add", pair, axis=-1)
        return made

    def replace(self) -> list[OpDesc]:
        """All of them."""
        endings = {name: self.take(name, default) for name, default in _ENDINGS.items()}
        if endings["fuse_relu"] or endings["fuse_with_relu"]:
            endings["fuse_activation"] = "relu"
        if endings["fuse_brelu"]:
            endings["fuse_activation"] = "clip"
            bound = self.take("fuse_brelu_threshold", 6.0)
            self.attrs["fuse_beta"] = Attr(AttrType.FLOAT, bound)
        transposes = self.op.type == "fused_transpose"
        for name, known in (_FLOATS_OF_TRANSPOSE if transposes else _FLOATS).items():
            value = self.take(name, known[0])
            if value not in known:
                raise UnsupportedOperatorError(
                    f"{self.op.type}: its {name} is {value!r}, of a program that Paddle rewrote "
                    "for other numbers than float32; load the program that it was made of"
                )
        made = self.first(_BASES.get(self.op.type, self.op.type))
        if kind := endings["fuse_activation"]:
            made = self.activation(made, kind)
        if endings["fused_output_scale"] != 1.0:
            made = self.add("scale", {"X": made}, scale=endings["fused_output_scale"])
        if axes := endings["fused_unsqueeze2_axes"]:
            made = self.add("unsqueeze2", {"X": made}, axes=axes)
        if shape := endings["fused_reshape2_shape"]:
            made = self.add("reshape2", {"X": made}, shape=shape)
        return self.end(made)

    def activation(self, x: str, kind: str) -> str:
        """One that oneDNN names."""
        alpha, beta = self.take("fuse_alpha", 0.0), self.take("fuse_beta", 0.0)
        if kind not in _ACTIVATIONS or (kind == "hard_swish" and not alpha > 0):
            raise UnsupportedOperatorError(
                f"{self.op.type}: its activation is {kind!r} of {alpha} and {beta}, which is not "
                "known; load the program that it was made of"
            )
        type, attrs = _ACTIVATIONS[kind](alpha, beta)
        return self.add(type, {"X": x}, "Out", **attrs)


_ENDINGS: dict[str, Any] = {
    "fuse_activation": "",
    "fuse_relu": False,
    "fuse_with_relu": False,
    "fuse_brelu": False,
    "fused_output_scale": 1.0,
    "fused_unsqueeze2_axes": [],
    "fused_reshape2_shape": [],
}
"""Attributes of what an operator ends with, and their values where it ends with nothing."""


def _is_fused(op: OpDesc) -> bool:
    if op.attr("with_act"):  # Paddle Lite's words, which kernels here understand
        return False
    if op.type in _BASES or op.input("ResidualData"):
        return True
    endings = (op.attr(name, nothing) != nothing for name, nothing in _ENDINGS.items())
    return any(endings) or bool(op.attr("fused_reshape_X"))


def take_apart(program: Program) -> None:
    """Puts plain operators in the place of each that Paddle's passes for oneDNN made, and of
    batch norms by the batch's own statistics.

    Raises UnsupportedOperatorError where one is not of floats, or ends with what is not known,
    ModelFormatError where one is not what Paddle writes.
    """
    number = 0
    for block in program.blocks:
        ops: list[OpDesc] = []
        for op in block.ops:
            number += 1
            if op.type in LAYERS:
                ops += LAYERS[op.type](Parts(block, op, number))
            elif _is_fused(op):
                ops += _Fused(block, op, number).replace()
            elif uses_batch_statistics(op):
                ops += normalise_by_batch(Parts(block, op, number))
            else:
                ops.append(op)
        block.ops = ops
