"""Powers, softmax, and what real Paddle Lite computes of floats only."""

from __future__ import annotations

from lite.core.optimizer.exchange.rewrite import INTEGERS, Site, rewrite
from lite.core.optimizer.graph import Value
from lite.model.program import DataType

_AXIS = {"axis": -1}


def _x(site: Site) -> Value:
    x = site.node.input("X")
    assert x is not None
    return x


@rewrite("pow", target="x86")
def power(site: Site) -> bool:
    """x86 takes the logarithm of the base: one negative number spoils all of them."""
    factor = site.node.number("factor", 1.0)
    x = _x(site)
    if site.node.input("FactorTensor") is not None or not factor.is_integer():
        return False
    if x.dtype is not DataType.FP32:
        return False
    if factor == 2:
        return site.finish("square", {"X": x})
    if factor == -1:
        return site.finish("reciprocal", {"X": x})
    if factor == 4:
        return site.finish("square", {"X": site.add("square", {"X": x})})
    if factor == 3:
        return site.finish("elementwise_mul", {"X": site.add("square", {"X": x}), "Y": x}, _AXIS)
    exponent = site.param([factor], DataType.FP32)
    return site.finish("elementwise_pow", {"X": x, "Y": exponent}, _AXIS)


def _centred(site: Site) -> tuple[Value, Value, Value]:
    """x without its maximum along the axis, the exponentials of that, and their sums."""
    x = _x(site)
    rank = site.rank(x)
    along = {"dim": [site.node.integer("axis", -1)], "keep_dim": True, "reduce_all": False}
    top = site.add("reduce_max", {"X": x}, along, rank=rank)
    centred = site.add("elementwise_sub", {"X": x, "Y": top}, _AXIS, rank=rank)
    powers = site.add("exp", {"X": centred}, rank=rank)
    return centred, powers, site.add("reduce_sum", {"X": powers}, along, rank=rank)


@rewrite("softmax", target="x86")
def softmax(site: Site) -> bool:
    """2.14 takes all that follows the axis for the axis."""
    x, axis = _x(site), site.node.integer("axis", -1)
    rank = site.rank(x)
    if x.dtype is not DataType.FP32 or axis == -1 or axis == (rank or 0) - 1:
        return False
    _, powers, sums = _centred(site)
    return site.finish("elementwise_div", {"X": powers, "Y": sums}, _AXIS)


@rewrite("log_softmax")
def log_softmax(site: Site) -> bool:
    """2.14 always takes the first axis."""
    x = _x(site)
    if x.dtype is not DataType.FP32 or site.rank(x) == 1 or site.node.integer("axis", -1) == 0:
        return False
    centred, _, sums = _centred(site)
    logarithm = site.add("log", {"X": sums}, rank=site.rank(x))
    return site.finish("elementwise_sub", {"X": centred, "Y": logarithm}, _AXIS)


@rewrite("abs")
def absolute(site: Site) -> bool:
    """Of integers: the larger of x and -x."""
    x = _x(site)
    if x.dtype not in (DataType.INT32, DataType.INT64):
        return False
    attrs = {"scale": -1.0, "bias": 0.0, "bias_after_scale": True}
    negative = site.add("scale", {"X": x}, attrs)
    return site.finish("elementwise_max", {"X": x, "Y": negative}, _AXIS)


@rewrite("square")
def square(site: Site) -> bool:
    """Of integers: x * x."""
    x = _x(site)
    if x.dtype not in INTEGERS:
        return False
    return site.finish("elementwise_mul", {"X": x, "Y": x}, _AXIS)


@rewrite("clip")
def clip(site: Site) -> bool:
    """Of integers: the smaller of the larger."""
    x, node = _x(site), site.node
    if x.dtype not in (DataType.INT32, DataType.INT64):
        return False
    limits = (1 << 31) if x.dtype is DataType.INT32 else (1 << 63)
    for type, slot, name in (("elementwise_max", "Min", "min"), ("elementwise_min", "Max", "max")):
        bound = node.input(slot)
        number = node.number(name, -limits if slot == "Min" else limits)
        if bound is None:
            if not -limits < number < limits:
                continue
            bound = site.param([int(number)], x.dtype)
        elif bound.dtype is not x.dtype:
            return False
        x = site.add(type, {"X": x, "Y": bound}, _AXIS)
    return site.finish("assign", {"X": x})


@rewrite("scale")
def scale_by_tensor(site: Site) -> bool:
    """Real Paddle Lite does not look at ScaleTensor."""
    x, node, factor = _x(site), site.node, site.node.input("ScaleTensor")
    if factor is None or factor.dtype is not x.dtype:
        return False
    bias = {"scale": 1.0, "bias": node.number("bias", 0.0), "bias_after_scale": True}
    if node.flag("bias_after_scale", True):
        grown = site.add("elementwise_mul", {"X": x, "Y": factor}, _AXIS)
        return site.finish("scale", {"X": grown}, bias)
    moved = site.add("scale", {"X": x}, bias)
    return site.finish("elementwise_mul", {"X": moved, "Y": factor}, _AXIS)


@rewrite("elementwise_floordiv")
def floor_divide(site: Site) -> bool:
    """Real Paddle Lite rounds towards zero; without the remainder nothing is to be rounded."""
    node = site.node
    x, y = node.input("X"), node.input("Y")
    assert x is not None and y is not None
    if x.dtype not in (DataType.INT32, DataType.INT64) or _is_size(x):
        return False
    axis = {"axis": node.integer("axis", -1)}
    rest = site.add("elementwise_mod", {"X": x, "Y": y}, axis)
    whole = site.add("elementwise_sub", {"X": x, "Y": rest}, axis)
    # A file is written once: the marked operator is not rewritten again.
    return site.finish("elementwise_floordiv", {"X": whole, "Y": y}, axis)


def _is_size(value: Value) -> bool:
    """Whether a value is a part of a tensor's shape, which is never negative."""
    for _ in range(8):
        node = value.producer
        if node is None or node.type not in ("shape", "cast", "slice"):
            return False
        if node.type == "shape":
            return True
        source = node.input("X") or node.input("Input")
        if source is None:
            return False
        value = source
    return False
