"""Functions of one element: activations, and those of mathematics."""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt
from typing import Any

import numpy as np

from lite.model.onnx.operator import CannotExport, Op, operator
from lite.model.onnx.reader import table

_ROWS = table.inverses()
_SAME_NAME = {
    type: row.name for type, row in _ROWS.items() if set(row.attributes) <= {"consumed_inputs"}
} | {"relu": "Relu", "isinf_v2": "IsInf"}
"""What ONNX has under its own name: as the reader's table says it."""

_FLOAT_ONLY = frozenset(
    {"Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cosh", "Erf", "Sinh", "Tan"}
)
"""What the usual runtimes have for float32 alone."""


def unary(op: Op, type: str, x: str, **attributes: Any) -> str:
    """A node of one input, computed in float32 where runtimes have no other."""
    dtype = op.dtype("X")
    if dtype.kind in "iu" and type not in ("Abs", "Sign", "Relu"):
        x = op.cast(x, np.float32)
    if type == "Not" and dtype != np.bool_:
        x = op.cast(x, np.bool_)
    if dtype == np.float64 and type in _FLOAT_ONLY:
        made = op.node(type, [op.cast(x, np.float32)], **attributes)
        return op.cast(made, dtype)
    return str(op.node(type, [x], **attributes))


@operator(*_SAME_NAME)
def same_name(op: Op) -> Any:
    """What ONNX has under its own name."""
    return unary(op, _SAME_NAME[op.type], op["X"])


def clip(op: Op, x: str, low: float, high: float, dtype: Any = np.float32) -> str:
    """Between two numbers."""
    bounds = [op.const(np.asarray(bound).astype(dtype)) for bound in (low, high)]
    return str(op.node("Clip", [x, *bounds]))


def scaled(op: Op, x: str, factor: float, dtype: Any = np.float32) -> str:
    """Times a number."""
    if factor == 1:
        return x
    return str(op.node("Mul", [x, op.const(np.asarray(factor).astype(dtype))]))


def shifted(op: Op, x: str, number: float, dtype: Any = np.float32) -> str:
    """Plus a number."""
    if number == 0:
        return x
    return str(op.node("Add", [x, op.const(np.asarray(number).astype(dtype))]))


def swish(op: Op, x: str, beta: float, dtype: Any) -> str:
    """x sigmoid(beta x)."""
    return str(op.node("Mul", [x, op.node("Sigmoid", [scaled(op, x, beta, dtype)])]))


def gelu(op: Op, x: str, approximate: bool, dtype: Any) -> str:
    """x times the normal distribution up to x, or its approximation by tanh."""
    if approximate:
        cube = op.node("Mul", [op.node("Mul", [x, x]), x])
        inner = op.node("Add", [x, scaled(op, cube, 0.044715, dtype)])
        curve = op.node("Tanh", [scaled(op, inner, sqrt(2 / np.pi), dtype)])
    else:
        inner = scaled(op, x, 1 / sqrt(2), dtype)
        if dtype == np.float64:
            curve = op.cast(op.node("Erf", [op.cast(inner, np.float32)]), dtype)
        else:
            curve = op.node("Erf", [inner])
    return str(op.node("Mul", [scaled(op, x, 0.5, dtype), shifted(op, curve, 1, dtype)]))


def hard_sigmoid(op: Op, x: str, slope: float, offset: float, dtype: Any) -> str:
    """A line between 0 and 1."""
    return clip(op, shifted(op, scaled(op, x, slope, dtype), offset, dtype), 0, 1, dtype)


def hard_swish(op: Op, x: str, threshold: float, scale: float, offset: float, dtype: Any) -> str:
    """x times a clipped line."""
    line = clip(op, shifted(op, x, offset, dtype), 0, threshold, dtype)
    return scaled(op, str(op.node("Mul", [x, line])), 1 / scale, dtype)


def named(op: Op, x: str, name: str, alpha: float, parameters: dict[str, float]) -> str:
    """The activation that an optimised operator applies to its own result.

    ``parameters`` are relu6's threshold, hard_swish's three, hard_sigmoid's two and swish's beta.
    """
    number = parameters.get
    dtype = np.float32
    table: dict[str, Callable[[], str]] = {
        "": lambda: x,
        "relu": lambda: str(op.node("Relu", [x])),
        "relu6": lambda: clip(op, x, 0, number("threshold", 6.0)),
        "leaky_relu": lambda: str(op.node("LeakyRelu", [x], alpha=float(alpha))),
        "sigmoid": lambda: str(op.node("Sigmoid", [x])),
        "tanh": lambda: str(op.node("Tanh", [x])),
        "swish": lambda: swish(op, x, number("beta", 1.0), dtype),
        "hard_swish": lambda: hard_swish(
            op, x, number("top", 6.0), number("scale", 6.0), number("shift", 3.0), dtype
        ),
        "hard_sigmoid": lambda: hard_sigmoid(
            op, x, number("slope", 0.2), number("offset", 0.5), dtype
        ),
        "gelu": lambda: gelu(op, x, False, dtype),
        "abs": lambda: str(op.node("Abs", [x])),
        "exp": lambda: str(op.node("Exp", [x])),
    }
    key = "swish" if name == "silu" else name.removeprefix("fuse_").removesuffix("_act")
    if key not in table:
        raise CannotExport(f"activation {name}")
    return table[key]()


@operator("relu6")
def relu6(op: Op) -> Any:
    """Between 0 and a threshold."""
    return clip(op, op["X"], 0, op.number("threshold"), op.dtype("X"))


@operator("brelu")
def brelu(op: Op) -> Any:
    """Between two thresholds."""
    return clip(op, op["X"], op.number("t_min"), op.number("t_max"), op.dtype("X"))


@operator("clip")
def clip_operator(op: Op) -> Any:
    """Between two numbers, or tensors of one; the lower one counts where they cross."""
    x, dtype = op["X"], op.dtype("X")
    for slot, name, kind in (("Max", "max", "Min"), ("Min", "min", "Max")):
        if op.has(slot):
            bound = op.cast(op.reshape(op[slot], []), dtype)
        else:
            limits = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
            number = min(max(op.number(name), float(limits.min)), float(limits.max))
            if dtype.kind != "f" and number >= float(limits.max):
                continue
            bound = op.const(np.asarray(number).astype(dtype))
        x = op.node(kind, [x, bound])
    return x if x != op["X"] else op.node("Identity", [x])


@operator("leaky_relu", "elu", "celu", "thresholded_relu")
def with_alpha(op: Op) -> Any:
    """What has one parameter in ONNX too."""
    alpha = op.number("threshold" if op.type == "thresholded_relu" else "alpha")
    x, dtype = op["X"], op.dtype("X")
    if dtype != np.float64:
        return op.node(_ROWS[op.type].name, [x], alpha=alpha)
    return op.cast(op.node(_ROWS[op.type].name, [op.cast(x, np.float32)], alpha=alpha), dtype)


@operator("selu")
def selu(op: Op) -> Any:
    """Scaled elu."""
    x, dtype = op["X"], op.dtype("X")
    attributes: dict[str, Any] = {"alpha": op.number("alpha"), "gamma": op.number("scale")}
    if dtype != np.float64:
        return op.node("Selu", [x], **attributes)
    return op.cast(op.node("Selu", [op.cast(x, np.float32)], **attributes), dtype)


@operator("prelu")
def prelu(op: Op) -> Any:
    """A slope for all, for each channel or for each element."""
    x, slope, rank = op["X"], op["Alpha"], op.rank("X")
    mode = op.attr("mode")
    if mode == "all":
        slope = op.reshape(slope, [1] * rank)
    elif mode == "channel" and op.attr("data_format") == "NCHW":
        slope = op.reshape(slope, [-1] + [1] * (rank - 2))
    elif mode == "channel":
        slope = op.flat(slope)
    else:
        slope = op.reshape(slope, [1, *op.static("Alpha")[-(rank - 1) :]])
    return op.node("PRelu", [x, slope])


@operator("hard_sigmoid")
def hard_sigmoid_operator(op: Op) -> Any:
    """ONNX's own is the same, but for float32 alone in some runtimes."""
    x, dtype = op["X"], op.dtype("X")
    return hard_sigmoid(op, x, op.number("slope"), op.number("offset"), dtype)


@operator("hard_swish")
def hard_swish_operator(op: Op) -> Any:
    """ONNX's HardSwish knows one set of parameters only."""
    numbers = [op.number(name) for name in ("threshold", "scale", "offset")]
    if numbers == [6, 6, 3] and op.dtype("X") == np.float32 and op.opset >= 14:
        return op.node("HardSwish", [op["X"]])
    return hard_swish(op, op["X"], numbers[0], numbers[1], numbers[2], op.dtype("X"))


@operator("swish", "silu")
def swish_operator(op: Op) -> Any:
    """x sigmoid(beta x)."""
    return swish(op, op["X"], op.number("beta", 1.0) if op.type == "swish" else 1.0, op.dtype("X"))


@operator("gelu")
def gelu_operator(op: Op) -> Any:
    """Exact, or by tanh."""
    return gelu(op, op["X"], op.flag("approximate"), op.dtype("X"))


def softplus(op: Op, x: str, beta: float, threshold: float, dtype: Any) -> str:
    """log(1 + exp(beta x)) / beta, and x itself above a threshold."""
    wide = scaled(op, x, beta, dtype)
    if dtype == np.float64:
        curve = op.cast(op.node("Softplus", [op.cast(wide, np.float32)]), dtype)
    else:
        curve = op.node("Softplus", [wide])
    above = op.node("Greater", [wide, op.const(np.asarray(threshold).astype(dtype))])
    return str(op.node("Where", [above, x, scaled(op, curve, 1 / beta, dtype)]))


@operator("softplus")
def softplus_operator(op: Op) -> Any:
    """With beta and threshold."""
    return softplus(op, op["X"], op.number("beta"), op.number("threshold"), op.dtype("X"))


@operator("mish")
def mish(op: Op) -> Any:
    """x tanh(softplus(x))."""
    x, dtype = op["X"], op.dtype("X")
    curve = softplus(op, x, 1.0, op.number("threshold"), dtype)
    return op.node("Mul", [x, op.node("Tanh", [curve])])


@operator("softshrink", "hard_shrink")
def shrink(op: Op) -> Any:
    """Zero around zero; softshrink also moves the rest there."""
    soft = op.type == "softshrink"
    limit = op.number("lambda" if soft else "threshold")
    return op.node("Shrink", [op["X"]], lambd=limit, bias=limit if soft else 0.0)


@operator("tanh_shrink")
def tanh_shrink(op: Op) -> Any:
    """x - tanh(x)."""
    return op.node("Sub", [op["X"], op.node("Tanh", [op["X"]])])


@operator("logsigmoid")
def log_sigmoid(op: Op) -> Any:
    """-softplus(-x)."""
    return op.node("Neg", [op.node("Softplus", [op.node("Neg", [op["X"]])])])


@operator("square")
def square(op: Op) -> Any:
    """x x."""
    return op.node("Mul", [op["X"], op["X"]])


@operator("rsqrt")
def rsqrt(op: Op) -> Any:
    """1 / sqrt(x)."""
    return op.node("Reciprocal", [op.node("Sqrt", [op["X"]])])


def _floating(op: Op) -> tuple[str, np.dtype[Any]]:
    """The input and its type; integers become float32."""
    x, dtype = op["X"], op.dtype("X")
    if dtype.kind in "iu":
        return op.cast(x, np.float32), np.dtype(np.float32)
    return x, dtype


@operator("log2", "log10")
def log_of_base(op: Op) -> Any:
    """The natural logarithm over that of the base."""
    base = 2 if op.type == "log2" else 10
    x, dtype = _floating(op)
    return scaled(op, op.node("Log", [x]), 1 / log(base), dtype)


@operator("log1p")
def log1p(op: Op) -> Any:
    """log(1 + x)."""
    x, dtype = _floating(op)
    return op.node("Log", [shifted(op, x, 1, dtype)])


@operator("expm1")
def expm1(op: Op) -> Any:
    """exp(x) - 1."""
    x, dtype = _floating(op)
    return shifted(op, op.node("Exp", [x]), -1, dtype)


def round_away(op: Op, x: str, dtype: Any) -> str:
    """Halves go away from zero; ONNX's Round takes them to the even number."""
    size = op.node("Floor", [shifted(op, op.node("Abs", [x]), 0.5, dtype)])
    return str(op.node("Mul", [op.node("Sign", [x]), size]))


@operator("round")
def round_operator(op: Op) -> Any:
    """Halves away from zero."""
    return round_away(op, op["X"], op.dtype("X"))


@operator("trunc")
def trunc(op: Op) -> Any:
    """Towards zero, where integers are already."""
    x = op["X"]
    if op.dtype("X").kind in "iu":
        return op.node("Identity", [x])
    return op.node("Mul", [op.node("Sign", [x]), op.node("Floor", [op.node("Abs", [x])])])


@operator("isfinite_v2")
def is_finite(op: Op) -> Any:
    """Neither NaN nor infinite: such a number less itself is zero."""
    x = op["X"]
    return op.node("Equal", [op.node("Sub", [x, x]), op.like("X", 0)])


@operator("pow")
def power(op: Op) -> Any:
    """To the power of a number or a tensor of one."""
    if op.has("FactorTensor"):
        return op.node("Pow", [op["X"], op.cast(op.reshape(op["FactorTensor"], []), op.dtype("X"))])
    return op.node("Pow", [op["X"], op.like("X", op.number("factor"))])


@operator("stanh")
def stanh(op: Op) -> Any:
    """b tanh(a x)."""
    x, dtype = _floating(op)
    curve = op.node("Tanh", [scaled(op, x, op.number("scale_a"), dtype)])
    return scaled(op, curve, op.number("scale_b"), dtype)


@operator("logit")
def logit(op: Op) -> Any:
    """log(x / (1 - x)), x held away from the ends; outside of 0 and 1 there is none without."""
    x, dtype, eps = op["X"], op.dtype("X"), op.number("eps")
    if eps >= 0.5:
        raise CannotExport(f"eps {eps}")
    held = clip(op, x, eps, 1 - eps, dtype) if eps > 0 else x
    made = op.node("Log", [op.node("Div", [held, op.node("Sub", [op.like("X", 1), held])])])
    return made


@operator("rint")
def rint(op: Op) -> Any:
    """Halves to the even number."""
    x, integer = op["x"], op.dtype("x").kind in "iu"
    return {"out": op.node("Identity" if integer else "Round", [x])}


@operator("maxout")
def maxout(op: Op) -> Any:
    """The largest of neighbouring channels."""
    rank, groups = op.rank("X"), int(op.attr("groups"))
    axis = op.axis(int(op.attr("axis")), rank)
    channels = op.shape("X")[axis]
    if channels is None:
        raise CannotExport("the number of channels is free")
    parts = [op.shape_of(op["X"], 0, axis), op.ints([channels // groups, groups])]
    if axis + 1 < rank:
        parts.append(op.shape_of(op["X"], axis + 1))
    wide = op.node("Reshape", [op["X"], op.concat(parts if axis else parts[1:])])
    return op.reduce("Max", wide, [axis + 1], keep=False)
