"""Operators for which real Paddle Lite has no kernel, by those that it has."""

from __future__ import annotations

import math

import numpy as np

from lite.core.optimizer.exchange.rewrite import LOGIC_ATTRS, Site, rewrite
from lite.core.optimizer.fold import MAX_NEW_CONSTANT
from lite.core.optimizer.graph import Value
from lite.model.program import Attr, AttrType, DataType

_AXIS = {"axis": -1}
_OTHER_NAMES = {
    "depthwise_conv2d_transpose": "conv2d_transpose",
    "reduce_amax": "reduce_max",
    "reduce_amin": "reduce_min",
}


def _inputs(site: Site, *slots: str) -> list[Value]:
    """The operands in some slots, [] where one is missing or not of float32."""
    values = [value for slot in slots if (value := site.node.input(slot)) is not None]
    floats = all(value.dtype is DataType.FP32 for value in values)
    return values if floats and len(values) == len(slots) else []


def _scaled(site: Site, x: Value, scale: float, bias: float = 0.0) -> Value:
    if (scale, bias) == (1.0, 0.0):
        return x
    return site.add("scale", {"X": x}, _affine(scale, bias), rank=site.rank(x))


def _affine(scale: float, bias: float = 0.0) -> dict[str, object]:
    return {"scale": scale, "bias": bias, "bias_after_scale": True}


@rewrite(*_OTHER_NAMES)
def other_name(site: Site) -> bool:
    """Which of equal elements has the gradient makes no difference here."""
    node = site.node
    slot = next(iter(node.outputs))
    return site.finish(_OTHER_NAMES[node.type], node.inputs, node.attrs, slot, slot)


@rewrite("bmm", "mv", "dot")
def product(site: Site) -> bool:
    """Products of matrices and vectors."""
    node = site.node
    operands = _inputs(site, "X", "Vec" if node.type == "mv" else "Y")
    if not operands:
        return False
    x, y = operands
    if node.type == "dot":
        products = site.add("elementwise_mul", {"X": x, "Y": y}, _AXIS, rank=site.rank(x))
        attrs = {"dim": [-1], "keep_dim": False, "reduce_all": False}
        return site.finish("reduce_sum", {"X": products}, attrs)
    return site.finish("matmul_v2", {"X": x, "Y": y}, {"trans_x": False, "trans_y": False})


@rewrite("addmm", "baddbmm")
def add_product(site: Site) -> bool:
    """beta * input + alpha * x @ y."""
    node = site.node
    operands = _inputs(site, "Input", "X", "Y")
    if not operands:
        return False
    added, x, y = operands
    alpha, beta = (node.number(n, node.number(n.lower(), 1.0)) for n in ("Alpha", "Beta"))
    attrs = {"trans_x": False, "trans_y": False}
    result = site.add("matmul_v2", {"X": x, "Y": y}, attrs, rank=site.rank(x))
    parts = {"X": _scaled(site, result, alpha), "Y": _scaled(site, added, beta)}
    return site.finish("elementwise_add", parts, _AXIS)


@rewrite("sum")
def add_all(site: Site) -> bool:
    """Of tensors, one after the other."""
    parts = site.node.inputs.get("X", [])
    known = (DataType.FP32, DataType.INT32, DataType.INT64)
    if any(part.dtype not in known for part in parts) or len({p.dtype for p in parts}) != 1:
        return False
    if any(site.dims(part) is None for part in parts):  # lists of rows have no dims
        return False
    if len(parts) == 1:
        return site.finish("assign", {"X": parts[0]})
    total = parts[0]
    for part in parts[1:-1]:
        total = site.add("elementwise_add", {"X": total, "Y": part}, _AXIS)
    return site.finish("elementwise_add", {"X": total, "Y": parts[-1]}, _AXIS)


@rewrite("isnan_v2", "isinf_v2", "isfinite_v2")
def kind_of_number(site: Site) -> bool:
    """What is not itself is no number."""
    node = site.node
    operands = _inputs(site, "X")
    if not operands:
        return False
    (x,) = operands
    if node.type == "isnan_v2":
        return site.finish("not_equal", {"X": x, "Y": x}, LOGIC_ATTRS)
    endless = site.param([math.inf], DataType.FP32)
    type = "equal" if node.type == "isinf_v2" else "less_than"
    inputs = {"X": site.add("abs", {"X": x}, rank=site.rank(x)), "Y": endless}
    return site.finish(type, inputs, LOGIC_ATTRS)


@rewrite("size")
def size(site: Site) -> bool:
    """The product of the sizes."""
    x, out = site.node.input("Input"), site.node.output("Out")
    rank = None if x is None else site.rank(x)
    if x is None or out is None or not rank or out.dtype is not DataType.INT64:
        return False
    attrs = {"dim": [0], "keep_dim": False, "reduce_all": False}
    count = site.add("reduce_prod", {"X": site.shape_of(x)}, attrs, DataType.INT32)
    count.shape = ()
    types = {"in_dtype": int(DataType.INT32), "out_dtype": int(DataType.INT64)}
    return site.finish("cast", {"X": count}, types)


@rewrite("brelu")
def limited(site: Site) -> bool:
    """Under another name."""
    node = site.node
    operands = _inputs(site, "X")
    attrs = {"min": node.number("t_min", 0.0), "max": node.number("t_max", 24.0)}
    return bool(operands) and site.finish("clip", {"X": operands[0]}, attrs)


@rewrite("expand_as_v2")
def expand_as(site: Site) -> bool:
    """To the shape of Y."""
    node = site.node
    x, y, shape = node.input("X"), node.input("Y"), node.integers("target_shape")
    if x is None or (y is None and not shape):
        return False
    if y is None:
        return site.finish("expand_v2", {"X": x}, {"shape": shape})
    return site.finish("expand_v2", {"X": x, "Shape": site.shape_of(y)}, {"shape": []})


@rewrite("arg_min")
def arg_min(site: Site) -> bool:
    """Where the largest of -x is."""
    operands = _inputs(site, "X")
    if not operands or site.node.flag("flatten"):
        return False
    negative = _scaled(site, operands[0], -1.0)
    return site.finish("arg_max", {"X": negative}, {**site.node.attrs, "flatten": False})


@rewrite("eye")
def eye(site: Site) -> bool:
    """A constant."""
    node, out = site.node, site.node.output("Out")
    rows = node.integer("num_rows", -1)
    columns = node.integer("num_columns", -1)
    columns = rows if columns < 0 else columns
    known = (DataType.FP32, DataType.INT32, DataType.INT64)
    if any(node.inputs.values()) or out is None or out.dtype not in known or rows < 0:
        return False
    if rows * columns * 8 > MAX_NEW_CONSTANT:
        return False
    return site.finish("assign", {"X": site.param(np.eye(rows, columns), out.dtype)})


@rewrite("log2", "log10")
def logarithm(site: Site) -> bool:
    """A multiple of the natural one."""
    operands = _inputs(site, "X")
    if not operands:
        return False
    natural = site.add("log", {"X": operands[0]}, rank=site.rank(operands[0]))
    base = 2 if site.node.type == "log2" else 10
    return site.finish("scale", {"X": natural}, _affine(1 / math.log(base)))


@rewrite("tanh_shrink")
def tanh_shrink(site: Site) -> bool:
    """x - tanh(x)."""
    operands = _inputs(site, "X")
    if not operands:
        return False
    (x,) = operands
    return site.finish("elementwise_sub", {"X": x, "Y": site.add("tanh", {"X": x})}, _AXIS)


@rewrite("stanh")
def stanh(site: Site) -> bool:
    """b * tanh(a * x)."""
    node, operands = site.node, _inputs(site, "X")
    if not operands:
        return False
    curve = site.add("tanh", {"X": _scaled(site, operands[0], node.number("scale_a", 0.67))})
    return site.finish("scale", {"X": curve}, _affine(node.number("scale_b", 1.7159)))


@rewrite("celu", "selu")
def elu(site: Site) -> bool:
    """ELU between two factors."""
    node, operands = site.node, _inputs(site, "X")
    alpha = node.number("alpha", 1.0 if node.type == "celu" else 1.6732632423543772)
    if not operands or alpha == 0:
        return False
    (x,) = operands
    if node.type == "selu":
        curve = site.add("elu", {"X": x}, {"alpha": alpha})
        return site.finish("scale", {"X": curve}, _affine(node.number("scale", 1.0507009873554805)))
    curve = site.add("elu", {"X": _scaled(site, x, 1 / alpha)}, {"alpha": 1.0})
    return site.finish("scale", {"X": curve}, _affine(alpha))


@rewrite("swiglu")
def swiglu(site: Site) -> bool:
    """silu(x) * y; without y the last axis has both."""
    node = site.node
    operands = _inputs(site, "x", "y") or _inputs(site, "x")
    out = node.output("out")
    if not operands or out is None or len(operands) != sum(map(len, node.inputs.values())):
        return False
    if len(operands) == 1:
        rank = site.rank(operands[0])
        if rank is None:
            return False
        halves = [Value(site.graph.fresh_name(f"{out.name}.{i}")) for i in range(2)]
        for half in halves:
            half.dtype, half.shape = DataType.FP32, (None,) * rank
        attrs = {"axis": Attr(AttrType.INT, rank - 1), "num": Attr(AttrType.INT, 2)}
        attrs["sections"] = Attr(AttrType.INTS, [])
        site.graph.insert(node, "split", {"X": operands}, {"Out": halves}, attrs)
        operands = halves
    gate = site.add("silu", {"X": operands[0]}, rank=site.rank(operands[0]))
    inputs = {"X": gate, "Y": operands[1]}
    return site.finish_value("elementwise_mul", inputs, _AXIS, out)


@rewrite("lerp")
def between(site: Site) -> bool:
    """x + w * (y - x)."""
    operands = _inputs(site, "X", "Y", "Weight")
    if not operands:
        return False
    x, y, weight = operands
    step = site.add("elementwise_sub", {"X": y, "Y": x}, _AXIS)
    part = site.add("elementwise_mul", {"X": step, "Y": weight}, _AXIS)
    return site.finish("elementwise_add", {"X": x, "Y": part}, _AXIS)


@rewrite("masked_select")
def masked_select(site: Site) -> bool:
    """What stands where the mask is true."""
    x, mask = site.node.input("X"), site.node.input("Mask")
    if x is None or mask is None or x.dtype not in (DataType.FP32, DataType.INT64):
        return False
    if site.dims(x) is None or site.dims(x) != site.dims(mask):
        return False
    places = site.add("where_index", {"Condition": mask}, dtype=DataType.INT64, rank=2)
    return site.finish("gather_nd", {"X": x, "Index": places}, old="Y")


@rewrite("channel_shuffle")
def channel_shuffle(site: Site) -> bool:
    """Under another name."""
    node, operands = site.node, _inputs(site, "X")
    if not operands or node.string("data_format", "NCHW") != "NCHW":
        return False
    return site.finish("shuffle_channel", {"X": operands[0]}, {"group": node.integer("groups", 1)})


@rewrite("mean")
def mean(site: Site) -> bool:
    """Of all elements."""
    operands = _inputs(site, "X")
    attrs = {"dim": [0], "keep_dim": False, "reduce_all": True}
    return bool(operands) and site.finish("reduce_mean", {"X": operands[0]}, attrs)


@rewrite("index_sample")
def index_sample(site: Site) -> bool:
    """Each row takes of its own: places in the rows laid end to end."""
    node = site.node
    x, index = node.input("X"), node.input("Index")
    if x is None or index is None or x.dtype not in (DataType.FP32, DataType.INT64):
        return False
    sizes = site.add("cast", {"X": site.shape_of(x)}, _TO_INT64, DataType.INT64, 1)
    rows, width = (site.add("slice", {"Input": sizes}, _one(i), rank=1) for i in range(2))
    end = site.add("elementwise_mul", {"X": rows, "Y": width}, _AXIS, rank=1)
    first = {"Start": site.param([0], DataType.INT64), "End": end, "Step": width}
    starts = site.add("range", first, dtype=DataType.INT64, rank=1)
    column = site.add("reshape2", {"X": starts}, {"shape": [-1, 1]}, rank=2)
    places = index
    if index.dtype is not DataType.INT64:
        types = {"in_dtype": int(index.dtype or DataType.INT32), "out_dtype": 3}
        places = site.add("cast", {"X": index}, types, DataType.INT64, 2)
    flat = site.flat(site.add("elementwise_add", {"X": places, "Y": column}, _AXIS, rank=2))
    taken = site.add("gather", {"X": site.flat(x), "Index": flat}, {"axis": 0}, rank=1)
    return site.finish("reshape2", {"X": taken, "Shape": site.shape_of(index)})


_TO_INT64 = {"in_dtype": int(DataType.INT32), "out_dtype": int(DataType.INT64)}


def _one(place: int) -> dict[str, list[int]]:
    flags = {"infer_flags": [1], "decrease_axis": []}
    return {"axes": [0], "starts": [place], "ends": [place + 1], **flags}
