"""Slices, orders and numbers without dimensions."""

from __future__ import annotations

from lite.core.optimizer.exchange.rewrite import END, Site, rewrite, typed
from lite.core.optimizer.graph import Value
from lite.core.optimizer.kernel_pick import is_array
from lite.model.program import Attr, AttrType, DataType

_FAR = 1 << 30


@rewrite("reshape2", "reshape")
def to_scalar(site: Site) -> bool:
    """Real Paddle Lite wants a shape; dropping all axes of size 1 says the same."""
    node = site.node
    x, out = node.input("X"), node.output("Out")
    if x is None or out is None or node.input("Shape") or node.inputs.get("ShapeTensor"):
        return False
    if "shape" not in node.attrs or node.integers("shape"):
        return False
    return site.finish("squeeze2", {"X": x}, {"axes": []})


@rewrite("fill_constant")
def scalar_constant(site: Site) -> bool:
    """2.13 knows no constant without dimensions."""
    node = site.node
    out = node.output("Out")
    if out is None or any(node.inputs.values()) or "shape" not in node.attrs:
        return False
    text = node.string("str_value")
    if node.integers("shape") or text:
        return False
    if out.dtype not in (DataType.FP32, DataType.INT32, DataType.INT64, DataType.BOOL):
        return False
    return site.finish("assign", {"X": site.param(node.number("value", 0.0), out.dtype)})


@rewrite("stack")
def stack_scalars(site: Site) -> bool:
    """Numbers without dimensions are [1] there, so that a second axis comes into being."""
    node = site.node
    parts = node.inputs.get("X", [])
    out = node.output("Y")
    if not parts or out is None or any(part.shape != () for part in parts):
        return False
    stacked = site.add("stack", {"X": parts}, {"axis": 0}, rank=1, slot="Y")
    return site.finish("reshape2", {"X": stacked}, {"shape": [len(parts)]}, old="Y")


@rewrite("unbind")
def unbind(site: Site) -> bool:
    """2.14 damages the heap: each part is a slice."""
    node = site.node
    x, parts = node.input("X"), node.outputs.get("Out", [])
    rank = None if x is None else site.rank(x)
    axis = node.integer("axis", 0)
    if x is None or rank is None or not -rank <= axis < rank:
        return False
    axes = [axis % rank]
    for index, part in enumerate(parts):
        ends = [index + 1]
        attrs = {"axes": axes, "starts": [index], "ends": ends, "decrease_axis": axes}
        made = {name: typed(value) for name, value in {**attrs, "infer_flags": [1]}.items()}
        site.graph.insert(node, "slice", {"Input": [x]}, {"Out": [part]}, made)
    site.graph.remove(node)
    return True


@rewrite("empty")
def empty(site: Site) -> bool:
    """2.13 has no such operator; any numbers will do."""
    node = site.node
    names = {"ShapeTensorList": "ShapeTensorList", "ShapeTensor": "ShapeTensor"}
    inputs = {names[slot]: values for slot, values in node.inputs.items() if slot in names}
    zeros = {"value": 0.0, "str_value": "", "force_cpu": False}
    return site.finish("fill_constant", inputs, {**node.attrs, **zeros})


@rewrite("arg_max")
def flat_arg_max(site: Site) -> bool:
    """Real Paddle Lite does not look at ``flatten``."""
    node = site.node
    x = node.input("X")
    if x is None or not node.flag("flatten") or node.flag("keepdims"):
        return False
    attrs = {**node.attrs, "flatten": False, "axis": Attr(AttrType.LONG, 0)}
    return site.finish("arg_max", {"X": site.flat(x)}, attrs)


@rewrite("roll")
def flat_roll(site: Site) -> bool:
    """Without axes the tensor is one row."""
    node = site.node
    x = node.input("X")
    if x is None or node.integers("axis") or node.input("ShiftsTensor") is not None:
        return False
    attrs = {**node.attrs, "axis": Attr(AttrType.LONGS, [0])}
    rolled = site.add("roll", {"X": site.flat(x)}, attrs, rank=1)
    return site.finish("reshape2", {"X": rolled, "Shape": site.shape_of(x)})


@rewrite("top_k_v2")
def smallest(site: Site) -> bool:
    """Real Paddle Lite does not look at ``largest``."""
    node = site.node
    x, out = node.input("X"), node.output("Out")
    if x is None or out is None or node.flag("largest", True) or x.dtype is not DataType.FP32:
        return False
    negate = {"scale": -1.0, "bias": 0.0, "bias_after_scale": True}
    negative = site.add("scale", {"X": x}, negate)
    found = Value(site.graph.fresh_name(f"{out.name}.negative"))
    found.dtype, found.shape = out.dtype, out.shape
    attrs = {**node.attrs, "largest": Attr(AttrType.BOOLEAN, True)}
    inputs, outputs = {**node.inputs, "X": [negative]}, {**node.outputs, "Out": [found]}
    site.graph.insert(node, "top_k_v2", inputs, outputs, attrs)
    return site.finish("scale", {"X": found}, negate)


@rewrite("strided_slice")
def backwards(site: Site) -> bool:
    """Backwards is forwards in the reversed tensor: place i is place -1 - i there."""
    node = site.node
    x = node.input("Input")
    names = ("axes", "starts", "ends", "strides")
    axes, starts, ends, strides = (node.integers(name) for name in names)
    if x is None or len(node.inputs) != 1 or min(strides, default=1) > 0:
        return False
    if len({len(axes), len(starts), len(ends), len(strides)}) != 1:
        return False
    if x.dtype not in (DataType.FP32, DataType.INT64) or any(a < 0 for a in axes):
        return False
    turned = [axis for axis, stride in zip(axes, strides, strict=True) if stride < 0]
    for i, stride in enumerate(strides):
        if stride < 0:
            strides[i] = -stride
            starts[i] = 0 if starts[i] >= _FAR else -1 - starts[i]
            # An end of -1 is in front of the first place.
            ends[i] = END if ends[i] == -1 else min(-1 - ends[i], END)
    flipped = site.add("flip", {"X": x}, {"axis": turned}, rank=site.rank(x))
    attrs = {**node.attrs, "axes": axes, "starts": starts, "ends": ends}
    if all(stride == 1 for stride in strides):
        del attrs["strides"]
        attrs = {"infer_flags": [1] * len(axes), "decrease_axis": [], **attrs}
        return site.finish("slice", {"Input": flipped}, attrs)
    return site.finish("strided_slice", {"Input": flipped}, {**attrs, "strides": strides})


@rewrite("slice")
def element(site: Site) -> bool:
    """One element of a list of tensors, which real Paddle Lite cannot slice, is read."""
    node = site.node
    x = node.input("Input")
    starts, ends = node.integers("starts"), node.integers("ends")
    if x is None or len(node.inputs) != 1 or not is_array(node, x):
        return False
    if node.integers("decrease_axis") != [0] or len(starts) != 1 or len(ends) != 1:
        return False
    place = starts[0]
    if place >= 0:
        index = site.param([place], DataType.INT64)
    else:
        length = site.add("lod_array_length", {"X": x}, dtype=DataType.INT64, rank=1)
        back = {"scale": 1.0, "bias": float(place), "bias_after_scale": True}
        index = site.add("scale", {"X": length}, back, rank=1)
    return site.finish("read_from_array", {"X": x, "I": index})
