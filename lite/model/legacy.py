"""A Program in the words of Paddle 2.6, whose `.pdmodel` Paddle 2.6 and 3 read.

Programs of Paddle 3 say some things otherwise: outputs that only training reads are left out,
attributes have become tensors, and there are operators that Paddle 2.6 does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lite.errors import UnsupportedOperatorError
from lite.model.program import Attr, AttrType, BlockDesc, DataType, OpDesc, Program, VarDesc

_OUTPUTS: dict[str, tuple[str, ...]] = {
    "eigvalsh": ("Eigenvectors",),
    "group_norm": ("Mean", "Variance"),
    "huber_loss": ("Residual",),
    "instance_norm": ("SavedMean", "SavedVariance"),
    "layer_norm": ("Mean", "Variance"),
    "lu": ("Infos",),
    "nanmedian": ("MedianIndex",),
    "qr": ("Q",),
    "roi_pool": ("Argmax",),
    "rrelu": ("Noise",),
    "segment_pool": ("SummedIds",),
}
"""Outputs that Paddle's kernels write whether anybody reads them or not."""

_NEWER = frozenset(
    """
binomial bitwise_left_shift bitwise_right_shift copysign fractional_max_pool2d gammaincc lp_pool2d
median nansum reduce_as rint std svdvals trunc_divide var
""".split()
)
"""Operators that Paddle has had since version 3 only."""

_DEFAULTS: dict[str, dict[str, Attr]] = {
    "clip": {"min": Attr(AttrType.FLOAT, 0.0), "max": Attr(AttrType.FLOAT, 0.0)},
    "pad3d": {"paddings": Attr(AttrType.INTS, [])},
}
"""Attributes that must be there though a tensor takes their place."""

_SINCE_3: dict[str, dict[str, Any]] = {
    "cumprod": {"exclusive": False, "reverse": False},
    "kldiv_loss": {"log_target": False},
    "max_pool2d_with_index": {"ceil_mode": False},
    "max_pool3d_with_index": {"ceil_mode": False},
    "nanmedian": {"mode": "avg"},
}
"""Attributes that Paddle 2.6 does not know, and what it does."""


_RESIZED = ("OutSize", "SizeTensor")
_INT32: dict[str, tuple[str, ...]] = {
    **{
        f"{name}_interp_v2": _RESIZED
        for name in "bicubic bilinear linear nearest trilinear".split()
    },
    "linspace": ("Num",),
}
"""Inputs of which Paddle 2.6 takes int32 alone."""


class _CannotHold(Exception):  # noqa: N818
    """Why Paddle 2.6 cannot say what an operator does."""


@dataclass
class _Writer:
    """A block that is written anew."""

    program: Program
    block: BlockDesc
    ops: list[OpDesc]
    taken: set[str]

    def declared(self, name: str) -> VarDesc | None:
        found = (block.vars[name] for block in self.program.blocks if name in block.vars)
        return self.block.vars.get(name) or next(found, None)

    def shape(self, name: str | None) -> tuple[int, ...]:
        var = self.declared(name) if name is not None else None
        if var is None:
            raise _CannotHold(f"the shape of {name} is unknown")
        return var.shape

    def variable(self, base: str, like: str | None, dtype: DataType | None = None) -> str:
        """A new variable, declared as another one is."""
        name = next(n for i in range(len(self.taken) + 1) if (n := f"{base}@{i}") not in self.taken)
        self.taken.add(name)
        var = self.declared(like) if like is not None else None
        known = VarDesc(name, dtype=DataType.FP32) if var is None else var
        self.block.vars[name] = VarDesc(
            name, dtype=known.dtype if dtype is None else dtype, shape=known.shape
        )
        return name

    def add(
        self,
        type: str,
        inputs: dict[str, Sequence[str]],
        output: str,
        attrs: dict[str, Attr] | None = None,
        slot: str = "Out",
    ) -> str:
        slots = {name: list(values) for name, values in inputs.items()}
        self.ops.append(OpDesc(type, slots, {slot: [output]}, attrs or {}))
        return output

    def cast(self, name: str, dtype: DataType, output: str = "") -> str:
        var = self.declared(name)
        own = dtype if var is None or var.dtype is None else var.dtype
        types = {"in_dtype": int(own), "out_dtype": int(dtype)}
        attrs = {key: Attr(AttrType.INT, value) for key, value in types.items()}
        return self.add("cast", {"X": [name]}, output or self.variable(name, name, dtype), attrs)

    def as_int32(self, name: str) -> str:
        var = self.declared(name)
        wide = var is not None and var.dtype == DataType.INT64
        return self.cast(name, DataType.INT32) if wide else name


def as_legacy(program: Program) -> Program:
    """A copy that Paddle 2.6 and 3 load; the program is not changed.

    Raises UnsupportedOperatorError, with one line that names every operator that Paddle 2.6 lacks.
    """
    blocks, refused = [], dict[str, str]()
    taken = {name for block in program.blocks for name in block.vars}
    for block in program.blocks:
        made = replace(block, vars=dict(block.vars), ops=[])
        writer = _Writer(program, made, made.ops, taken)
        for op in block.ops:
            try:
                _write(writer, replace(op, outputs=dict(op.outputs), attrs=dict(op.attrs)))
            except _CannotHold as reason:
                refused.setdefault(op.type, str(reason))
        blocks.append(made)
    if refused:
        texts = [type + (f" ({why})" if why else "") for type, why in sorted(refused.items())]
        raise UnsupportedOperatorError(
            f"Paddle 2.6 has no form of {len(texts)} operator(s) of this program: "
            f"{', '.join(texts)}"
        )
    return replace(program, blocks=blocks)


def _write(w: _Writer, op: OpDesc) -> None:
    if op.type in _NEWER:
        raise _CannotHold("")
    for name, value in _SINCE_3.get(op.type, {}).items():
        if op.attr(name, value) != value:
            raise _CannotHold(f"{name} is {op.attr(name)!r}")
        op.attrs.pop(name, None)
    for slot in _OUTPUTS.get(op.type, ()):
        if not op.outputs.get(slot):
            op.outputs[slot] = [w.variable(f"{op.type}.{slot}", None)]
    op.attrs = _DEFAULTS.get(op.type, {}) | op.attrs
    for slot in _INT32.get(op.type, ()):
        if op.inputs.get(slot):
            op.inputs = {**op.inputs, slot: [w.as_int32(name) for name in op.inputs[slot]]}
    special = _SPECIAL.get(op.type)
    if special is None:
        w.ops.append(op)
    else:
        special(w, op)


def _assign_value(w: _Writer, op: OpDesc) -> None:
    """Doubles: Paddle 3 has another attribute than 2.6."""
    numbers = op.attrs.get("fp64_values")
    if numbers is not None:
        op.attrs["values"] = Attr(AttrType.SCALARS, list(numbers.value))
    w.ops.append(op)


def _baddbmm(w: _Writer, op: OpDesc) -> None:
    """beta Input + alpha X Y."""
    out = op.outputs["Out"][0]
    product = w.variable(out, out)
    w.add("matmul_v2", {"X": op.inputs["X"], "Y": op.inputs["Y"]}, product)
    terms = []
    for name, factor in ((op.inputs["Input"][0], "beta"), (product, "alpha")):
        attrs = {"scale": Attr(AttrType.FLOAT, float(op.attr(factor, 1.0)))}
        terms.append(w.add("scale", {"X": [name]}, w.variable(out, name), attrs))
    axis = {"axis": Attr(AttrType.INT, -1)}
    w.add("elementwise_add", {"X": terms[:1], "Y": terms[1:]}, out, axis)


def _batch_norm(w: _Writer, op: OpDesc) -> None:
    """The running statistics are written where they are read."""
    for slot, source in (("MeanOut", "Mean"), ("VarianceOut", "Variance")):
        op.outputs[slot] = list(op.inputs.get(source, []))
    for slot in ("SavedMean", "SavedVariance"):
        if not op.outputs.get(slot):
            op.outputs[slot] = [w.variable(f"batch_norm.{slot}", None)]
    w.ops.append(op)


def _deformable_conv(w: _Writer, op: OpDesc) -> None:
    if not op.inputs.get("Mask"):
        op.type = "deformable_conv_v1"
    w.ops.append(op)


def _eye(w: _Writer, op: OpDesc) -> None:
    """Rows that are computed: a line of ones on the diagonal."""
    rows, columns = (op.inputs.get(slot, []) for slot in ("RowsTensor", "ColumnsTensor"))
    if not rows and not columns:
        w.ops.append(op)
        return
    if not rows or (columns or rows) != rows:
        raise _CannotHold("rows or columns that are computed apart")
    out = op.outputs["Out"][0]
    dtype = {"dtype": Attr(AttrType.INT, int(op.attr("dtype", int(DataType.FP32))))}
    one = {"shape": Attr(AttrType.LONGS, [1]), "value": Attr(AttrType.FLOAT, 1.0)}
    ones = w.variable(out, out)
    w.add("fill_constant", {"ShapeTensor": rows}, ones, one | dtype)
    attrs = {"offset": Attr(AttrType.INT, 0), "padding_value": Attr(AttrType.FLOAT, 0.0)}
    w.add("diag_v2", {"X": [ones]}, out, attrs)


def _gammaln(w: _Writer, op: OpDesc) -> None:
    w.add("lgamma", {"X": op.inputs["x"]}, op.outputs["out"][0])


def _histogram(w: _Writer, op: OpDesc) -> None:
    """The ends were integers."""
    for name in ("min", "max"):
        value = float(op.attr(name, 0))
        if value != int(value):
            raise _CannotHold(f"{name} is {value}")
        op.attrs[name] = Attr(AttrType.INT, int(value))
    w.ops.append(op)


def _matrix_rank(w: _Writer, op: OpDesc) -> None:
    """int64 in Paddle 3, int32 before."""
    out = op.outputs["Out"][0]
    op.outputs["Out"] = [w.variable(out, out)]
    w.ops.append(op)
    w.cast(op.outputs["Out"][0], DataType.INT64, out)


def _reduce(w: _Writer, op: OpDesc) -> None:
    """All axes are named: ``reduce_all`` does not count."""
    if op.attr("reduce_all", False):
        rank = len(w.shape(op.input("X")))
        op.attrs["dim"] = Attr(AttrType.INTS, list(range(rank)))
    w.ops.append(op)


def _set_value(w: _Writer, op: OpDesc) -> None:
    """Numbers of every type are one attribute, which Paddle 3 fills from the older ones."""
    for name in ("bool_values", "fp32_values", "fp64_values", "int32_values", "int64_values"):
        found = op.attrs.get(name)
        if found is not None and not op.inputs.get("ValueTensor"):
            kind = {"bool": bool, "fp32": float, "fp64": float}.get(name.split("_")[0], int)
            op.attrs["values"] = Attr(AttrType.SCALARS, [kind(v) for v in found.value])
    w.ops.append(op)


def _strided_slice(w: _Writer, op: OpDesc) -> None:
    count = len(op.attr("axes", []))
    op.attrs.setdefault("infer_flags", Attr(AttrType.INTS, [1] * count))
    op.attrs.setdefault("decrease_axis", Attr(AttrType.INTS, []))
    if op.attrs.pop("as_numpy", Attr(AttrType.BOOLEAN, False)).value:
        _without_going_back(w, op)
    w.ops.append(op)


def _without_going_back(w: _Writer, op: OpDesc) -> None:
    """An end of -1 means another thing in Paddle 2.6 and 3: flipped axes are taken forwards."""
    starts, ends, strides = (list(op.attr(name, [])) for name in ("starts", "ends", "strides"))
    flipped = [i for i, stride in enumerate(strides) if stride < 0]
    if any(op.inputs.get(slot) for slot in ("StridesTensor", "StridesTensorList")):
        raise _CannotHold("strides that are computed")
    if not flipped:
        return
    computed = (f"{name}Tensor{kind}" for name in ("Starts", "Ends") for kind in ("", "List"))
    if any(op.inputs.get(slot) for slot in computed):
        raise _CannotHold("backwards between ends that are computed")
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
        raise _CannotHold("backwards along an axis of an unknown size")
    return 0 if index == _END else min(-index - 1, _END)


_END = 2**31 - 1


def _swiglu(w: _Writer, op: OpDesc) -> None:
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
    w.add("elementwise_mul", {"X": [gate], "Y": [y]}, out, {"axis": Attr(AttrType.INT, -1)})


def _where(w: _Writer, op: OpDesc) -> None:
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


_SPECIAL: dict[str, Callable[[_Writer, OpDesc], None]] = {
    "assign_value": _assign_value,
    "baddbmm": _baddbmm,
    "batch_norm": _batch_norm,
    "deformable_conv": _deformable_conv,
    "eye": _eye,
    "gammaln": _gammaln,
    "histogram": _histogram,
    "matrix_rank": _matrix_rank,
    "reduce_amax": _reduce,
    "reduce_amin": _reduce,
    "set_value": _set_value,
    "strided_slice": _strided_slice,
    "swiglu": _swiglu,
    "where": _where,
}
