"""Operators on parameters alone, computed when the program is optimised.

Each function returns the output's array, or None where the result is not certainly Paddle's (an
integer division, a float that no integer holds) or would be too large a constant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isfinite, prod

import numpy as np

from lite.core.optimizer.fold import MAX_NEW_CONSTANT, is_quantized
from lite.core.optimizer.graph import Graph, Node, Value
from lite.core.optimizer.registry import Context
from lite.core.optimizer.shape_rules import aligned_shape
from lite.model.program import DataType
from lite.model.text import print_op

Evaluate = Callable[[Node, "Inputs"], "np.ndarray | None"]

_DTYPES = {
    DataType.BOOL: "bool",
    DataType.INT16: "int16",
    DataType.INT32: "int32",
    DataType.INT64: "int64",
    DataType.FP16: "float16",
    DataType.FP32: "float32",
    DataType.FP64: "float64",
    DataType.UINT8: "uint8",
    DataType.INT8: "int8",
}


class Inputs:
    """The arrays of an operator's inputs, and how large its output may be."""

    def __init__(self, node: Node) -> None:
        self.node = node
        arrays = [v.array for v in node.input_values() if v.array is not None]
        self.limit = max([MAX_NEW_CONSTANT, *(array.nbytes for array in arrays)])

    def get(self, slot: str) -> np.ndarray | None:
        """The slot's first array, or None where it is absent."""
        value = self.node.input(slot)
        return None if value is None else value.array

    def all(self, slot: str) -> list[np.ndarray]:
        """All arrays of a slot."""
        return [v.array for v in self.node.inputs.get(slot, []) if v.array is not None]

    def fits(self, shape: Iterable[int], dtype: np.dtype) -> bool:
        """Whether an output of that size may be made."""
        return prod(shape) * dtype.itemsize <= self.limit


def _dtype(number: int) -> np.dtype | None:
    try:
        name = _DTYPES.get(DataType(number))
    except ValueError:
        return None
    return None if name is None else np.dtype(name)


def _convert(x: np.ndarray, dtype: np.dtype) -> np.ndarray | None:
    """A cast that loses nothing that C++ would not lose in the same way."""
    if x.dtype.kind == "f" and dtype.kind in "iu":
        bounds = np.iinfo(dtype)
        wide = x.astype(np.float64)
        if not np.isfinite(wide).all() or (wide <= bounds.min - 1.0).any():
            return None
        if (wide >= bounds.max + 1.0).any():
            return None
        return np.trunc(wide).astype(dtype)
    with np.errstate(all="ignore"):
        return x.astype(dtype)


def _filled(
    inputs: Inputs, shape: list[int], value: float | str, dtype: np.dtype
) -> np.ndarray | None:
    if any(d < 0 for d in shape) or not inputs.fits(shape, dtype):
        return None
    if isinstance(value, str) or dtype.kind == "f":
        try:
            number: float | int = int(value) if dtype.kind in "iu" else float(value)
        except ValueError:
            return None
    else:
        number = value
    scalar = _convert(np.asarray(number), dtype)
    return None if scalar is None else np.full(shape, scalar, dtype)


def _only_x(node: Node, inputs: Inputs) -> np.ndarray | None:
    if any(values for slot, values in node.inputs.items() if slot != "X"):
        return None
    return inputs.get("X")


def _fill_constant(node: Node, inputs: Inputs) -> np.ndarray | None:
    dtype = _dtype(node.integer("dtype", 5))
    if dtype is None or "shape" not in node.attrs or any(node.input_values()):
        return None
    text = node.string("str_value")
    return _filled(inputs, node.integers("shape"), text or node.number("value", 0.0), dtype)


def _assign_value(node: Node, inputs: Inputs) -> np.ndarray | None:
    dtype, shape = _dtype(node.integer("dtype", 5)), node.integers("shape")
    if dtype is None or any(d < 0 for d in shape):
        return None
    for name in (
        "values",
        "fp32_values",
        "int32_values",
        "int64_values",
        "bool_values",
        "fp64_values",
    ):
        values = node.attr(name)
        if isinstance(values, list) and len(values) == prod(shape) and values:
            return np.asarray(values).astype(dtype).reshape(shape)
    return None


def _range(node: Node, inputs: Inputs) -> np.ndarray | None:
    ends = [inputs.get(slot) for slot in ("Start", "End", "Step")]
    if any(end is None or end.size != 1 for end in ends):
        return None
    start, stop, step = (end.reshape(-1)[0] for end in ends if end is not None)
    if start.dtype.kind not in "iu" or step == 0:
        return None
    length = max(0, -(-(int(stop) - int(start)) // int(step)))
    if not inputs.fits((length,), start.dtype):
        return None
    return np.arange(int(start), int(stop), int(step), dtype=start.dtype)


def _scale(node: Node, inputs: Inputs) -> np.ndarray | None:
    x = inputs.get("X")
    if x is None or "ScaleTensor" in node.inputs:
        return None
    a, b = node.number("scale", 1.0), node.number("bias", 0.0)
    if x.dtype.kind in "iu" and (not a.is_integer() or not b.is_integer()):
        return None
    if x.dtype.kind not in "iuf" or not (isfinite(a) and isfinite(b)):
        return None
    factor, shift = np.asarray(a).astype(x.dtype), np.asarray(b).astype(x.dtype)
    with np.errstate(all="ignore"):
        if node.flag("bias_after_scale", True):
            return np.asarray(x * factor + shift)
        return np.asarray((x + shift) * factor)


def _cast(node: Node, inputs: Inputs) -> np.ndarray | None:
    x, dtype = inputs.get("X"), _dtype(node.integer("out_dtype", -1))
    if x is None or dtype is None or not inputs.fits(x.shape, dtype):
        return None
    return _convert(x, dtype)


def _float_function(function: Callable[[np.ndarray], np.ndarray]) -> Evaluate:
    def run(node: Node, inputs: Inputs) -> np.ndarray | None:
        x = inputs.get("X")
        if x is None or x.dtype not in (np.float32, np.float64):
            return None
        with np.errstate(all="ignore"):
            return np.asarray(function(x.astype(np.float64))).astype(x.dtype)

    return run


def _abs(node: Node, inputs: Inputs) -> np.ndarray | None:
    x = inputs.get("X")
    return None if x is None or x.dtype.kind not in "if" else np.abs(x)


def _assign(node: Node, inputs: Inputs) -> np.ndarray | None:
    return inputs.get("X")


def _elementwise(
    function: Callable[[np.ndarray, np.ndarray], np.ndarray], floats_only: bool
) -> Evaluate:
    def run(node: Node, inputs: Inputs) -> np.ndarray | None:
        x, y = inputs.get("X"), inputs.get("Y")
        if x is None or y is None or x.dtype != y.dtype or x.ndim < y.ndim:
            return None
        if x.dtype.kind not in ("f" if floats_only else "fi") or x.dtype == np.float16:
            return None
        aligned = aligned_shape(y.shape, x.ndim, node.integer("axis", -1))
        if aligned is None:
            return None
        try:
            shape = np.broadcast_shapes(x.shape, aligned)
        except ValueError:
            return None
        if not inputs.fits(shape, x.dtype):
            return None
        with np.errstate(all="ignore"):
            return np.asarray(function(x, y.reshape(aligned)))

    return run


def _reshaped(x: np.ndarray, shape: list[int]) -> np.ndarray | None:
    dims = [x.shape[i] if d == 0 and i < x.ndim else d for i, d in enumerate(shape)]
    if dims.count(-1) > 1 or any(d < -1 for d in dims):
        return None
    known = prod(d for d in dims if d != -1)
    if -1 in dims:
        if not known or x.size % known:
            return None
        dims[dims.index(-1)] = x.size // known
    return x.reshape(dims) if prod(dims) == x.size else None


def _reshape(node: Node, inputs: Inputs) -> np.ndarray | None:
    x = _only_x(node, inputs)
    return None if x is None else _reshaped(x, node.integers("shape"))


def _unsqueeze(node: Node, inputs: Inputs) -> np.ndarray | None:
    x = _only_x(node, inputs)
    if x is None:
        return None
    for axis in node.integers("axes"):
        if not -x.ndim - 1 <= axis <= x.ndim:
            return None
        x = np.expand_dims(x, axis)
    return x


def _squeeze(node: Node, inputs: Inputs) -> np.ndarray | None:
    x = _only_x(node, inputs)
    if x is None:
        return None
    axes = node.integers("axes") or list(range(x.ndim))
    if any(not -x.ndim <= a < x.ndim for a in axes):
        return None
    drop = {a % x.ndim for a in axes}
    return x.reshape([d for i, d in enumerate(x.shape) if i not in drop or d != 1])


def _flatten(node: Node, inputs: Inputs) -> np.ndarray | None:
    x = _only_x(node, inputs)
    if x is None or not x.ndim:
        return None
    if node.type == "flatten_contiguous_range":
        start, stop = node.integer("start_axis", 1), node.integer("stop_axis", 1)
        start, stop = start + x.ndim * (start < 0), stop + x.ndim * (stop < 0)
        if not 0 <= start <= stop < x.ndim:
            return None
        return x.reshape([*x.shape[:start], prod(x.shape[start : stop + 1]), *x.shape[stop + 1 :]])
    axis = node.integer("axis", 1)
    return x.reshape(prod(x.shape[:axis]), prod(x.shape[axis:])) if 0 <= axis <= x.ndim else None


def _transpose(node: Node, inputs: Inputs) -> np.ndarray | None:
    x, axes = _only_x(node, inputs), node.integers("axis")
    if x is None or sorted(axes) != list(range(x.ndim)):
        return None
    return np.ascontiguousarray(x.transpose(axes))


def _concat(node: Node, inputs: Inputs) -> np.ndarray | None:
    arrays = inputs.all("X")
    if not arrays or node.inputs.get("AxisTensor") or len({a.dtype for a in arrays}) != 1:
        return None
    if not inputs.fits((sum(a.size for a in arrays),), arrays[0].dtype):
        return None
    try:
        return np.concatenate(arrays, node.integer("axis", 0))
    except ValueError:
        return None


def _stack(node: Node, inputs: Inputs) -> np.ndarray | None:
    arrays = inputs.all("X")
    if not arrays or len({(a.dtype, a.shape) for a in arrays}) != 1:
        return None
    axis = node.integer("axis", 0)
    if not -arrays[0].ndim - 1 <= axis <= arrays[0].ndim:
        return None
    if not inputs.fits((sum(a.size for a in arrays),), arrays[0].dtype):
        return None
    return np.stack(arrays, axis)


def _slice(node: Node, inputs: Inputs) -> np.ndarray | None:
    x = inputs.get("Input")
    axes, starts, ends = (node.integers(name) for name in ("axes", "starts", "ends"))
    if x is None or any(v for slot, v in node.inputs.items() if slot != "Input"):
        return None
    if not len(axes) == len(starts) == len(ends) or len(set(axes)) != len(axes):
        return None
    if any(not 0 <= a < x.ndim for a in axes):
        return None
    index = [slice(None)] * x.ndim
    for axis, start, end in zip(axes, starts, ends, strict=True):
        index[axis] = slice(start, end)
    taken = x[tuple(index)]
    drop = node.integers("decrease_axis")
    if any(not 0 <= a < x.ndim or taken.shape[a] != 1 for a in drop) or 0 in taken.shape:
        return None
    return np.ascontiguousarray(taken).reshape(
        [d for i, d in enumerate(taken.shape) if i not in drop]
    )


def _shape(node: Node, inputs: Inputs) -> np.ndarray | None:
    x = inputs.get("Input")
    return None if x is None else np.array(x.shape, np.int32)


def _expand(node: Node, inputs: Inputs) -> np.ndarray | None:
    x = _only_x(node, inputs)
    shape = node.integers("shape")
    if x is None or len(shape) < x.ndim or any(d < -1 for d in shape):
        return None
    lead = len(shape) - x.ndim
    if any(d == -1 for d in shape[:lead]):
        return None
    dims = [x.shape[i - lead] if d == -1 else d for i, d in enumerate(shape)]
    if not inputs.fits(dims, x.dtype):
        return None
    try:
        return np.ascontiguousarray(np.broadcast_to(x, dims))
    except ValueError:
        return None


def _fill_like(node: Node, inputs: Inputs) -> np.ndarray | None:
    x = inputs.get("X")
    if x is None:
        return None
    number = node.integer("dtype", -1)
    dtype = x.dtype if number < 0 else _dtype(number)
    value = 0.0 if node.type == "fill_zeros_like" else node.number("value", 0.0)
    return None if dtype is None else _filled(inputs, list(x.shape), value, dtype)


_FLOAT_FUNCTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "exp": np.exp,
    "log": np.log,
    "square": np.square,
    "reciprocal": lambda x: 1 / x,
    "floor": np.floor,
    "ceil": np.ceil,
    "sin": np.sin,
    "cos": np.cos,
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "relu": lambda x: np.maximum(x, 0),
}

EVALUATORS: dict[str, Evaluate] = {
    "fill_constant": _fill_constant,
    "assign_value": _assign_value,
    "range": _range,
    "scale": _scale,
    "cast": _cast,
    "abs": _abs,
    "assign": _assign,
    "reshape": _reshape,
    "reshape2": _reshape,
    "unsqueeze": _unsqueeze,
    "unsqueeze2": _unsqueeze,
    "squeeze": _squeeze,
    "squeeze2": _squeeze,
    "flatten": _flatten,
    "flatten2": _flatten,
    "flatten_contiguous_range": _flatten,
    "transpose": _transpose,
    "transpose2": _transpose,
    "concat": _concat,
    "stack": _stack,
    "slice": _slice,
    "shape": _shape,
    "expand_v2": _expand,
    "fill_any_like": _fill_like,
    "fill_zeros_like": _fill_like,
    "elementwise_add": _elementwise(np.add, False),
    "elementwise_sub": _elementwise(np.subtract, False),
    "elementwise_mul": _elementwise(np.multiply, False),
    "elementwise_div": _elementwise(np.divide, True),
    "elementwise_max": _elementwise(np.maximum, False),
    "elementwise_min": _elementwise(np.minimum, False),
    "elementwise_pow": _elementwise(np.power, True),
}
EVALUATORS |= {name: _float_function(f) for name, f in _FLOAT_FUNCTIONS.items()}
"""How each operator type is computed."""


def fold_constants(graph: Graph, context: Context, types: Iterable[str]) -> None:
    """Turns operators of some types whose inputs are all parameters into parameters."""
    wanted = frozenset(types)
    for block in graph.blocks:
        if wanted.isdisjoint(block.by_type):
            continue
        for node in block:
            if node.type in wanted:
                _fold_node(graph, context, node)


def _main_output(node: Node) -> Value | None:
    """The output that carries the result, where nobody needs another one."""
    main = node.output("Out") or node.output("Y")
    if main is None:
        return None
    others = [value for value in node.output_values() if value is not main]
    return main if all(value.dead for value in others) else None


def _fold_node(graph: Graph, context: Context, node: Node) -> None:
    if not all(value.is_param for value in node.input_values()):
        return
    out = _main_output(node)
    if out is None or not graph.can_vanish(out) or is_quantized(node):
        return
    inputs = list(node.input_values())
    if any(value.array is not None and value.array.dtype.kind == "c" for value in inputs):
        return  # left to the kernels
    result = EVALUATORS[node.type](node, Inputs(node))
    if not isinstance(result, np.ndarray):
        return
    before = print_op(node.desc()) if context.trace is not None else ""
    graph.replace_by_param(out, result)
    graph.remove(node)
    for value in inputs:
        graph.drop_param(value)
    context.record(node.block.index, (before,), (f"param {out.name}",))
