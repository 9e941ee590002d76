"""Operators whose channels come last, between transposes.

Convolutions, pools and interpolations here take channels before the spatial axes. What a model says
of the tensors around them stays as it is.
"""

from __future__ import annotations

from lite.model.program import Attr, AttrType, BlockDesc, OpDesc, Program, VarDesc

_INPUTS = {
    **dict.fromkeys(
        ("conv2d", "depthwise_conv2d", "conv2d_transpose", "depthwise_conv2d_transpose"), "Input"
    ),
    **dict.fromkeys(("conv3d", "conv3d_transpose"), "Input"),
    **dict.fromkeys(("pool2d", "pool3d", "max_pool2d_with_index"), "X"),
    **{
        f"{kind}_interp{version}": "X"
        for kind in ("linear", "bilinear", "nearest", "bicubic", "trilinear")
        for version in ("", "_v2")
    },
}
"""The input slot whose channels may come last, of the operators that only take them first."""

_FIRST = {"NWC": "NCW", "NLC": "NCL", "NHWC": "NCHW", "NDHWC": "NCDHW"}
_ATTRS = ("data_format", "data_layout")


def _transposed(block: BlockDesc, name: str, order: list[int], new: str) -> OpDesc:
    """Declares ``new`` as ``name`` with its axes in ``order``."""
    known = block.vars.get(name)
    shape = known.shape if known is not None else ()
    shape = tuple(shape[axis] for axis in order) if len(shape) == len(order) else ()
    block.vars[new] = VarDesc(new, dtype=known.dtype if known is not None else None, shape=shape)
    attrs = {"axis": Attr(AttrType.INTS, order)}
    return OpDesc("transpose2", {"X": [name]}, {"Out": [new]}, attrs)


def _rewrite(block: BlockDesc, op: OpDesc, attr: str, number: int) -> list[OpDesc]:
    layout = op.attr(attr)
    op.attrs[attr] = Attr(AttrType.STRING, _FIRST[layout])
    rank = len(layout)
    before = [0, rank - 1, *range(1, rank - 1)]
    after = [0, *range(2, rank), 1]
    slot = _INPUTS[op.type]
    (name,) = op.inputs[slot]
    first = f"{name}.channels_first.{number}"
    ops = [_transposed(block, name, before, first), op]
    op.inputs[slot] = [first]
    for names in op.outputs.values():
        for index, out in enumerate(names):
            names[index] = f"{out}.channels_first.{number}"
            known = block.vars.get(out)
            block.vars[names[index]] = VarDesc(names[index], dtype=known.dtype if known else None)
            back = OpDesc("transpose2", {"X": [names[index]]}, {"Out": [out]})
            back.attrs["axis"] = Attr(AttrType.INTS, after)
            ops.append(back)
    return ops


def put_channels_first(program: Program) -> None:
    """Rewrites every operator that has its channels last and cannot take them so."""
    number = 0
    for block in program.blocks:
        ops: list[OpDesc] = []
        for op in block.ops:
            slot = _INPUTS.get(op.type)
            attr = next((name for name in _ATTRS if op.attr(name) in _FIRST), None)
            if slot is None or attr is None or len(op.inputs.get(slot, ())) != 1:
                ops.append(op)
                continue
            number += 1
            ops += _rewrite(block, op, attr, number)
        block.ops = ops
