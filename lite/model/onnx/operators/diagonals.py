"""Diagonals of matrices, and matrices of diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.operator import CannotExport, Op, numpy_type, operator


def _taken(op: Op, first: str, second: str) -> str:
    """A diagonal of two axes as the last axis."""
    rank = op.rank("Input")
    rows, columns = (op.axis(int(op.attr(name)), rank) for name in (first, second))
    if rows == columns:
        raise CannotExport(f"both axes are {rows}")
    height, width = (op.shape("Input")[axis] for axis in (rows, columns))
    if height is None or width is None:
        raise CannotExport("free dimensions")
    others = [axis for axis in range(rank) if axis not in (rows, columns)]
    x = op.transpose(op["Input"], [*others, rows, columns])
    offset = int(op.attr("offset"))
    down, right = max(-offset, 0), max(offset, 0)
    count = max(min(height - down, width - right), 0)
    op.need_small(count)
    places = [(down + i) * width + right + i for i in range(count)]
    shape = op.concat([op.shape_of(x, 0, len(others)), op.ints([height * width])])
    if not others:
        shape = op.ints([height * width])
    flat = op.node("Reshape", [x, shape])
    return str(op.node("Gather", [flat, op.ints(places)], axis=len(others)))


@operator("diagonal")
def diagonal(op: Op) -> Any:
    """Of two axes, as the last one."""
    return op.node("Identity", [_taken(op, "axis1", "axis2")])


@operator("trace")
def trace(op: Op) -> Any:
    """The sum of a diagonal."""
    if op.axis(int(op.attr("axis1")), op.rank("Input")) > op.axis(
        int(op.attr("axis2")), op.rank("Input")
    ):
        raise CannotExport("the later axis first")
    return op.reduce("Sum", _taken(op, "axis1", "axis2"), [op.rank("Input") - 2], keep=False)


@operator("diag_embed")
def diag_embed(op: Op) -> Any:
    """The last axis as a diagonal of two new ones."""
    rank = op.rank("Input") + 1
    rows, columns = (op.axis(int(op.attr(name)), rank) for name in ("dim1", "dim2"))
    count = op.shape("Input")[-1]
    if count is None or rows == columns:
        raise CannotExport("a free dimension, or one axis twice")
    others = [axis for axis in range(rank) if axis not in (rows, columns)]
    made = _spread(op, op["Input"], count, int(op.attr("offset")), op.like("Input", 0))
    order = [*others, rows, columns]
    return op.transpose(made, [order.index(axis) for axis in range(rank)])


def _spread(op: Op, x: str, count: int, offset: int, filling: str) -> str:
    size = count + abs(offset)
    op.need_small(float(size) * size)
    places, mask = np.zeros((size, size), np.int64), np.zeros((size, size), np.bool_)
    for i in range(count):
        at = i + max(-offset, 0), i + max(offset, 0)
        places[at], mask[at] = i, True
    spread = op.node("Gather", [x, op.const(places)], axis=-1)
    return str(op.node("Where", [op.const(mask), spread, filling]))


@operator("diag_v2")
def diag(op: Op) -> Any:
    """A vector as a diagonal, or a matrix's diagonal."""
    shape, offset = op.shape("X"), int(op.attr("offset"))
    if None in shape:
        raise CannotExport("free dimensions")
    if len(shape) == 1:
        filling = op.like("X", op.number("padding_value"))
        return _spread(op, op["X"], int(shape[0] or 0), offset, filling)
    height, width = (int(dim or 0) for dim in shape)
    down, right = max(-offset, 0), max(offset, 0)
    count = max(min(height - down, width - right), 0)
    op.need_small(count)
    places = [(down + i) * width + right + i for i in range(count)]
    return op.node("Gather", [op.flat(op["X"]), op.ints(places)], axis=0)


@operator("tril_indices", "triu_indices")
def triangle_indices(op: Op) -> Any:
    """Rows and columns of a triangle's elements."""
    lower = op.type == "tril_indices"
    names = ("rows", "cols") if lower else ("row", "col")
    rows, columns = (int(op.attr(name)) for name in names)
    op.need_small(float(rows) * columns)
    make = np.tril_indices if lower else np.triu_indices
    found = np.stack(make(rows, int(op.attr("offset")), columns))
    return {"out": op.node("Identity", [op.const(found.astype(numpy_type(op.attr("dtype"))))])}


@operator("determinant")
def determinant(op: Op) -> Any:
    """Of the last two axes."""
    if op.dtype("Input") != np.float32:
        raise CannotExport(f"{op.dtype('Input')}")
    made = op.node("Det", [op["Input"]])
    return made
