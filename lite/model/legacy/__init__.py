"""A Program in the words of Paddle 2.6, whose `.pdmodel` Paddle 2.6 and 3 read.

Programs of Paddle 3 say some things otherwise: outputs that only training reads are left out,
attributes have become tensors, and there are operators that Paddle 2.6 does not have.
"""

from __future__ import annotations

from dataclasses import replace

from lite.errors import UnsupportedOperatorError
from lite.model.legacy.forms import SPECIAL
from lite.model.legacy.unlike import check
from lite.model.legacy.writer import CannotHold, Writer
from lite.model.program import Attr, AttrType, OpDesc, Program

_OUTPUTS: dict[str, tuple[str, ...]] = {
    "eigvalsh": ("Eigenvectors",),
    "group_norm": ("Mean", "Variance"),
    "huber_loss": ("Residual",),
    "instance_norm": ("SavedMean", "SavedVariance"),
    "layer_norm": ("Mean", "Variance"),
    "lrn": ("MidOut",),
    "lu": ("Infos",),
    "nanmedian": ("MedianIndex",),
    "qr": ("Q",),
    "rnn": ("DropoutState", "Reserve"),
    "roi_pool": ("Argmax",),
    "rrelu": ("Noise",),
    "segment_pool": ("SummedIds",),
}
"""Outputs that Paddle's kernels write whether anybody reads them or not."""

_TESTED = {"rnn": {"is_test": Attr(AttrType.BOOLEAN, True)}}
"""Attributes that mean training where they are not."""

_RESIZED = ("OutSize", "SizeTensor")
_INT32: dict[str, tuple[str, ...]] = {
    **{
        f"{name}_interp_v2": _RESIZED
        for name in "bicubic bilinear linear nearest trilinear".split()
    },
    "linspace": ("Num",),
}
"""Inputs of which Paddle 2.6 takes int32 alone."""


def as_legacy(program: Program) -> Program:
    """A copy that Paddle 2.6 and 3 load; the program is not changed.

    Raises UnsupportedOperatorError, with one line that names every operator that Paddle 2.6 lacks.
    """
    blocks, refused = [], dict[str, str]()
    taken = {name for block in program.blocks for name in block.vars}
    for block in program.blocks:
        made = replace(block, vars=dict(block.vars), ops=[])
        writer = Writer(program, made, made.ops, taken)
        for op in block.ops:
            try:
                _write(writer, _copy(op))
            except CannotHold as reason:
                refused.setdefault(op.type, str(reason))
        blocks.append(made)
    if refused:
        texts = [type + (f" ({why})" if why else "") for type, why in sorted(refused.items())]
        raise UnsupportedOperatorError(
            f"Paddle 2.6 has no form of {len(texts)} operator(s) of this program: "
            f"{', '.join(texts)}"
        )
    return replace(program, blocks=blocks)


def _copy(op: OpDesc) -> OpDesc:
    inputs, outputs, attrs = dict(op.inputs), dict(op.outputs), dict(op.attrs)
    return replace(op, inputs=inputs, outputs=outputs, attrs=attrs)


def _write(w: Writer, op: OpDesc) -> None:
    for slot in _OUTPUTS.get(op.type, ()):
        if not op.outputs.get(slot):
            op.outputs[slot] = [w.variable(f"{op.type}.{slot}", None)]
    op.attrs = _TESTED.get(op.type, {}) | op.attrs
    for slot in _INT32.get(op.type, ()):
        if op.inputs.get(slot):
            op.inputs[slot] = [w.as_int32(name) for name in op.inputs[slot]]
    first = len(w.ops)
    special = SPECIAL.get(op.type)
    if special is None:
        w.ops.append(op)
    else:
        special(w, op)
    for made in w.ops[first:]:
        check(made)
