"""Operators of `onednn_op`: those of a program that Paddle rewrote for its CPU and saved
(``enable_save_optim_model``), which users find as ``_optimized.json``.

Most are what the operator of the same name is elsewhere. The fused ones are what they stand for:
an operator, a tensor that is added, an activation, a scale, another shape, in that order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from lite.errors import UnsupportedOperatorError
from lite.model.pir.document import Operation, Parameter, Region, TensorType
from lite.model.pir.table import declaration
from lite.model.pir.translate import SPECIAL, Translator, find_special, special
from lite.model.program import Attr, AttrType

_KINDS = ("mkldnn_data_type", "onednn_data_type")
_INSIDE = frozenset(
    "use_quantizer force_fp32_output scale_in scale_x scale_y scale_out scale_in_eltwise "
    "scale_weights is_test data_format".split()
)
"""Attributes that oneDNN's operators have besides, which say nothing where numbers are floats."""


def _plain(op: Operation, name: str, operands: int | None = None) -> Operation:
    """The same as an operator of `pd_op`, of the first ``operands``. Raises
    UnsupportedOperatorError where it computes with other numbers than floats."""
    attributes = op.attributes()
    kinds = {str(attributes.get(kind, "")) for kind in _KINDS} - {"", "float32"}
    if kinds:
        raise UnsupportedOperatorError(
            f"{op.where}: Paddle rewrote this operator for {' and '.join(sorted(kinds))}; load the "
            "program that it was made of"
        )
    declared = declaration(name)
    known = {a.name for a in declared.attributes} if declared is not None else set()
    dropped = {*_KINDS, *(_INSIDE - known)}
    kept = [item for item in op.raw_attributes if item["N"] not in dropped]
    return replace(
        op, dialect="pd_op", name=name, raw_attributes=kept, operands=op.operands[:operands]
    )


def use_plain_operators(region: Region) -> None:
    """Puts the operator of `pd_op` in the place of each that is the same there."""
    for i, op in enumerate(region.operations):
        if isinstance(op, Parameter):
            continue
        for inner in op.regions:
            use_plain_operators(inner)
        if op.dialect == "onednn_op" and op.full_name not in SPECIAL:
            plain = _plain(op, op.name)
            if declaration(op.name) is not None or find_special(plain) is not None:
                region.operations[i] = plain


def _float(value: float) -> Attr:
    return Attr(AttrType.FLOAT, float(value))


def _ints(value: list[int]) -> Attr:
    return Attr(AttrType.INTS, value)


_ACTIVATIONS: dict[str, Callable[[float, float], tuple[str, dict[str, Attr]]]] = {
    "abs": lambda a, b: ("abs", {}),
    "clip": lambda a, b: ("clip", {"min": _float(a), "max": _float(b)}),
    "gelu": lambda a, b: ("gelu", {"approximate": Attr(AttrType.BOOLEAN, False)}),
    "gelu_erf": lambda a, b: ("gelu", {"approximate": Attr(AttrType.BOOLEAN, False)}),
    "gelu_tanh": lambda a, b: ("gelu", {"approximate": Attr(AttrType.BOOLEAN, True)}),
    "hard_sigmoid": lambda a, b: ("hard_sigmoid", {"slope": _float(a), "offset": _float(b)}),
    "hard_swish": lambda a, b: (
        "hard_swish",
        {"threshold": _float(1 / a), "scale": _float(1 / a), "offset": _float(b / a)},
    ),
    "leaky_relu": lambda a, b: ("leaky_relu", {"alpha": _float(a)}),
    "mish": lambda a, b: ("mish", {"threshold": _float(20)}),
    "relu": lambda a, b: ("relu", {}),
    "relu6": lambda a, b: ("relu6", {"threshold": _float(6)}),
    "sigmoid": lambda a, b: ("sigmoid", {}),
    "sqrt": lambda a, b: ("sqrt", {}),
    "swish": lambda a, b: ("swish", {"beta": _float(a)}),
    "tanh": lambda a, b: ("tanh", {}),
}
"""By oneDNN's name, of its alpha and beta."""


class _Chain:
    """Operators that stand for one operation: each reads what the one before it wrote."""

    def __init__(self, t: Translator, op: Operation) -> None:
        self.t, self.op = t, op
        self.attrs = op.attributes()
        self.id, self.type = op.tensor()
        self.value = ""
        self.result: str | None = None

    def attr(self, name: str, default: Any) -> Any:
        """An attribute of the type that its default has."""
        found = self.attrs.get(name, default)
        if type(found) is not type(default):
            self.op.fail(f"attribute {name!r} is {found!r}, expected {type(default).__name__}")
        return found

    def ints(self, name: str) -> list[int]:
        """An attribute that is a list of integers."""
        found: list[int] = self.attr(name, [])
        if not all(type(item) is int for item in found):
            self.op.fail(f"attribute {name!r} is {found!r}, expected integers")
        return found

    def operand(self, index: int) -> str:
        """A variable; nothing where the operand is absent."""
        value = self.t.operand(self.op, index)
        return "" if value.absent else value.variable()

    def begin(self, name: str, operands: int) -> None:
        """Appends an operator of `pd_op` that has this one's attributes."""
        plain = _plain(self.op, name, operands)
        declared = declaration(name)
        assert declared is not None
        known = {attribute.name for attribute in declared.attributes}
        plain.raw_attributes = [item for item in plain.raw_attributes if item["N"] in known]
        made = self.t.standard(plain)
        ((slot, (self.result,)),) = made.outputs.items()
        self.value = self.t.fresh(self.type)
        made.outputs[slot] = [self.value]

    def add(self, type: str, inputs: dict[str, str], attrs: dict[str, Attr] | None = None) -> str:
        """Appends an operator; what it writes is the value of the chain."""
        self.value = self.t.fresh(TensorType(self.type.dtype, ()))
        slots = {slot: [name] for slot, name in inputs.items()}
        self.t.add(type, slots, {"Out": [self.value]}, attrs)
        return self.value

    def shaped(self, x: str, shape: list[int], order: list[int]) -> str:
        """``x`` in another shape, then with its axes in another order; either may be empty."""
        if shape:
            x = self.add("reshape2", {"X": x}, {"shape": _ints(shape)})
        if order:
            x = self.add("transpose2", {"X": x}, {"axis": _ints(order)})
        return x

    def plus(self, y: str, axis: int = -1) -> None:
        """Adds a tensor, where there is one."""
        if y:
            inputs = {"X": self.value, "Y": y}
            self.add("elementwise_add", inputs, {"axis": Attr(AttrType.INT, axis)})

    def end(self) -> None:
        """The activation, the scale and the axes that the operator may end with."""
        if kind := self.attr("fuse_activation", ""):
            if kind not in _ACTIVATIONS:
                raise UnsupportedOperatorError(f"the activation {kind!r} is not known")
            alpha, beta = self.attr("fuse_alpha", 0.0), self.attr("fuse_beta", 0.0)
            if kind == "hard_swish" and not alpha > 0:
                self.op.fail(f"attribute 'fuse_alpha' is {alpha!r}, expected a positive number")
            type, attrs = _ACTIVATIONS[kind](alpha, beta)
            self.add(type, {"X": self.value}, attrs)
        scale = self.attr("fused_output_scale", 1.0)
        if scale != 1.0:
            self.add("scale", {"X": self.value}, {"scale": _float(scale)})
        if axes := self.ints("fused_unsqueeze2_axes"):
            self.add("unsqueeze2", {"X": self.value}, {"axes": _ints(axes)})
        self.shaped(self.value, self.ints("fused_reshape2_shape"), [])
        last = self.t.block.ops[-1]
        result = self.result or self.t.define(self.id, self.type).variable()
        last.outputs = {slot: [result] for slot in last.outputs}


@special("onednn_op.fused_conv2d", "onednn_op.fused_conv3d")
def fused_conv(t: Translator, op: Operation) -> None:
    """Input, filter, bias, residual."""
    chain = _Chain(t, op)
    chain.begin(op.name.removeprefix("fused_"), 2)
    chain.plus(chain.operand(2), axis=1)
    chain.plus(chain.operand(3))
    chain.end()


@special("onednn_op.conv2d_transpose_bias")
def conv2d_transpose_bias(t: Translator, op: Operation) -> None:
    """Input, filter, bias, output size."""
    chain = _Chain(t, op)
    bias = chain.operand(2)
    chain.op = replace(op, operands=[*op.operands[:2], *op.operands[3:]])
    chain.begin("conv2d_transpose", 3)
    chain.plus(bias, axis=1)
    chain.end()


@special("onednn_op.fc")
def fc(t: Translator, op: Operation) -> None:
    """Input, weight, bias, residual."""
    chain = _Chain(t, op)
    chain.begin("fc", 3)
    chain.plus(chain.operand(3))
    chain.end()


@special(*(f"onednn_op.fused_elementwise_{name}" for name in ("add", "sub", "mul", "div")))
def fused_elementwise(t: Translator, op: Operation) -> None:
    """Two tensors, and one that is added."""
    chain = _Chain(t, op)
    axis = Attr(AttrType.INT, chain.attr("axis", -1))
    inputs = {"X": chain.operand(0), "Y": chain.operand(1)}
    chain.add(op.name.removeprefix("fused_"), inputs, {"axis": axis})
    chain.plus(chain.operand(2))
    chain.end()


@special("onednn_op.fused_matmul")
def fused_matmul(t: Translator, op: Operation) -> None:
    """x and y, each in another shape and then with other axes; the product has its axes in another
    order, then another shape, before a tensor is added."""
    chain = _Chain(t, op)
    _plain(op, "matmul")
    x, y = (
        chain.shaped(
            chain.operand(i), chain.ints(f"fused_reshape_{k}"), chain.ints(f"fused_transpose_{k}")
        )
        for i, k in enumerate("xy")
    )
    flags = {n: Attr(AttrType.BOOLEAN, chain.attr(n, False)) for n in ("trans_x", "trans_y")}
    chain.add("matmul_v2", {"X": x, "Y": y}, flags)
    alpha = chain.attr("matmul_alpha", 1.0)
    if alpha != 1.0:
        chain.add("scale", {"X": chain.value}, {"scale": _float(alpha)})
    chain.shaped(chain.value, [], chain.ints("fused_transpose_out"))
    chain.shaped(chain.value, chain.ints("fused_reshape_out"), [])
    chain.plus(chain.operand(2))
    chain.end()


@special("onednn_op.fused_transpose")
def fused_transpose(t: Translator, op: Operation) -> None:
    """Axes of one that go before, axes in another order, and what may follow."""
    chain = _Chain(t, op)
    _plain(op, "transpose")
    whole = chain.attr("scale", 1.0), chain.attr("shift", 0.0), chain.attr("output_data_type", "")
    if whole[:2] != (1.0, 0.0) or whole[2] not in ("", "fp32"):
        raise UnsupportedOperatorError("it rounds its result to bytes: load the program before it")
    x = chain.operand(0)
    if axes := chain.ints("fused_squeeze2_axes"):
        x = chain.add("squeeze2", {"X": x}, {"axes": _ints(axes)})
    chain.add("transpose2", {"X": x}, {"axis": _ints(chain.ints("axis"))})
    chain.end()


@special("onednn_op.fused_softplus")
def fused_softplus(t: Translator, op: Operation) -> None:
    """softplus and an activation."""
    chain = _Chain(t, op)
    chain.begin("softplus", 1)
    chain.end()
