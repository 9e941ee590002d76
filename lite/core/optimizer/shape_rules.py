"""Partial shapes of operators' outputs, from those of their inputs and from attributes.

A dimension or a whole shape that is not certain is None.
"""

from __future__ import annotations

from math import prod

from lite.core.optimizer import layer_shapes
from lite.core.optimizer.broadcasting import broadcast
from lite.core.optimizer.graph import Node, Shape
from lite.core.optimizer.layer_shapes import ShapeRule, input_shape, main_input_shape

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
pixel_shuffle pixel_unshuffle split take_along_axis top_k top_k_v2
""".split()
"""Operators that keep the number of dimensions, and nothing else for certain."""

COMPARISONS = """
less_than less_equal greater_than greater_equal equal not_equal logical_and logical_or
logical_xor
""".split()
"""Operators that answer, for two operands that broadcast, with truth values."""

_BINARY = ["add", "sub", "mul", "div", "max", "min", "pow", "mod", "floordiv"]


def _elementwise(node: Node) -> Shape | None:
    return broadcast(input_shape(node, "X"), input_shape(node, "Y"), node.integer("axis", -1))


def _broadcast(node: Node) -> Shape | None:
    return broadcast(input_shape(node, "x"), input_shape(node, "y"), -1)


def _pad(node: Node) -> Shape | None:
    x, pads = main_input_shape(node), node.integers("paddings")
    if x is None or len(pads) != 2 * len(x) or node.input("Paddings"):
        return None if x is None else (None,) * len(x)
    more = [sum(pads[2 * i : 2 * i + 2]) for i in range(len(x))]
    return tuple(None if dim is None else dim + n for dim, n in zip(x, more, strict=True))


def _as_long_as(node: Node, slot: str) -> Shape | None:
    """Unknown sizes, as many as a list of sizes has."""
    sizes = input_shape(node, slot)
    return None if not sizes or sizes[0] is None else (None,) * sizes[0]


def _reshape(node: Node) -> Shape | None:
    x = main_input_shape(node)
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
    x, axes = main_input_shape(node), node.integers("axis")
    if x is None:
        return (None,) * len(axes) or None
    if sorted(axes) != list(range(len(x))):
        return None
    return tuple(x[a] for a in axes)


def _squeeze(node: Node) -> Shape | None:
    x = main_input_shape(node)
    axes = None if x is None else node.axes("axes", len(x))
    if x is None or axes is None or node.input("AxesTensor") or node.input("AxesTensorList"):
        return None
    if not axes:
        return None if None in x else tuple(d for d in x if d != 1)
    if any(x[a] is None for a in axes):
        return None
    return tuple(d for i, d in enumerate(x) if i not in axes or d != 1)


def _unsqueeze(node: Node) -> Shape | None:
    x = main_input_shape(node)
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
    x = main_input_shape(node)
    if not x:
        return None
    start, stop = node.integer("start_axis", 1), node.integer("stop_axis", 1)
    start, stop = start + len(x) * (start < 0), stop + len(x) * (stop < 0)
    if not 0 <= start <= stop < len(x):
        return None
    return (*x[:start], _product(x[start : stop + 1]), *x[stop + 1 :])


def _flatten(node: Node) -> Shape | None:
    x, axis = main_input_shape(node), node.integer("axis", 1)
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
    x = main_input_shape(node)
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
    x = main_input_shape(node)
    if x is None:
        return None
    axes = node.axes("axes", len(x))
    dropped = node.axes("decrease_axis", len(x))
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
    x = main_input_shape(node)
    return None if x is None else (len(x),)


def _reduce(node: Node) -> Shape | None:
    x = main_input_shape(node)
    if x is None:
        return None
    keep = node.flag("keep_dim", node.flag("keepdim"))
    computed = node.input("AxisTensor")
    if computed is not None:
        count = 0 if keep else computed.shape[0] if computed.shape else None
        return None if not count and not keep else (None,) * (len(x) - (count or 0))
    axes = node.axes("dim", len(x), (0,))
    if node.flag("reduce_all") or (axes is not None and not axes):
        axes = list(range(len(x)))
    if axes is None:
        return None
    if keep:
        return tuple(1 if i in axes else d for i, d in enumerate(x))
    return tuple(d for i, d in enumerate(x) if i not in axes)


def _scan(node: Node) -> Shape | None:
    return (
        (_product(x),) if (x := main_input_shape(node)) is not None and node.flag("flatten") else x
    )


def _arg_max(node: Node) -> Shape | None:
    x, axis = main_input_shape(node), node.integer("axis", -1)
    if not x or node.flag("flatten"):
        return None
    axis += len(x) * (axis < 0)
    if node.flag("keepdims"):
        return tuple(1 if i == axis else d for i, d in enumerate(x))
    return tuple(d for i, d in enumerate(x) if i != axis)


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
    ids, w = input_shape(node, "Ids"), input_shape(node, "W")
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
    x, parts = main_input_shape(node), node.inputs.get("repeat_times_tensor") or []
    times = _as_long_as(node, "RepeatTimes") if node.input("RepeatTimes") else None
    count = len(times) if times else len(parts) or len(node.integers("repeat_times"))
    return None if x is None or not count else (None,) * max(len(x), count)


def _where(node: Node) -> Shape | None:
    either = broadcast(input_shape(node, "X"), input_shape(node, "Y"), -1)
    return broadcast(input_shape(node, "Condition"), either, -1)


def _strided_slice(node: Node) -> Shape | None:
    x = main_input_shape(node)
    if x is None:
        return None
    axes, dropped = node.axes("axes", len(x)), node.axes("decrease_axis", len(x))
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
    x, index = main_input_shape(node), input_shape(node, "Index")
    if x is None or not index or index[-1] is None or not 0 <= index[-1] <= len(x):
        return None
    return (*index[:-1], *x[index[-1] :])


def _positions(node: Node) -> Shape | None:
    condition = input_shape(node, "Condition")
    return None if condition is None else (None, len(condition))


def _gather(node: Node) -> Shape | None:
    x, index = main_input_shape(node), input_shape(node, "Index")
    if not x or index is None or len(index) != 1 or node.input("Axis") is not None:
        return None
    axis = node.integer("axis", 0)
    axis += len(x) * (axis < 0)
    return (*x[:axis], index[0], *x[axis + 1 :])


_SHAPE_RULES: dict[str, ShapeRule] = dict.fromkeys(_SAME_AS_X, main_input_shape)
_SHAPE_RULES |= {f"elementwise_{op}": _elementwise for op in _BINARY}
_SHAPE_RULES |= {
    f"fusion_elementwise_{op}_activation": _elementwise for op in _BINARY if op != "mod"
}
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
    layer_shapes.conv,
)
_SHAPE_RULES |= dict.fromkeys(("pool2d", "pool3d", "max_pool2d_with_index"), layer_shapes.pool)
_SHAPE_RULES["pad"] = _pad
_SHAPE_RULES |= dict.fromkeys(("matmul", "matmul_v2", "bmm"), layer_shapes.matmul)
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
    f"{kind}_interp{version}": layer_shapes.interp
    for kind in ("nearest", "bilinear", "bicubic", "linear", "trilinear")
    for version in ("", "_v2")
}
_SHAPE_RULES |= dict.fromkeys(("lookup_table", "lookup_table_v2"), _lookup)
_SHAPE_RULES |= {
    "mul": layer_shapes.mul,
    "fc": layer_shapes.fc,
    "kv_cache_append": layer_shapes.cache_rows,
    "kv_cache_keep": layer_shapes.cache_rows,
    "linear_attention": layer_shapes.linear_attention,
    "expert_matmul": layer_shapes.expert_matmul,
    "dynamic_quantize_matmul": layer_shapes.rows_times(1),
    "matmul_nbits": layer_shapes.rows_times(0),
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
