"""Random changes of a Program's meaning: attributes, slots, operators, parameters, feeds."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from lite.model.program import AttrType, DataType, OpDesc, Program

INTS = [0, 1, -1, 2, 3, 5, 7, 64, -2, 1000, 65536, 2**31 - 1, -(2**31), 1 << 20]
FLOATS = [0.0, -1.0, 1.0, 0.5, 1e30, -1e30, float("inf"), float("nan"), 1e-30, 3.0]
DTYPES = {
    "float32": DataType.FP32,
    "float64": DataType.FP64,
    "int32": DataType.INT32,
    "int64": DataType.INT64,
    "int8": DataType.INT8,
    "uint8": DataType.UINT8,
    "bool": DataType.BOOL,
    "float16": DataType.FP16,
    "int16": DataType.INT16,
}


def mutate_program(program: Program, rng: random.Random) -> None:
    """Changes the program in one to three places."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        ops = [o for b in program.blocks for o in b.ops if o.type not in ("feed", "fetch")]
        if not ops:
            return
        change = rng.choice(_CHANGES)
        change(program, rng.choice(ops), rng)


def _attr(program: Program, op: OpDesc, rng: random.Random) -> None:
    if not op.attrs:
        return
    name = rng.choice(sorted(op.attrs))
    attr = op.attrs[name]
    if rng.random() < 0.1:
        del op.attrs[name]
    elif isinstance(attr.value, list):
        attr.value = _changed_list(attr.value, attr.type, rng)
    else:
        attr.value = _changed(attr.value, attr.type, rng)


def _changed(value: Any, kind: AttrType, rng: random.Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice(INTS) if rng.random() < 0.8 else value + rng.randint(-2, 2)
    if isinstance(value, float):
        return rng.choice(FLOATS)
    if isinstance(value, str):
        return rng.choice(["", "SAME", "VALID", "relu", "max", "NHWC", "tanh", "LAST", "x" * 50])
    return value


def _changed_list(value: list[Any], kind: AttrType, rng: random.Random) -> list[Any]:
    changed = list(value)
    how = rng.randrange(4)
    if how == 0 or not changed:
        new = 0.5 if "FLOAT" in kind.name else "x" if "STRING" in kind.name else 1
        item = changed[0] if changed else new
        changed.insert(rng.randint(0, len(changed)), item)
    elif how == 1:
        del changed[rng.randrange(len(changed))]
    else:
        at = rng.randrange(len(changed))
        changed[at] = _changed(changed[at], kind, rng)
    return changed


def _rewire(program: Program, op: OpDesc, rng: random.Random) -> None:
    names = sorted(program.root.vars)
    slots = [s for s in op.inputs.values() if s]
    if slots:
        slot = rng.choice(slots)
        slot[rng.randrange(len(slot))] = rng.choice(names)


def _rename_output(program: Program, op: OpDesc, rng: random.Random) -> None:
    slots = [s for s in op.outputs.values() if s]
    if slots:
        slot = rng.choice(slots)
        slot[rng.randrange(len(slot))] = rng.choice(sorted(program.root.vars))


def _drop_slot(program: Program, op: OpDesc, rng: random.Random) -> None:
    slots = rng.choice((op.inputs, op.outputs))
    if slots:
        del slots[rng.choice(sorted(slots))]


def _repeat_argument(program: Program, op: OpDesc, rng: random.Random) -> None:
    slots = [s for s in (*op.inputs.values(), *op.outputs.values()) if s]
    if slots:
        slot = rng.choice(slots)
        slot.append(slot[0])


def _retype(program: Program, op: OpDesc, rng: random.Random) -> None:
    op.type = rng.choice([other.type for other in program.root.ops])


def _remove(program: Program, op: OpDesc, rng: random.Random) -> None:
    _home(program, op).remove(op)


def _home(program: Program, op: OpDesc) -> list[OpDesc]:
    """The operators of the block that has this very one."""
    return next(b.ops for b in program.blocks if any(o is op for o in b.ops))


def _move(program: Program, op: OpDesc, rng: random.Random) -> None:
    ops = _home(program, op)
    ops.remove(op)
    ops.insert(rng.randint(0, len(ops)), op)


def _param(program: Program, op: OpDesc, rng: random.Random) -> None:
    if not program.params:
        return
    name = rng.choice(sorted(program.params))
    array = program.params[name]
    how = rng.randrange(4)
    if how == 0:
        array = array.astype(rng.choice(sorted(DTYPES)))
    elif how == 1:
        array = array.reshape(-1)
    elif how == 2:
        shape = list(array.shape) or [1]
        shape[rng.randrange(len(shape))] = rng.choice([0, 1, 2, 7, 33])
        array = np.resize(array, shape)
    else:
        array = array.reshape(rng.choice([(1, *array.shape), (*array.shape, 1)]))
    program.params[name] = array
    var = program.root.vars[name]
    var.shape = array.shape
    var.dtype = DTYPES[array.dtype.name]


_CHANGES = [_attr] * 12 + [_rewire] * 4 + [
    _rename_output, _drop_slot, _repeat_argument, _retype, _remove, _move, _param, _param, _param,
]  # fmt: skip
