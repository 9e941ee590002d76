"""What makes tensors of numbers, and casts."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.operator import CannotExport, Op, numpy_type, operator
from lite.model.onnx.operators.activations import scaled


def _filled(op: Op, shape: list[int] | str, value: Any, dtype: np.dtype[Any]) -> str:
    """A tensor of one number, given as a number or as a value's name."""
    scalar = value if isinstance(value, str) else op.const(np.asarray(value).astype(dtype))
    if isinstance(shape, list) and not shape:
        return str(op.node("Identity", [op.reshape(scalar, [])]))
    return str(op.node("Expand", [scalar, op.listed(shape)]))


def _number(op: Op, dtype: np.dtype[Any]) -> Any:
    text = str(op.attr("str_value", ""))
    if not text:
        return op.number("value")
    if text in ("True", "true"):
        return 1
    if text in ("False", "false"):
        return 0
    return int(text) if dtype.kind in "iu" and text.lstrip("-").isdigit() else float(text)


@operator("fill_constant")
def fill_constant(op: Op) -> Any:
    """One number in a shape."""
    dtype = numpy_type(op.attr("dtype"))
    shape = op.numbers("shape", "ShapeTensor", "" if op.has("ShapeTensor") else "ShapeTensorList")
    if op.has("ValueTensor"):
        value: Any = op.cast(op.reshape(op["ValueTensor"], []), dtype)
    else:
        value = _number(op, dtype)
    return _filled(op, shape, value, dtype)


@operator("fill_constant_batch_size_like")
def fill_like_batch(op: Op) -> Any:
    """One number in a shape, of which a dimension is another tensor's."""
    dtype, shape = numpy_type(op.attr("dtype")), op.integers("shape")
    source, target = int(op.attr("input_dim_idx")), int(op.attr("output_dim_idx"))
    dim = op.shape_of(op["Input"], source, source + 1)
    parts = [op.ints(shape[:target]), dim, op.ints(shape[target + 1 :])]
    return _filled(op, str(op.node("Concat", parts, axis=0)), _number(op, dtype), dtype)


@operator("fill_any_like", "fill_zeros_like")
def fill_like(op: Op) -> Any:
    """One number in another tensor's shape."""
    number = int(op.attr("dtype", -1)) if op.type == "fill_any_like" else -1
    dtype = op.dtype("X") if number < 0 else numpy_type(number)
    value = op.number("value") if op.type == "fill_any_like" else 0.0
    return _filled(op, op.shape_of(op["X"]), value, dtype)


@operator("assign_value")
def assign_value(op: Op) -> Any:
    """A constant."""
    dtype, shape = numpy_type(op.attr("dtype")), op.integers("shape")
    names = ("values", "fp32_values", "int32_values", "int64_values", "bool_values", "fp64_values")
    for name in names:
        values = op.attr(name, [])
        if values:
            array = np.asarray([getattr(v, "value", v) for v in values]).astype(dtype)
            count = int(np.prod(shape))
            return op.node("Identity", [op.const(array[:count].reshape(shape))])
    op.need_small(float(np.prod([float(dim) for dim in shape])))
    return op.node("Identity", [op.const(np.zeros(shape, dtype))])


@operator("range")
def arange(op: Op) -> Any:
    """From start, below end."""
    return op.node("Range", [op.reshape(op[slot], []) for slot in ("Start", "End", "Step")])


@operator("linspace")
def linspace(op: Op) -> Any:
    """Numbers at even distances, the ends among them."""
    dtype = numpy_type(op.attr("dtype")) if int(op.attr("dtype", 0)) else op.dtype("Start")
    start, stop = (op.cast(op.reshape(op[slot], []), np.float64) for slot in ("Start", "Stop"))
    count = op.array("Num")
    if count is None:
        number = op.cast(op.reshape(op["Num"], []), np.float64)
        zero, one = op.const(np.float64(0)), op.const(np.float64(1))
        last = op.node("Max", [op.node("Sub", [number, one]), one])  # one number is the start
        steps = op.node("Div", [op.node("Range", [zero, number, one]), last])
    else:
        op.need_small(int(count.reshape(-1)[0]))
        places = np.arange(int(count.reshape(-1)[0]), dtype=np.float64)
        steps = op.const(places / max(places.size - 1, 1))
    line = op.node("Mul", [op.node("Sub", [stop, start]), steps])
    return op.cast(op.node("Add", [start, line]), dtype)


@operator("eye")
def eye(op: Op) -> Any:
    """Ones on the diagonal."""
    dtype = numpy_type(op.attr("dtype"))
    rows, columns = _side(op, "RowsTensor", "num_rows"), _side(op, "ColumnsTensor", "num_columns")
    if columns == [-1]:
        columns = rows
    if isinstance(rows, list) and isinstance(columns, list):
        op.need_small(float(rows[0]) * columns[0])
        return op.node("Identity", [op.const(np.eye(rows[0], columns[0], dtype=dtype))])
    shape = op.concat([op.reshape(op.listed(side), [1]) for side in (rows, columns)], 0)
    empty = op.node("Expand", [op.const(np.float32(0)), shape])
    return op.cast(op.node("EyeLike", [empty]), dtype)


def _side(op: Op, tensor: str, attribute: str) -> list[int] | str:
    return op.numbers("", tensor) if op.has(tensor) else [int(op.attr(attribute, -1))]


@operator("one_hot", "one_hot_v2")
def one_hot(op: Op) -> Any:
    """Rows with a one; what is out of range has none, where ONNX counts from the end."""
    x, dtype = op.cast(op["X"], np.int64), numpy_type(op.attr("dtype"))
    if op.type == "one_hot":
        x = op.squeeze(x, [op.rank("X") - 1])
    depth = op.numbers("depth", "depth_tensor")
    if isinstance(depth, str):
        line = op.node(
            "Range", [op.const(np.int64(0)), op.reshape(depth, []), op.const(np.int64(1))]
        )
    else:
        op.need_small(depth[0])
        line = op.const(np.arange(depth[0], dtype=np.int64))
    return op.cast(op.node("Equal", [op.unsqueeze(x, [-1]), line]), dtype)


@operator("tril_triu")
def triangle(op: Op) -> Any:
    """One side of a diagonal."""
    x, dtype = op["X"], op.dtype("X")
    plain = dtype in (np.float32, np.float64, np.int64)
    if not plain:
        x = op.cast(x, np.int64 if dtype.kind in "iub" else np.float32)
    diagonal = op.const(np.int64(int(op.attr("diagonal"))))
    op.need_opset(14)
    made = op.node("Trilu", [x, diagonal], upper=int(not op.flag("lower")))
    return made if plain else op.cast(made, dtype)


@operator("cast")
def cast(op: Op) -> Any:
    """To another element type."""
    return op.cast(op["X"], numpy_type(op.attr("out_dtype")))


@operator("meshgrid")
def meshgrid(op: Op) -> Any:
    """Every vector along an axis of its own."""
    names = [op.flat(name) for name in op.names("X")]
    shape = op.concat([op.shape_of(name) for name in names])
    made = []
    for axis, name in enumerate(names):
        dims = [-1 if i == axis else 1 for i in range(len(names))]
        made.append(op.node("Expand", [op.reshape(name, dims), shape]))
    return made


@operator("sequence_mask")
def sequence_mask(op: Op) -> Any:
    """Ones as far as each length goes."""
    dtype = numpy_type(op.attr("out_dtype"))
    x = op["X"]
    longest = op.numbers("maxlen", "MaxLenTensor")
    if isinstance(longest, list):
        if longest[0] < 0:
            end = op.cast(op.reduce("Max", x, None, keep=False), np.int64)
        else:
            end = op.const(np.int64(longest[0]))
    else:
        end = op.reshape(op.slice(longest, [0], [1], [0]), [])
    line = op.node("Range", [op.const(np.int64(0)), end, op.const(np.int64(1))])
    line = op.cast(line, op.dtype("X"))
    return {"Y": op.cast(op.node("Less", [line, op.unsqueeze(x, [-1])]), dtype)}


@operator("label_smooth")
def label_smooth(op: Op) -> Any:
    """(1 - e) x + e / n."""
    epsilon, count = op.number("epsilon"), op.shape("X")[-1]
    if op.has("PriorDist") or count is None:
        raise CannotExport("a distribution of its own")
    x = scaled(op, op["X"], 1 - epsilon, op.dtype("X"))
    return op.node("Add", [x, op.like("X", epsilon / count)])
