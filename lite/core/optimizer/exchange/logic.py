"""Truth values, and operands of several shapes, which logic does not broadcast there."""

from __future__ import annotations

from lite.core.optimizer.exchange.rewrite import LOGIC_ATTRS, Site, rewrite
from lite.core.optimizer.graph import Shape, Value
from lite.core.optimizer.shape_rules import COMPARISONS
from lite.model.program import DataType

_LOGIC = ("logical_and", "logical_or", "logical_xor")

_NUMBERS = (DataType.FP32, DataType.INT32, DataType.INT64)
_OF_TRUTHS = {
    "elementwise_mul": "logical_and",
    "bitwise_and": "logical_and",
    "bitwise_or": "logical_or",
    "bitwise_xor": "logical_xor",
}


def _whole(shapes: list[Shape]) -> tuple[int, list[bool]]:
    """The number of dimensions that operands have together, and which have their shape for sure.

    A size that is not known may be 1, unless it stands alone beside sizes of 1.
    """
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]

    def is_whole(own: int | None, sizes: tuple[int | None, ...]) -> bool:
        if own is None:
            return sizes.count(1) == len(sizes) - 1
        return own != 1 or sizes.count(1) == len(sizes)

    axes = list(zip(*padded, strict=True))
    return rank, [
        len(shape) == rank and all(map(is_whole, whole, axes))
        for shape, whole in zip(shapes, padded, strict=True)
    ]


def _broadcast(site: Site, values: list[Value], both: bool = False) -> list[Value] | None:
    """The operands in the shape that they have together, or None where nothing is to be done.

    With ``both`` only where no operand has that shape already.
    """
    found = [site.dims(value) for value in values]
    shapes = [shape for shape in found if shape is not None]
    if len(shapes) != len(found):
        return None
    rank, whole = _whole(shapes)
    if any(whole) if both else all(whole):
        return None
    sizes: Value | None = None
    for value, shape in zip(values, shapes, strict=True):
        if not shape:
            continue
        own = site.shape_of(value)
        if len(shape) < rank:
            ones = site.param([1] * (rank - len(shape)), DataType.INT32)
            own = site.add("concat", {"X": [ones, own]}, {"axis": 0}, rank=1)
        pair = {"X": own if sizes is None else sizes, "Y": own}
        sizes = own if sizes is None else site.add("elementwise_max", pair, {"axis": -1}, rank=1)
    assert sizes is not None
    return [
        value
        if is_whole
        else site.add("expand_v2", {"X": value, "Shape": sizes}, {"shape": []}, rank=rank)
        for value, is_whole in zip(values, whole, strict=True)
    ]


@rewrite("where")
def where(site: Site) -> bool:
    """Ours broadcasts, real Paddle Lite's demands one shape."""
    slots = ("Condition", "X", "Y")
    values = [value for slot in slots if (value := site.node.input(slot)) is not None]
    wide = _broadcast(site, values) if site.node.flag("broadcast") else None
    if wide is None or len(wide) != len(slots):
        return False
    return site.finish("where", dict(zip(slots, wide, strict=True)))


@rewrite(*COMPARISONS)
def compare(site: Site) -> bool:
    """One operand may be smaller than the other, but not each in one axis."""
    node = site.node
    values = [value for slot in ("X", "Y") if (value := node.input(slot)) is not None]
    if len(values) != 2 or node.integer("axis", -1) != -1:
        return False
    wide = _broadcast(site, values, both=True)
    if wide is None:
        return False
    return site.finish(node.type, {"X": wide[0], "Y": wide[1]}, LOGIC_ATTRS)


@rewrite(*_LOGIC, *_OF_TRUTHS)
def logic(site: Site) -> bool:
    """Only of truth values of one shape; their products are `logical_and`."""
    node = site.node
    values = [value for slot in ("X", "Y") if (value := node.input(slot)) is not None]
    truths = [value.dtype is DataType.BOOL for value in values]
    if len(values) != 2 or node.integer("axis", -1) != -1:
        return False
    if node.type in _OF_TRUTHS and not all(truths):
        return False
    wide = _broadcast(site, values)
    if wide is None and node.type in _LOGIC and all(truths):
        return False
    operands = [_truth(site, value) for value in wide or values]
    if None in operands:
        return False
    type = _OF_TRUTHS.get(node.type, node.type)
    inputs = {slot: v for slot, v in zip(("X", "Y"), operands, strict=True) if v is not None}
    return site.finish(type, inputs, LOGIC_ATTRS)


def _truth(site: Site, value: Value) -> Value | None:
    """A value as a truth value: whether it is not 0."""
    if value.dtype is DataType.BOOL:
        return value
    if value.dtype not in _NUMBERS:
        return None
    inputs = {"X": value, "Y": site.param([0], value.dtype)}
    return site.add("not_equal", inputs, LOGIC_ATTRS, DataType.BOOL, site.rank(value))


@rewrite("logical_not")
def negation(site: Site) -> bool:
    """Of numbers: whether they are 0."""
    x = site.node.input("X")
    if x is None or x.dtype not in _NUMBERS:
        return False
    return site.finish("equal", {"X": x, "Y": site.param([0], x.dtype)}, LOGIC_ATTRS)


@rewrite("reduce_sum")
def count(site: Site) -> bool:
    """Truth values are counted as integers."""
    node = site.node
    x = node.input("X")
    if x is None or x.dtype is not DataType.BOOL or node.input("AxisTensor") is not None:
        return False
    attrs = {"in_dtype": int(DataType.BOOL), "out_dtype": int(DataType.INT64)}
    numbers = site.add("cast", {"X": x}, attrs, DataType.INT64, site.rank(x))
    return site.finish("reduce_sum", {"X": numbers}, node.attrs)


@rewrite("cast")
def to_bool(site: Site) -> bool:
    """True is what is not 0."""
    x, out = site.node.input("X"), site.node.output("Out")
    if x is None or out is None or out.dtype is not DataType.BOOL:
        return False
    return x.dtype in _NUMBERS and _not_zero(site, x)


def _not_zero(site: Site, x: Value) -> bool:
    assert x.dtype is not None
    zero = site.param([0], x.dtype)
    return site.finish("not_equal", {"X": x, "Y": zero}, LOGIC_ATTRS)


@rewrite("concat")
def concat(site: Site) -> bool:
    """Truth values are joined as integers."""
    node = site.node
    parts = node.inputs.get("X", [])
    if not parts or any(part.dtype is not DataType.BOOL for part in parts):
        return False
    attrs = {"in_dtype": int(DataType.BOOL), "out_dtype": int(DataType.INT32)}
    numbers = [site.add("cast", {"X": part}, attrs, DataType.INT32) for part in parts]
    inputs = {**node.inputs, "X": numbers}
    return _not_zero(site, site.add("concat", inputs, node.attrs, DataType.INT32))


@rewrite("reduce_all", "reduce_any")
def reduce(site: Site) -> bool:
    """One axis after the other, from the last on: real Paddle Lite takes one or all."""
    node = site.node
    x = node.input("X")
    dims = node.integers("dim", [0])
    if x is None or node.flag("reduce_all") or node.input("AxisTensor") is not None:
        return False
    rank = site.rank(x)
    if rank is None or any(not -rank <= dim < rank for dim in dims):
        return False
    axes = sorted({dim % rank for dim in dims}, reverse=True)
    if not axes or axes == dims:
        return False
    keep = node.flag("keep_dim")
    attrs = [{"dim": [axis], "keep_dim": keep, "reduce_all": False} for axis in axes]
    for number, attr in enumerate(attrs[:-1]):
        x = site.add(node.type, {"X": x}, attr, rank=rank if keep else rank - 1 - number)
    return site.finish(node.type, {"X": x}, attrs[-1])
