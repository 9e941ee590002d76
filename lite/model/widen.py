"""Programs that compute in 16 bits (amp) to programs that compute in float32.

Kernels here compute in float32: parameters widen once, casts between the two vanish, and inputs and
outputs that are float16 stay so for the caller. The result is closer to the float32 model than what
16 bits give.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lite.model.program import Attr, AttrType, DataType, OpDesc, Program, VarDesc

_HALVES = frozenset({DataType.FP16, DataType.BF16})
_DTYPE_ATTRS = ("dtype", "out_dtype", "in_dtype", "compute_dtype")
_MOVES = frozenset({"cast", "feed", "fetch", "assign", "shape"})


def _half_variables(program: Program) -> dict[str, DataType]:
    return {
        name: var.dtype
        for block in program.blocks
        for name, var in block.vars.items()
        if var.dtype in _HALVES
    }


def _computes(program: Program, halves: dict[str, DataType]) -> bool:
    return any(
        op.type not in _MOVES and any(name in halves for name in (*op.input_names(),))
        for block in program.blocks
        for op in block.ops
    )


def _cast(source: str, target: str, dtypes: tuple[DataType, DataType]) -> OpDesc:
    attrs = {
        "in_dtype": Attr(AttrType.INT, int(dtypes[0])),
        "out_dtype": Attr(AttrType.INT, int(dtypes[1])),
    }
    return OpDesc("cast", {"X": [source]}, {"Out": [target]}, attrs)


def _widen_params(program: Program) -> None:
    def again(read: Callable[[], np.ndarray]) -> Callable[[], np.ndarray]:
        return lambda: read().astype(np.float32)

    for name, array in program.params.items():
        if array.dtype == np.float16:
            program.params[name] = array.astype(np.float32)
            if name in program.sources:
                program.sources[name] = again(program.sources[name])


def _rename(program: Program, names: dict[str, str]) -> None:
    for block in program.blocks:
        for op in block.ops:
            for slots in (op.inputs, op.outputs):
                for slot, variables in slots.items():
                    slots[slot] = [names.get(name, name) for name in variables]


def _keep_borders(program: Program, halves: dict[str, DataType]) -> None:
    """Inputs and outputs of float16 stay so, with a cast beside feed and fetch."""
    root = program.root
    feeds = [name for name in program.feed_names() if name in halves]
    outputs = [name for name in dict.fromkeys(program.fetch_names()) if name in halves]
    outputs = [name for name in outputs if halves[name] is DataType.FP16 and name not in feeds]
    frame = [op for op in root.ops if op.type in ("feed", "fetch")]
    inside = {name: f"{name}.fp32" for name in (*feeds, *outputs)}
    kept = [(dict(op.inputs), dict(op.outputs)) for op in frame]
    _rename(program, inside)
    for op, (inputs, outs) in zip(frame, kept, strict=True):
        op.inputs, op.outputs = inputs, outs
    for name, wide in inside.items():
        root.vars[wide] = VarDesc(wide, dtype=DataType.FP32, shape=root.vars[name].shape)
        # A bfloat16 has no numpy type: such inputs are given as float32.
        root.vars[name].dtype = DataType.FP16 if halves[name] is DataType.FP16 else DataType.FP32
    first = [_cast(name, inside[name], (halves[name], DataType.FP32)) for name in feeds]
    last = [_cast(inside[name], name, (DataType.FP32, DataType.FP16)) for name in outputs]
    start = max((i + 1 for i, op in enumerate(root.ops) if op.type == "feed"), default=0)
    root.ops[start:start] = first
    end = next((i for i, op in enumerate(root.ops) if op.type == "fetch"), len(root.ops))
    root.ops[end:end] = last


def widen_halves(program: Program) -> None:
    """Makes a program whose operators compute in float16 or bfloat16 compute in float32.

    Programs in which such tensors are only cast and handed on stay as they are, except that
    bfloat16, which no tensor here can be, becomes float32.
    """
    halves = _half_variables(program)
    if not halves:
        return
    if not _computes(program, halves):
        halves = {name: type for name, type in halves.items() if type is DataType.BF16}
        if not halves:
            return
    targets = set(halves.values())
    if DataType.FP16 in targets:
        _widen_params(program)
    for block in program.blocks:
        for name, var in block.vars.items():
            if name in halves:
                var.dtype = DataType.FP32
        for op in block.ops:
            for name in _DTYPE_ATTRS:
                attr = op.attrs.get(name)
                if attr is not None and attr.type is AttrType.INT and attr.value in targets:
                    attr.value = int(DataType.FP32)
    _keep_borders(program, halves)
