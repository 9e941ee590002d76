"""Two operands that broadcast, sums of several, and scale."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.operator import CannotExport, Op, operator
from lite.model.onnx.operators.activations import named

_BINARY = {
    "add": "Add",
    "sub": "Sub",
    "mul": "Mul",
    "div": "Div",
    "max": "Max",
    "min": "Min",
    "pow": "Pow",
    "mod": "Mod",
    "floordiv": "Div",
    "fmax": "Max",
    "fmin": "Min",
}

_COMPARE = {
    "equal": ("Equal", False),
    "not_equal": ("Equal", True),
    "less_than": ("Less", False),
    "less_equal": ("LessOrEqual", False),
    "greater_than": ("Greater", False),
    "greater_equal": ("GreaterOrEqual", False),
}

_LOGICAL = {"logical_and": "And", "logical_or": "Or", "logical_xor": "Xor"}


def operands(op: Op) -> tuple[str, str]:
    """Both operands so that ONNX's broadcasting does what the ``axis`` attribute says."""
    x, y = op["X"], op["Y"]
    axis = int(op.attr("axis", -1))
    if op.dtype("X") != op.dtype("Y"):
        y = op.cast(y, op.dtype("X"))
    if axis == -1:
        return x, y
    ranks = op.rank("X"), op.rank("Y")
    if ranks[0] == ranks[1]:
        return x, y
    if ranks[0] < ranks[1]:
        return _aligned(op, x, "X", axis, ranks[1]), y
    return x, _aligned(op, y, "Y", axis, ranks[0])


def _aligned(op: Op, name: str, slot: str, axis: int, rank: int) -> str:
    own = list(op.shape(slot))
    if not 0 <= axis <= rank:
        raise CannotExport(f"axis {axis} of {rank} dimensions")
    while own and axis + len(own) > rank and own[-1] == 1:
        own.pop()
    if len(own) < op.rank(slot):
        name = op.squeeze(name, range(len(own), op.rank(slot)))
    if axis + len(own) > rank:
        raise CannotExport(f"axis {axis} for {len(own)} of {rank} dimensions")
    return op.unsqueeze(name, range(len(own), rank - axis))


def _other_sign(op: Op, rest: str, y: str, dtype: np.dtype[Any]) -> str:
    """Where a remainder has not the divisor's sign."""
    zero = op.const(np.zeros((), dtype))
    signs = op.node("Xor", [op.node("Less", [rest, zero]), op.node("Less", [y, zero])])
    inexact = op.node("Not", [op.node("Equal", [rest, zero])])
    return str(op.node("And", [signs, inexact]))


def _floor_divide(op: Op, x: str, y: str, dtype: np.dtype[Any]) -> str:
    """The quotient rounded down; ONNX's integer division rounds towards zero.

    Of floats without the exact remainder, so that a quotient is not rounded up to an integer.
    """
    quotient = str(op.node("Div", [x, y]))
    if dtype.kind != "f":
        rest = str(op.node("Sub", [x, op.node("Mul", [quotient, y])]))
        return str(op.node("Sub", [quotient, op.cast(_other_sign(op, rest, y, dtype), dtype)]))
    rest = str(op.node("Mod", [x, y], fmod=1))
    whole = op.node("Div", [op.node("Sub", [x, rest]), y])
    down = op.node("Sub", [whole, op.cast(_other_sign(op, rest, y, dtype), dtype)])
    none = op.node("Equal", [y, op.const(np.zeros((), dtype))])
    return str(op.node("Where", [none, quotient, op.node("Round", [down])]))


def binary(op: Op, kind: str) -> str:
    """An arithmetic operator of two operands."""
    x, y = operands(op)
    dtype = op.dtype("X")
    if dtype == np.bool_ and kind == "mul":
        return str(op.node("And", [x, y]))
    if kind == "floordiv":
        return _floor_divide(op, x, y, dtype)
    if kind == "mod" and dtype.kind == "f":
        rest = str(op.node("Mod", [x, y], fmod=1))
        moved = op.node("Add", [rest, y])
        return str(op.node("Where", [_other_sign(op, rest, y, dtype), moved, rest]))
    if kind in ("max", "min") and dtype.kind in "iu" and dtype.itemsize < 4:
        wide = op.node(_BINARY[kind], [op.cast(x, np.int32), op.cast(y, np.int32)])
        return op.cast(wide, dtype)
    if kind in ("fmax", "fmin") and dtype.kind == "f":  # the other one where one is no number
        lost = [op.node("IsNaN", [part]) for part in (x, y)]
        x, y = op.node("Where", [lost[0], y, x]), op.node("Where", [lost[1], x, y])
    return str(op.node(_BINARY[kind], [x, y]))


@operator(*(f"elementwise_{kind}" for kind in _BINARY))
def elementwise(op: Op) -> Any:
    """With the old ``axis`` attribute."""
    return binary(op, op.type.removeprefix("elementwise_"))


@operator(
    *(
        f"fusion_elementwise_{kind}_activation"
        for kind in ("add", "sub", "mul", "div", "max", "min", "pow", "floordiv")
    )
)
def fused_elementwise(op: Op) -> Any:
    """An optimised program's: an activation follows."""
    kind = op.type.removeprefix("fusion_elementwise_").removesuffix("_activation")
    return named(op, binary(op, kind), str(op.attr("act_type", "")), op.number("alpha"), {})


@operator(*_COMPARE)
def compare(op: Op) -> Any:
    """Truth values."""
    type, negated = _COMPARE[op.type]
    x, y = operands(op)
    dtype = op.dtype("X")
    small = dtype.kind in "iu" and dtype.itemsize < 4
    if small or (dtype == np.bool_ and type != "Equal"):
        x, y = op.cast(x, np.int32), op.cast(y, np.int32)
    made = op.node(type, [x, y])
    return op.node("Not", [made]) if negated else made


@operator(*_LOGICAL)
def logical(op: Op) -> Any:
    """Anything but zero is true."""
    x, y = op["X"], op["Y"]
    if op.dtype("X") != np.bool_:
        x = op.cast(x, np.bool_)
    if op.dtype("Y") != np.bool_:
        y = op.cast(y, np.bool_)
    return op.node(_LOGICAL[op.type], [x, y])


@operator("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not")
def bitwise(op: Op) -> Any:
    """Truth values have their own; integers came with operator set 18."""
    kind = op.type.removeprefix("bitwise_").capitalize()
    inputs = [op["X"]] if kind == "Not" else list(operands(op))
    if op.dtype("X") == np.bool_:
        return op.node(kind, inputs)
    op.need_opset(18)
    return op.node(f"Bitwise{kind}", inputs)


@operator("sum")
def sum_of_several(op: Op) -> Any:
    """Of tensors of one shape."""
    names = op.names("X")
    if op.dtype("X").kind == "f":
        return op.node("Sum", names)
    total = names[0]
    for name in names[1:]:
        total = op.node("Add", [total, name])
    return total if len(names) > 1 else op.node("Identity", names)


@operator("scale")
def scale(op: Op) -> Any:
    """a x + b, or a (x + b); an integer stays one, for a and b lose their fractions."""
    x, dtype = op["X"], op.dtype("X")
    if dtype == np.bool_:
        raise CannotExport("truth values")
    bias = op.number("bias")
    if op.has("ScaleTensor"):
        factor = op.cast(op.reshape(op["ScaleTensor"], []), dtype)
    else:
        factor = op.like("X", op.number("scale"))
    shift = op.like("X", bias)
    if op.flag("bias_after_scale", True):
        x = op.node("Mul", [x, factor])
        x = op.node("Add", [x, shift]) if bias else x
    else:
        x = op.node("Add", [x, shift]) if bias else x
        x = op.node("Mul", [x, factor])
    kind = str(op.attr("activation_type", ""))
    return named(op, x, kind, op.number("alpha"), {"threshold": op.number("alpha")})


@operator("increment")
def increment(op: Op) -> Any:
    """Plus a step."""
    return op.node("Add", [op["X"], op.like("X", op.number("step"))])


def _as_it_says(op: Op, name: str, dims: list[int]) -> str:
    """Another shape, where 0 is a dimension of nothing."""
    if 0 not in dims:
        return op.reshape(name, dims)
    op.need_opset(14)
    return str(op.node("Reshape", [name, op.ints(dims)], allowzero=1))


@operator("kron")
def kron(op: Op) -> Any:
    """Every element of X times the whole of Y."""
    x, y = op.static("X"), op.static("Y")
    rank = max(len(x), len(y))
    x, y = [1] * (rank - len(x)) + x, [1] * (rank - len(y)) + y
    left = _as_it_says(op, op["X"], [n for dim in x for n in (dim, 1)])
    right = _as_it_says(op, op["Y"], [n for dim in y for n in (1, dim)])
    product = op.node("Mul", [left, right])
    return _as_it_says(op, product, [a * b for a, b in zip(x, y, strict=True)])


@operator("lerp")
def lerp(op: Op) -> Any:
    """x + weight (y - x)."""
    way = op.node("Mul", [op["Weight"], op.node("Sub", [op["Y"], op["X"]])])
    return op.node("Add", [op["X"], way])


@operator("broadcast_tensors")
def broadcast_tensors(op: Op) -> Any:
    """All in the shape that fits them all."""
    names = op.names("X")
    numbers = [op.cast(name, np.float32) for name in names]
    whole = op.node("Sum", [op.node("Mul", [n, op.const(np.float32(0))]) for n in numbers])
    shape = op.shape_of(whole)
    return [op.node("Expand", [name, shape]) for name in names]


@operator("swiglu")
def swiglu(op: Op) -> Any:
    """swish(x) y, or of the two halves of x."""
    x = op["x"]
    if op.has("y"):
        y = op["y"]
    else:
        last = op.shape("x")[-1]
        if last is None:
            raise CannotExport("halves of a free dimension")
        x, y = op.split(x, [last // 2] * 2, op.rank("x") - 1)
    return {"out": op.node("Mul", [op.node("Mul", [x, op.node("Sigmoid", [x])]), y])}


@operator("equal_all")
def equal_all(op: Op) -> Any:
    """Whether two tensors of one shape are the same."""
    if None in (*op.shape("X"), *op.shape("Y")) or op.dtype("X").kind == "f":
        raise CannotExport("free dimensions, or numbers that are equal when they are nearly so")
    if op.shape("X") != op.shape("Y"):
        return op.node("Identity", [op.const(np.asarray(False))])
    same = op.cast(op.node("Equal", [op["X"], op["Y"]]), np.int32)
    return op.cast(op.reduce("Min", same, None, keep=False), np.bool_)


@operator("isclose", "allclose")
def is_close(op: Op) -> Any:
    """|x - y| <= atol + rtol |y|, or the same infinity."""
    if op.has("Rtol") or op.has("Atol"):
        raise CannotExport("tolerances that are computed")
    x, y, dtype = op["Input"], op["Other"], op.dtype("Input")
    if dtype.kind != "f":
        raise CannotExport(f"{dtype}")
    limits = [float(op.attr(name)) for name in ("rtol", "atol")]
    apart = op.cast(op.node("Abs", [op.node("Sub", [x, y])]), np.float64)
    wide = op.cast(op.node("Abs", [y]), np.float64)
    room = op.node("Mul", [wide, op.const(np.float64(limits[0]))])
    room = op.node("Add", [room, op.const(np.float64(limits[1]))])
    near = op.node("Not", [op.node("Greater", [apart, room])])
    number = op.node("And", [op.node("Equal", [side, side]) for side in (apart, room)])
    close = op.node("And", [near, number])
    close = op.node("Or", [close, op.node("Equal", [x, y])])
    if op.flag("equal_nan"):
        both = op.node("And", [op.node("IsNaN", [x]), op.node("IsNaN", [y])])
        close = op.node("Or", [close, both])
    if op.type == "isclose":
        return close
    return op.cast(op.reduce("Min", op.cast(close, np.int32), None, keep=False), np.bool_)


@operator("multiplex")
def multiplex(op: Op) -> Any:
    """Each row from one of several tensors."""
    rank = op.rank("X")
    rows = op.concat([op.unsqueeze(name, [1]) for name in op.names("X")], 1)
    place = op.reshape(op.cast(op["Ids"], np.int64), [-1, 1])
    if rank < 1:
        raise CannotExport("numbers")
    return op.node("GatherND", [rows, place], batch_dims=1)


@operator("elementwise_heaviside")
def heaviside(op: Op) -> Any:
    """0 below zero, 1 above, y at it."""
    x, y = operands(op)
    dtype, zero = op.dtype("X"), op.like("X", 0)
    above = op.cast(op.node("Greater", [x, zero]), dtype)
    return op.node("Where", [op.node("Equal", [x, zero]), y, above])


@operator("atan2")
def atan2(op: Op) -> Any:
    """The angle of a point; integers become doubles."""
    y, x, dtype = op["X1"], op["X2"], op.dtype("X1")
    if dtype.kind != "f" or op.shape("X1") != op.shape("X2"):
        raise CannotExport(f"{dtype}, or other shapes")
    y, x = op.cast(y, np.float32), op.cast(x, np.float32)
    zero, half = op.const(np.float32(0)), op.const(np.float32(np.pi / 2))
    base = op.node("Atan", [op.node("Div", [y, x])])
    turned = op.node(
        "Where",
        [op.node("Less", [y, zero]), op.const(np.float32(-np.pi)), op.const(np.float32(np.pi))],
    )
    left = op.node("Where", [op.node("Less", [x, zero]), op.node("Add", [base, turned]), base])
    upright = op.node("Mul", [op.node("Sign", [y]), half])
    made = op.node("Where", [op.node("Equal", [x, zero]), upright, left])
    return made if dtype == np.float32 else op.cast(made, dtype)


@operator("trunc_divide")
def trunc_divide(op: Op) -> Any:
    """The quotient towards zero; of integers runtimes would end with the process at zero."""
    if op.dtype("x").kind != "f":
        raise CannotExport("integers")
    quotient = op.node("Div", [op["x"], op["y"]])
    size = op.node("Floor", [op.node("Abs", [quotient])])
    return {"out": op.node("Mul", [op.node("Sign", [quotient]), size])}
