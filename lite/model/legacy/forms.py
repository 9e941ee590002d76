"""Operators that Paddle 2.6 says in another way."""

from __future__ import annotations

from collections.abc import Callable

from lite.model.legacy.fused import conv, elementwise
from lite.model.legacy.numbers import rint, trunc_divide
from lite.model.legacy.writer import CannotHold, Writer
from lite.model.program import Attr, AttrType, DataType, OpDesc


def _assign_value(w: Writer, op: OpDesc) -> None:
    """Doubles: Paddle 3 has another attribute than 2.6."""
    numbers = op.attrs.get("fp64_values")
    if numbers is not None:
        op.attrs["values"] = Attr(AttrType.SCALARS, list(numbers.value))
    w.ops.append(op)


def _baddbmm(w: Writer, op: OpDesc) -> None:
    """beta Input + alpha X Y."""
    out = op.outputs["Out"][0]
    product = w.variable(out, out)
    w.add("matmul_v2", {"X": op.inputs["X"], "Y": op.inputs["Y"]}, product)
    terms = []
    for name, factor in ((op.inputs["Input"][0], "beta"), (product, "alpha")):
        terms.append(w.scaled(name, w.variable(out, name), float(op.attr(factor, 1.0))))
    w.binary("elementwise_add", terms[0], terms[1], out)


def _batch_norm(w: Writer, op: OpDesc) -> None:
    """The running statistics are written where they are read."""
    for slot, source in (("MeanOut", "Mean"), ("VarianceOut", "Variance")):
        op.outputs[slot] = list(op.inputs.get(source, []))
    for slot in ("SavedMean", "SavedVariance"):
        if not op.outputs.get(slot):
            op.outputs[slot] = [w.variable(f"batch_norm.{slot}", None)]
    w.ops.append(op)


def _cast(w: Writer, op: OpDesc) -> None:
    """Paddle wants to know what it reads."""
    if op.attrs.get("in_dtype") is None:
        var = w.declared(op.inputs["X"][0])
        if var is None or var.dtype is None:
            raise CannotHold(f"the element type of {op.inputs['X'][0]} is unknown")
        op.attrs["in_dtype"] = Attr(AttrType.INT, int(var.dtype))
    w.ops.append(op)


def _deformable_conv(w: Writer, op: OpDesc) -> None:
    if not op.inputs.get("Mask"):
        op.type = "deformable_conv_v1"
    w.ops.append(op)


def _eye(w: Writer, op: OpDesc) -> None:
    """Rows that are computed: a line of ones on the diagonal."""
    rows, columns = (op.inputs.get(slot, []) for slot in ("RowsTensor", "ColumnsTensor"))
    if not rows and not columns:
        w.ops.append(op)
        return
    if not rows or (columns or rows) != rows:
        raise CannotHold("rows or columns that are computed apart")
    out = op.outputs["Out"][0]
    dtype = {"dtype": Attr(AttrType.INT, int(op.attr("dtype", int(DataType.FP32))))}
    one = {"shape": Attr(AttrType.LONGS, [1]), "value": Attr(AttrType.FLOAT, 1.0)}
    ones = w.variable(out, out)
    w.add("fill_constant", {"ShapeTensor": rows}, ones, one | dtype)
    attrs = {"offset": Attr(AttrType.INT, 0), "padding_value": Attr(AttrType.FLOAT, 0.0)}
    w.add("diag_v2", {"X": [ones]}, out, attrs)


def _gammaln(w: Writer, op: OpDesc) -> None:
    w.add("lgamma", {"X": op.inputs["x"]}, op.outputs["out"][0])


def _counted_axis(w: Writer, op: OpDesc) -> None:
    """An axis from the end is taken for another one."""
    axis = op.attr("axis", 0)
    if isinstance(axis, int) and axis < 0:
        positive = axis + len(w.shape(op.inputs["X"][0]))
        op.attrs["axis"] = Attr(AttrType.INT, positive)
    w.ops.append(op)


def _histogram(w: Writer, op: OpDesc) -> None:
    """The ends were integers."""
    for name in ("min", "max"):
        value = float(op.attr(name, 0))
        if value != int(value):
            raise CannotHold(f"{name} is {value}")
        op.attrs[name] = Attr(AttrType.INT, int(value))
    w.ops.append(op)


def _matrix_rank(w: Writer, op: OpDesc) -> None:
    """int64 in Paddle 3, int32 before."""
    out = op.outputs["Out"][0]
    op.outputs["Out"] = [w.variable(out, out)]
    op.attrs.pop("out_dtype", None)
    w.ops.append(op)
    w.cast(op.outputs["Out"][0], DataType.INT64, out)


def _reduce(w: Writer, op: OpDesc) -> None:
    """All axes are named: ``reduce_all`` does not count."""
    if op.attr("reduce_all", False):
        rank = len(w.shape(op.input("X")))
        op.attrs["dim"] = Attr(AttrType.INTS, list(range(rank)))
    w.ops.append(op)


def _set_value(w: Writer, op: OpDesc) -> None:
    """Numbers of every type are one attribute, which Paddle 3 fills from the older ones."""
    for name in ("bool_values", "fp32_values", "fp64_values", "int32_values", "int64_values"):
        found = op.attrs.get(name)
        if found is not None and not op.inputs.get("ValueTensor"):
            kind = {"bool": bool, "fp32": float, "fp64": float}.get(name.split("_")[0], int)
            op.attrs["values"] = Attr(AttrType.SCALARS, [kind(v) for v in found.value])
    w.ops.append(op)


def _strided_slice(w: Writer, op: OpDesc) -> None:
    count = len(op.attr("axes", []))
    op.attrs.setdefault("infer_flags", Attr(AttrType.INTS, [1] * count))
    op.attrs.setdefault("decrease_axis", Attr(AttrType.INTS, []))
    if op.attrs.pop("as_numpy", Attr(AttrType.BOOLEAN, False)).value:
        _without_going_back(w, op)
    w.ops.append(op)


def _without_going_back(w: Writer, op: OpDesc) -> None:
    """An end of -1 means another thing in Paddle 2.6 and 3: flipped axes are taken forwards."""
    starts, ends, strides = (list(op.attr(name, [])) for name in ("starts", "ends", "strides"))
    flipped = [i for i, stride in enumerate(strides) if stride < 0]
    if any(op.inputs.get(slot) for slot in ("StridesTensor", "StridesTensorList")):
        raise CannotHold("strides that are computed")
    if not flipped:
        return
    computed = (f"{name}Tensor{kind}" for name in ("Starts", "Ends") for kind in ("", "List"))
    if any(op.inputs.get(slot) for slot in computed):
        raise CannotHold("backwards between ends that are computed")
    source, axes = op.inputs["Input"][0], op.attr("axes", [])
    shape = w.shape(source)
    for i in flipped:
        starts[i], ends[i] = (
            _from_the_end(number, shape[axes[i]]) for number in (starts[i], ends[i])
        )
        strides[i] = -strides[i]
    for name, numbers in (("starts", starts), ("ends", ends), ("strides", strides)):
        op.attrs[name] = Attr(AttrType.INTS, numbers)
    turned = {"axis": Attr(AttrType.INTS, [axes[i] for i in flipped])}
    op.inputs = {"Input": [w.add("flip", {"X": [source]}, w.variable(source, source), turned)]}


def _from_the_end(index: int, size: int) -> int:
    """Where an index lies in a flipped axis; a size of -1 is unknown."""
    if size >= 0:
        own = index + size if index < 0 else index
        return size - 1 - min(max(own, -1), size - 1)
    if index >= 0 and index != _END:
        raise CannotHold("backwards along an axis of an unknown size")
    return 0 if index == _END else min(-index - 1, _END)


_END = 2**31 - 1


def _swiglu(w: Writer, op: OpDesc) -> None:
    """swish(x) y, or of the two halves of x."""
    out = op.outputs["out"][0]
    x = op.inputs["x"][0]
    if op.inputs.get("y"):
        y = op.inputs["y"][0]
    else:
        axis = Attr(AttrType.INT, len(w.shape(x)) - 1)
        attrs = {"axis": axis, "num": Attr(AttrType.INT, 2), "sections": Attr(AttrType.INTS, [])}
        halves = [w.variable(out, out), w.variable(out, out)]
        w.ops.append(OpDesc("split", {"X": [x]}, {"Out": halves}, attrs))
        x, y = halves
    attrs = {"beta": Attr(AttrType.FLOAT, 1.0)}
    gate = w.add("swish", {"X": [x]}, w.variable(out, out), attrs)
    w.binary("elementwise_mul", gate, y, out)


def _swish(w: Writer, op: OpDesc) -> None:
    """x sigmoid(beta x): 2.6 leaves beta aside."""
    beta, x, out = float(op.attr("beta", 1.0)), op.inputs["X"][0], op.outputs["Out"][0]
    if beta == 1.0:
        w.ops.append(op)
        return
    inner = w.scaled(x, w.variable(out, x), beta)
    gate = w.add("sigmoid", {"X": [inner]}, w.variable(out, x))
    w.binary("elementwise_mul", x, gate, out)


def _with_shape(w: Writer, op: OpDesc) -> None:
    """The second version of an operator, which writes the shape that it read."""
    op.type += "2"
    op.outputs["XShape"] = [w.variable(f"{op.type}.XShape", None)]
    w.ops.append(op)


def _where(w: Writer, op: OpDesc) -> None:
    """Paddle 2.6 wants three tensors of one shape."""
    names = [op.inputs[slot][0] for slot in ("Condition", "X", "Y")]
    broadcast = op.attrs.pop("broadcast", None)
    shapes = {w.shape(name) for name in names}
    if broadcast is None or not broadcast.value or (len(shapes) == 1 and -1 not in shapes.pop()):
        w.ops.append(op)
        return
    var = w.declared(names[1])
    dtype = DataType.FP32 if var is None or var.dtype is None else var.dtype
    out = op.outputs["Out"][0]
    sources = [w.cast(names[0], dtype), *names[1:]]
    made = [w.variable(out, out, dtype) for _ in sources]
    w.ops.append(OpDesc("broadcast_tensors", {"X": sources}, {"Out": made}))
    op.inputs = {"Condition": [w.cast(made[0], DataType.BOOL)], "X": [made[1]], "Y": [made[2]]}
    w.ops.append(op)


_CONVS = ("conv2d", "conv3d", "depthwise_conv2d")

SPECIAL: dict[str, Callable[[Writer, OpDesc], None]] = {
    "assign_value": _assign_value,
    "baddbmm": _baddbmm,
    "batch_norm": _batch_norm,
    "cast": _cast,
    **dict.fromkeys((f"{kind}{turned}" for kind in _CONVS for turned in ("", "_transpose")), conv),
    "deformable_conv": _deformable_conv,
    "eye": _eye,
    "flatten": _with_shape,
    **{
        f"fusion_elementwise_{kind}_activation": elementwise
        for kind in "add div floordiv max min mul pow sub".split()
    },
    "gammaln": _gammaln,
    "gather": _counted_axis,
    "histogram": _histogram,
    "matrix_rank": _matrix_rank,
    "reduce_amax": _reduce,
    "reduce_amin": _reduce,
    "rint": rint,
    "set_value": _set_value,
    "split": _counted_axis,
    "squeeze": _with_shape,
    "strided_slice": _strided_slice,
    "swiglu": _swiglu,
    "swish": _swish,
    "trunc_divide": trunc_divide,
    "unsqueeze": _with_shape,
    "where": _where,
}
