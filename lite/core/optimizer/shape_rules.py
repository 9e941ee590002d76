"""Partial shapes of operators' outputs, from those of their inputs and from attributes.

A dimension or a whole shape that is not certain is None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod

from lite.core.optimizer.broadcasting import broadcast
from lite.core.optimizer.graph import Node, Shape

ShapeRule = Callable[[Node], "Shape | None"]

_SAME_AS_X = """
abs acos acosh angle asin asinh assign atan atanh batch_norm bitwise_not brelu ceil celu clip
clip_by_norm conj cos cosh cumprod digamma dropout elu erf erfinv exp expm1 fill_any_like fft_c2c
fill_zeros_like floor gelu hard_shrink hard_sigmoid hard_swish increment instance_norm group_norm
imag isfinite_v2 isinf_v2 isnan_v2 layer_norm leaky_relu lgamma log log10 log1p log2 log_softmax
logical_not logit logsigmoid mish pow prelu real reciprocal relu relu6 renorm round rsqrt scale
selu share_data sigmoid sign silu sin sinh softmax softplus softshrink softsign sqrt square stanh
swish tan tanh tanh_shrink thresholded_relu tril_triu trunc cast calib io_copy lrn norm flip
reverse roll affine_channel label_smooth lod_reset print scatter sequence_softmax sequence_reverse
fake_quantize_dequantize_moving_average_abs_max fake_channel_wise_quantize_dequantize_abs_max
fake_quantize_per_tensor_affine quantize_linear dequantize_linear sync_batch_norm memcpy memcpy_d2h
memcpy_h2d fill_any scatter_nd_add index_add fill_diagonal fill_diagonal_tensor shard_index
add_position_encoding fused_softmax_mask fused_softmax_mask_upper_triangle gumbel_softmax rrelu
skip_layernorm rint i0 i0e i1 i1e gammaln polygamma put_along_axis
""".split()

_SAME_RANK = """
argsort grid_sampler index_select max_pool3d_with_index pad2d pad3d
pixel_shuffle pixel_unshuffle space_to_depth split take_along_axis top_k top_k_v2
""".split()
"""Operators that keep the number of dimensions, and nothing else for certain."""

COMPARISONS = """
less_than less_equal greater_than greater_equal equal not_equal logical_and logical_or
logical_xor
""".split()
"""Operators that answer, for two operands that broadcast, with truth values."""

_BINARY = ["add", "sub", "mul", "div", "max", "min", "pow", "mod", "floordiv"]


def _shape(node: Node, slot: str) -> Shape | None:
    value = node.input(slot)
    return None if value is None else value.shape


def _x(node: Node) -> Shape | None:
    for slot in ("X", "Input", "x"):
        value = node.input(slot)
        if value is not None:
            return value.shape
    return None


def _elementwise(node: Node) -> Shape | None:
    return broadcast(_shape(node, "X"), _shape(node, "Y"), node.integer("axis", -1))


def _broadcast(node: Node) -> Shape | None:
    return broadcast(_shape(node, "x"), _shape(node, "y"), -1)


def _conv(node: Node) -> Shape | None:
    x, w = _shape(node, "Input"), _shape(node, "Filter")
    if w is None or len(w) < 3 or (x is not None and len(x) != len(w)):
        return None
    if x is None:
        x = (None,) * len(w)
    if node.string("data_format", "NCHW") not in ("NCHW", "NCDHW", "AnyLayout"):
        return (None,) * len(x)
    if "transpose" in node.type:
        channels = None if w[1] is None else w[1] * node.integer("groups", 1)
    else:
        channels = w[0]
    return (x[0], channels, *_where_single(node, x[2:], w[2:]))


def _where_single(node: Node, dims: Shape, taps: Shape) -> Shape:
    """Numbers of rows, columns, ... as they are where a window of one tap reads each once."""
    count = len(dims)
    steps, pads = node.integers("strides", [1] * count), node.integers("paddings", [0] * count)
    grown = any(node.integers("output_padding")) or node.integers("output_size")
    if len(taps) != count or len(steps) != count or len(pads) not in (count, 2 * count) or grown:
        return (None,) * count
    sides = len(pads) // count
    single = [
        taps[i] == 1 and steps[i] == 1 and not any(pads[sides * i : sides * (i + 1)])
        for i in range(count)
    ]
    return tuple(dim if same else None for dim, same in zip(dims, single, strict=True))


def _pool(node: Node) -> Shape | None:
    x = _x(node)
    if x is None or len(x) < 3 or node.string("data_format", "NCHW") not in ("NCHW", "NCDHW"):
        return None if x is None else (None,) * len(x)
    spatial = len(x) - 2
    size = node.integers("ksize")
    fixed = node.flag("adaptive") and "KernelSize" not in node.inputs and len(size) == spatial
    dims: list[int | None] = list(_where_single(node, x[2:], tuple(size)))
    if node.flag("adaptive") or node.input("KernelSize"):
        dims = [None] * spatial
    if node.flag("global_pooling") and node.flag("adaptive"):
        pass  # not one, whatever ksize is
    elif node.flag("global_pooling"):
        dims = [1] * spatial
    elif fixed:
        dims = [d if d > 0 else None for d in size]
    return (*x[:2], *dims)


def _pad(node: Node) -> Shape | None:
    x, pads = _x(node), node.integers("paddings")
    if x is None or len(pads) != 2 * len(x) or node.input("Paddings"):
        return None if x is None else (None,) * len(x)
    more = [sum(pads[2 * i : 2 * i + 2]) for i in range(len(x))]
    return tuple(None if dim is None else dim + n for dim, n in zip(x, more, strict=True))


def _matmul(node: Node) -> Shape | None:
    x, y = _shape(node, "X"), _shape(node, "Y")
    if x is None or y is None or len(x) < 2 or len(y) < 2:
        return None
    if node.type == "matmul" and len(x) != len(y) and min(len(x), len(y)) > 2:
        return None  # the old operator pairs as many matrices of either, and keeps X's batch
    if node.flag("trans_x", node.flag("transpose_X")):
        x = (*x[:-2], x[-1], x[-2])
    if node.flag("trans_y", node.flag("transpose_Y")):
        y = (*y[:-2], y[-1], y[-2])
    batch = broadcast(x[:-2], y[:-2], -1)
    return None if batch is None else (*batch, x[-2], y[-1])


def _mul(node: Node) -> Shape | None:
    x, y = _shape(node, "X"), _shape(node, "Y")
    rows, columns = node.integer("x_num_col_dims", 1), node.integer("y_num_col_dims", 1)
    return None if x is None or y is None else (*x[:rows], *y[columns:])


def _fc(node: Node) -> Shape | None:
    x, w = _shape(node, "Input"), _shape(node, "W")
    if x is None or w is None or len(w) != 2:
        return None
    if node.string("op_type") in ("matmul", "matmul_v2"):
        return (*x[:-1], w[1])
    return (*x[: node.integer("in_num_col_dims", 1)], w[1])


def _rows_times(columns: int) -> ShapeRule:
    """Of a product of X's rows with Y, whose axis ``columns`` is as long as the result's last."""

    def rule(node: Node) -> Shape | None:
        x, y = _shape(node, "X"), _shape(node, "Y")
        return None if not x or y is None or len(y) <= columns else (*x[:-1], y[columns])

    return rule


def _kv_cache_append(node: Node) -> Shape | None:
    x = _shape(node, "X")
    return None if x is None or len(x) != 4 else (*x[:2], None, x[3])


def _linear_attention(node: Node) -> Shape | None:
    query, value = _shape(node, "Query"), _shape(node, "Value")
    if query is None or value is None or len(query) != 3 or len(value) != 3:
        return None
    groups = node.integer("q_num_heads", 1) // max(node.integer("kv_num_heads", 1), 1)
    return (*query[:2], value[2] * groups if value[2] is not None else None)


def _as_long_as(node: Node, slot: str) -> Shape | None:
    """Unknown sizes, as many as a list of sizes has."""
    sizes = _shape(node, slot)
    return None if not sizes or sizes[0] is None else (None,) * sizes[0]


def _reshape(node: Node) -> Shape | None:
    x = _x(node)
    parts = node.inputs.get("ShapeTensor") or []
    if parts:
        return (None,) * len(parts)
    if node.input("Shape") is not None:
        return _as_long_as(node, "Shape")
    dims: list[int | None] = []
    for i, d in enumerate(node.integers("shape")):
        keep = x[i] if d == 0 and x is not None and i < len(x) else None
        dims.append(keep if d == 0 else d if d > 0 else None)
    if not dims:
        return None
    if dims.count(None) == 1 and x is not None and None not in x and -1 in node.integers("shape"):
        rest = prod(d for d in dims if d is not None)
        total = prod(d for d in x if d is not None)
        if rest and total % rest == 0:
            dims[dims.index(None)] = total // rest
    return tuple(dims)


def _transpose(node: Node) -> Shape | None:
    x, axes = _x(node), node.integers("axis")
    if x is None:
        return (None,) * len(axes) or None
    if sorted(axes) != list(range(len(x))):
        return None
    return tuple(x[a] for a in axes)


def _axes(node: Node, name: str, rank: int, default: Iterable[int] = ()) -> list[int] | None:
    axes = [a + rank if a < 0 else a for a in node.integers(name, default)]
    return axes if all(0 <= a < rank for a in axes) else None


def _squeeze(node: Node) -> Shape | None:
    x = _x(node)
    axes = None if x is None else _axes(node, "axes", len(x))
    if x is None or axes is None or node.input("AxesTensor") or node.input("AxesTensorList"):
        return None
    if not axes:
        return None if None in x else tuple(d for d in x if d != 1)
    if any(x[a] is None for a in axes):
        return None
    return tuple(d for i, d in enumerate(x) if i not in axes or d != 1)


def _unsqueeze(node: Node) -> Shape | None:
    x = _x(node)
    if x is None or node.input("AxesTensor") or node.input("AxesTensorList"):
        return None
    dims = list(x)
    for axis in node.integers("axes"):
        at = axis + len(dims) + 1 if axis < 0 else axis
        if not 0 <= at <= len(dims):
            return None
        dims.insert(at, 1)
    return tuple(dims)


def _product(dims: Shape) -> int | None:
    return None if None in dims else prod(d for d in dims if d is not None)


def _flatten_range(node: Node) -> Shape | None:
    x = _x(node)
    if not x:
        return None
    start, stop = node.integer("start_axis", 1), node.integer("stop_axis", 1)
    start, stop = start + len(x) * (start < 0), stop + len(x) * (stop < 0)
    if not 0 <= start <= stop < len(x):
        return None
    return (*x[:start], _product(x[start : stop + 1]), *x[stop + 1 :])


def _flatten(node: Node) -> Shape | None:
    x, axis = _x(node), node.integer("axis", 1)
    return None if not x else (_product(x[:axis]), _product(x[axis:]))


def _concat(node: Node) -> Shape | None:
    shapes = [value.shape for value in node.inputs.get("X", [])]
    known = [s for s in shapes if s is not None]
    if not known or any(len(s) != len(known[0]) for s in known):
        return None
    rank = len(known[0])
    axis = node.integer("axis", 0)
    axis += rank * (axis < 0)
    dims: list[int | None] = [
        next((s[i] for s in known if s[i] is not None), None) for i in range(rank)
    ]
    if node.input("AxisTensor") is not None or not 0 <= axis < rank:
        return (None,) * rank
    sizes = [s[axis] if s is not None else None for s in shapes]
    dims[axis] = None if None in sizes else sum(s for s in sizes if s is not None)
    return tuple(dims)


def _same_rank(node: Node) -> Shape | None:
    x = _x(node)
    return None if x is None else (None,) * len(x)


def _stack(node: Node) -> Shape | None:
    x = node.inputs.get("X", [])
    shape = x[0].shape if x else None
    axis = node.integer("axis", 0)
    if shape is None:
        return None
    axis += (len(shape) + 1) * (axis < 0)
    return (*shape[:axis], len(x), *shape[axis:]) if 0 <= axis <= len(shape) else None


_ENDS = ("Starts", "Ends")


def _slice(node: Node) -> Shape | None:
    x = _x(node)
    if x is None:
        return None
    axes = _axes(node, "axes", len(x))
    dropped = _axes(node, "decrease_axis", len(x))
    if axes is None or dropped is None:
        return None
    dims = [None if i in axes else d for i, d in enumerate(x)]
    computed = {*node.inputs} & {f"{end}Tensor{more}" for end in _ENDS for more in ("", "List")}
    starts, ends = node.integers("starts"), node.integers("ends")
    if not computed and len(starts) == len(ends) == len(axes):
        for axis, start, end in zip(axes, starts, ends, strict=True):
            size = x[axis]
            dims[axis] = None if size is None else len(range(size)[start:end])
    return tuple(d for i, d in enumerate(dims) if i not in dropped)


def _shape_of(node: Node) -> Shape | None:
    x = _x(node)
    return None if x is None else (len(x),)


def _reduce(node: Node) -> Shape | None:
    x = _x(node)
    if x is None:
        return None
    keep = node.flag("keep_dim", node.flag("keepdim"))
    computed = node.input("AxisTensor")
    if computed is not None:
        count = 0 if keep else computed.shape[0] if computed.shape else None
        return None if not count and not keep else (None,) * (len(x) - (count or 0))
    axes = _axes(node, "dim", len(x), (0,))
    if node.flag("reduce_all") or (axes is not None and not axes):
        axes = list(range(len(x)))
    if axes is None:
        return None
    if keep:
        return tuple(1 if i in axes else d for i, d in enumerate(x))
    return tuple(d for i, d in enumerate(x) if i not in axes)


def _scan(node: Node) -> Shape | None:
    return (_product(x),) if (x := _x(node)) is not None and node.flag("flatten") else x


def _arg_max(node: Node) -> Shape | None:
    x, axis = _x(node), node.integer("axis", -1)
    if not x or node.flag("flatten"):
        return None
    axis += len(x) * (axis < 0)
    if node.flag("keepdims"):
        return tuple(1 if i == axis else d for i, d in enumerate(x))
    return tuple(d for i, d in enumerate(x) if i != axis)


def _interp(node: Node) -> Shape | None:
    x = _x(node)
    return None if x is None or len(x) < 3 else (*x[:2], *(None,) * (len(x) - 2))


def _fill_constant(node: Node) -> Shape | None:
    if node.input("ShapeTensor") is not None:
        return _as_long_as(node, "ShapeTensor")
    parts = node.inputs.get("ShapeTensorList") or []
    if parts:
        return (None,) * len(parts)
    if "shape" not in node.attrs:
        return None
    return tuple(d if d >= 0 else None for d in node.integers("shape"))


def _lookup(node: Node) -> Shape | None:
    ids, w = _shape(node, "Ids"), _shape(node, "W")
    if ids is None or w is None or (not ids and node.type == "lookup_table"):
        return None
    return (*(ids[:-1] if node.type == "lookup_table" else ids), w[-1])


def _expand(node: Node) -> Shape | None:
    if node.input("Shape") is not None:
        return _as_long_as(node, "Shape")
    parts = node.inputs.get("expand_shapes_tensor") or []
    if parts:
        return (None,) * len(parts)
    return tuple(d if d > 0 else None for d in node.integers("shape")) or None


def _tile(node: Node) -> Shape | None:
    x, parts = _x(node), node.inputs.get("repeat_times_tensor") or []
    times = _as_long_as(node, "RepeatTimes") if node.input("RepeatTimes") else None
    count = len(times) if times else len(parts) or len(node.integers("repeat_times"))
    return None if x is None or not count else (None,) * max(len(x), count)


def _where(node: Node) -> Shape | None:
    either = broadcast(_shape(node, "X"), _shape(node, "Y"), -1)
    return broadcast(_shape(node, "Condition"), either, -1)


def _strided_slice(node: Node) -> Shape | None:
    x = _x(node)
    if x is None:
        return None
    axes, dropped = _axes(node, "axes", len(x)), _axes(node, "decrease_axis", len(x))
    if axes is None or dropped is None:
        return None
    dims = [None if i in axes else d for i, d in enumerate(x)]
    bounds = [node.integers(name) for name in ("starts", "ends", "strides")]
    computed = any(slot != "Input" for slot in node.inputs)
    if node.flag("as_numpy") and not computed and all(len(b) == len(axes) for b in bounds):
        for axis, start, end, step in zip(axes, *bounds, strict=True):
            size = x[axis]
            dims[axis] = None if size is None or not step else len(range(size)[start:end:step])
    kept = tuple(d for i, d in enumerate(dims) if i not in dropped)
    return kept or (None if dropped else ())  # without any left, Paddle's have one


def _gather_nd(node: Node) -> Shape | None:
    x, index = _x(node), _shape(node, "Index")
    if x is None or not index or index[-1] is None or not 0 <= index[-1] <= len(x):
        return None
    return (*index[:-1], *x[index[-1] :])


def _positions(node: Node) -> Shape | None:
    condition = _shape(node, "Condition")
    return None if condition is None else (None, len(condition))


def _gather(node: Node) -> Shape | None:
    x, index = _x(node), _shape(node, "Index")
    if not x or index is None or len(index) != 1 or node.input("Axis") is not None:
        return None
    axis = node.integer("axis", 0)
    axis += len(x) * (axis < 0)
    return (*x[:axis], index[0], *x[axis + 1 :])


_SHAPE_RULES: dict[str, ShapeRule] = dict.fromkeys(_SAME_AS_X, _x)
_SHAPE_RULES |= {f"elementwise_{op}": _elementwise for op in _BINARY}
_SHAPE_RULES |= {f"fusion_elementwise_{op}_activation": _elementwise for op in _BINARY}
_SHAPE_RULES["complex"] = _elementwise
_SHAPE_RULES |= dict.fromkeys(_SAME_RANK, _same_rank)
_SHAPE_RULES |= dict.fromkeys(COMPARISONS, _elementwise)
_SHAPE_RULES |= dict.fromkeys(
    (
        "conv2d",
        "depthwise_conv2d",
        "dynamic_quantize_conv2d",
        "conv2d_transpose",
        "depthwise_conv2d_transpose",
        "conv3d",
        "conv3d_transpose",
    ),
    _conv,
)
_SHAPE_RULES |= dict.fromkeys(("pool2d", "pool3d", "max_pool2d_with_index"), _pool)
_SHAPE_RULES["pad"] = _pad
_SHAPE_RULES |= dict.fromkeys(("matmul", "matmul_v2", "bmm"), _matmul)
_SHAPE_RULES |= dict.fromkeys(("reshape", "reshape2"), _reshape)
_SHAPE_RULES |= dict.fromkeys(("transpose", "transpose2"), _transpose)
_SHAPE_RULES |= dict.fromkeys(("squeeze", "squeeze2"), _squeeze)
_SHAPE_RULES |= dict.fromkeys(("unsqueeze", "unsqueeze2"), _unsqueeze)
_SHAPE_RULES |= dict.fromkeys(("flatten", "flatten2"), _flatten)
_SHAPE_RULES |= dict.fromkeys(
    (
        "frobenius_norm",
        "reduce_amax",
        "reduce_amin",
        "reduce_max",
        "reduce_mean",
        "reduce_min",
        "reduce_prod",
        "reduce_sum",
    ),
    _reduce,
)
_SHAPE_RULES |= dict.fromkeys(("cumsum", "logcumsumexp"), _scan)
_SHAPE_RULES |= dict.fromkeys(("arg_max", "arg_min"), _arg_max)
_SHAPE_RULES |= {
    f"{kind}_interp{version}": _interp
    for kind in ("nearest", "bilinear", "bicubic", "linear", "trilinear")
    for version in ("", "_v2")
}
_SHAPE_RULES |= dict.fromkeys(("lookup_table", "lookup_table_v2"), _lookup)
_SHAPE_RULES |= {
    "mul": _mul,
    "fc": _fc,
    "kv_cache_append": _kv_cache_append,
    "linear_attention": _linear_attention,
    "dynamic_quantize_matmul": _rows_times(1),
    "matmul_nbits": _rows_times(0),
    "flatten_contiguous_range": _flatten_range,
    "concat": _concat,
    "stack": _stack,
    "slice": _slice,
    "shape": _shape_of,
    **dict.fromkeys(("fill_constant", "gaussian_random", "uniform_random"), _fill_constant),
    "expand_v2": _expand,
    "gather": _gather,
    "gather_nd": _gather_nd,
    "range": lambda _: (None,),
    "strided_slice": _strided_slice,
    "tile": _tile,
    "trunc_divide": _broadcast,
    "where": _where,
    "where_index": _positions,
}


def main_shape(node: Node) -> Shape | None:
    """The shape of an operator's main output, or None where it is unknown."""
    rule = _SHAPE_RULES.get(node.type)
    return rule(node) if rule is not None else None
