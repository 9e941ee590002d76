"""Quotients and roundings that Paddle 2.6 has no operator of, by others that it has."""

from __future__ import annotations

from lite.model.legacy.writer import Writer
from lite.model.program import Attr, AttrType, DataType, OpDesc


def trunc_divide(w: Writer, op: OpDesc) -> None:
    """The quotient of magnitudes, negative where one of both is. What `elementwise_floordiv` makes
    of negative numbers differs between versions."""
    out, sides = op.outputs["out"][0], (op.inputs["x"][0], op.inputs["y"][0])
    magnitudes, signs = [], []
    for name in sides:
        magnitudes.append(w.add("abs", {"X": [name]}, w.variable(out, name)))
        zero = w.scaled(name, w.variable(out, name), 0.0)
        signs.append(w.binary("less_than", name, zero, w.variable(out, name, DataType.BOOL)))
    whole = w.variable(out, out)
    w.binary("elementwise_floordiv", magnitudes[0], magnitudes[1], whole)
    differ = w.variable(out, out, DataType.BOOL)
    w.add("logical_xor", {"X": signs[:1], "Y": signs[1:]}, differ)
    var = w.declared(out)
    own = DataType.INT64 if var is None or var.dtype is None else var.dtype
    factor = w.scaled(w.cast(differ, own), w.variable(out, out, own), -2.0, 1.0)
    w.binary("elementwise_mul", whole, factor, out)


def rint(w: Writer, op: OpDesc) -> None:
    """Magnitudes at which the last bit is 1 are rounded as they come into being, ties to even;
    larger ones are whole."""
    out, x = op.outputs["out"][0], op.inputs["x"][0]
    var = w.declared(x)
    double = var is not None and var.dtype is DataType.FP64
    whole = float(1 << (52 if double else 23))
    magnitude = w.add("abs", {"X": [x]}, w.variable(out, x))
    bounds = {"min": Attr(AttrType.FLOAT, 0.0), "max": Attr(AttrType.FLOAT, whole)}
    held = w.add("clip", {"X": [magnitude]}, w.variable(out, x), bounds)
    rest = w.binary("elementwise_sub", magnitude, held, w.variable(out, x))
    moved = w.scaled(held, w.variable(out, x), 1.0, whole)
    rounded = w.scaled(moved, w.variable(out, x), 1.0, -whole)
    sum = w.binary("elementwise_add", rounded, rest, w.variable(out, x))
    sign = w.add("sign", {"X": [x]}, w.variable(out, x))
    w.binary("elementwise_mul", sum, sign, out)
