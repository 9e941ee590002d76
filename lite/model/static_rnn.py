"""Paddle's StaticRNN, whose operator is `recurrent`, as a `while`.

`recurrent` runs its block once for each row of ``inputs``. In the block their names stand for one
row; those of ``ex_states`` for what ``states`` were a turn before, and in the first turn for
``initial_states``; ``outputs`` are what the turns made of them, one behind the other.
"""

from __future__ import annotations

from typing import Any

from lite.errors import ModelFormatError
from lite.model.check import sub_blocks
from lite.model.parts import operator
from lite.model.program import (
    Attr,
    AttrType,
    BlockDesc,
    DataType,
    OpDesc,
    Program,
    VarDesc,
    VarType,
)


def _names(op: OpDesc, attr: str) -> list[str]:
    found = op.attr(attr, [])
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise ModelFormatError(f"recurrent: {attr} is {found!r}, expected names")
    return found


def _body(program: Program, op: OpDesc) -> BlockDesc:
    index = op.attr("sub_block")
    if not isinstance(index, int) or not 0 < index < len(program.blocks):
        raise ModelFormatError(
            f"recurrent: sub_block is {index!r}, the program has {len(program.blocks)} blocks"
        )
    return program.blocks[index]


def _rename(program: Program, block: BlockDesc, names: dict[str, str]) -> None:
    """Gives variables other names, also in the blocks inside that do not declare them anew."""
    for old, new in names.items():
        if old in block.vars:
            block.vars[new] = block.vars.pop(old)
            block.vars[new].name = new
    for op in block.ops:
        for slots in (op.inputs, op.outputs):
            for slot, found in slots.items():
                slots[slot] = [names.get(name, name) for name in found]
        for child in sub_blocks(op):
            # What it runs stands behind it; a file that says something else is refused later.
            if block.idx < child < len(program.blocks):
                inner = program.blocks[child]
                _rename(program, inner, {k: v for k, v in names.items() if k not in inner.vars})


class _Loop:
    """The `while` in a `recurrent`'s place: ``ops``, in the block that had it."""

    def __init__(self, program: Program, outer: BlockDesc, op: OpDesc, number: int) -> None:
        self.outer, self.body = outer, _body(program, op)
        self.prefix = f"static_rnn.{number}"
        self.ops: list[OpDesc] = []
        self.reverse = bool(op.attr("reverse", False))
        self.rows, self.outputs = op.inputs.get("inputs", []), op.outputs.get("outputs", [])
        initial, earlier = op.inputs.get("initial_states", []), _names(op, "ex_states")
        inside = {name: f"{self.prefix}.{name}" for name in (*self.rows, *self.outputs)}
        states = [inside.get(name, name) for name in _names(op, "states")]
        if not self.rows:
            raise ModelFormatError("recurrent: it has no inputs, whose rows would be its turns")
        if not len(initial) == len(earlier) == len(states):
            raise ModelFormatError(
                f"recurrent: {len(initial)} initial_states, {len(earlier)} ex_states and "
                f"{len(states)} states, expected as many of each"
            )
        self.states = list(zip(initial, earlier, states, strict=True))
        _rename(program, self.body, inside)

    def emit(self, ops: list[OpDesc], type: str, out: str, *x: str, **attrs: Any) -> str:
        """Appends an operator of inputs X and Y."""
        slots = {slot: [name] for slot, name in zip(("X", "Y"), x, strict=False)}
        ops.append(operator(type, slots, {"Out": [out]}, **attrs))
        return out

    def variable(self, block: BlockDesc, name: str, dtype: DataType | None, *shape: int) -> str:
        made = f"{self.prefix}.{name}"
        block.vars[made] = VarDesc(made, dtype=dtype, shape=shape)
        return made

    def known(self, name: str) -> VarDesc:
        """What is declared of a variable around the loop."""
        return self.outer.vars.get(name) or VarDesc(name)

    def integer(self, name: str, value: int) -> str:
        """An integer that is known."""
        made = self.variable(self.outer, name, DataType.INT64, 1)
        attrs = {"shape": [1], "dtype": DataType.INT64, "value": value}
        return self.emit(self.ops, "fill_constant", made, **attrs)

    def count(self) -> str:
        """The number of rows: the largest, so that fewer in another input are an error."""
        count = ""
        attrs = {"axes": [0], "starts": [0], "ends": [1]}
        for i, name in enumerate(self.rows):
            sizes = self.variable(self.outer, f"sizes.{i}", DataType.INT32, -1)
            made = self.variable(self.outer, f"count.{i}", DataType.INT32, 1)
            self.ops.append(OpDesc("shape", {"Input": [name]}, {"Out": [sizes]}))
            self.ops.append(operator("slice", {"Input": [sizes]}, {"Out": [made]}, **attrs))
            if count:
                most = self.variable(self.outer, f"most.{i}", DataType.INT32, 1)
                made = self.emit(self.ops, "elementwise_max", most, count, made)
            count = made
        # Paddle's write_to_array takes no other.
        wide = self.variable(self.outer, "count", DataType.INT64, 1)
        narrow = Attr(AttrType.INT, int(DataType.INT32))
        kinds = {"in_dtype": narrow, "out_dtype": DataType.INT64}
        return self.emit(self.ops, "cast", wide, count, **kinds)

    def last(self, count: str) -> str:
        """The last row's number."""
        made = self.variable(self.outer, "last", DataType.INT64, 1)
        return self.emit(self.ops, "elementwise_sub", made, count, self.integer("one", 1))

    def replace(self) -> list[OpDesc]:
        """All operators of the loop."""
        count, turn = self.count(), self.integer("turn", 0)
        again = self.variable(self.outer, "again", DataType.BOOL, 1)
        self.emit(self.ops, "less_than", again, turn, count)
        for initial, earlier, _ in self.states:
            self.outer.vars[earlier] = self.body.vars.pop(earlier, VarDesc(earlier))
            self.emit(self.ops, "assign", earlier, initial)
        lists = self.turn(turn, count)
        self.emit(self.body.ops, "increment", turn, turn, step=1)
        self.emit(self.body.ops, "less_than", again, turn, count)
        self.run(again)
        for made, output in zip(lists, self.outputs, strict=True):
            self.stack(made, output)
        return self.ops

    def stack(self, made: str, output: str) -> None:
        """Appends what makes an output of the list of its rows."""
        sizes = self.variable(self.outer, f"{output}.sizes", DataType.INT32, -1)
        rows = output
        if self.reverse:
            known = self.known(output)
            rows = self.variable(self.outer, f"{output}.back", known.dtype, *known.shape)
        self.emit(self.ops, "tensor_array_to_tensor", rows, made, axis=0, use_stack=True)
        self.ops[-1].outputs["OutIndex"] = [sizes]
        if self.reverse:
            self.emit(self.ops, "flip", output, rows, axis=[0])

    def turn(self, turn: str, count: str) -> list[str]:
        """Makes the block one turn; returns the lists of its outputs."""
        body, before, after = self.body, list[OpDesc](), list[OpDesc]()
        at = turn
        if self.reverse:
            at = self.variable(body, "at", DataType.INT64, 1)
            self.emit(before, "elementwise_sub", at, self.last(count), turn)
        for name in self.rows:
            known = self.known(name)
            row = self.variable(body, f"{name}.row", known.dtype, 1, *known.shape[1:])
            before.append(OpDesc("gather", {"X": [name], "Index": [at]}, {"Out": [row]}))
            inside = self.variable(body, name, known.dtype, *known.shape[1:])
            self.emit(before, "squeeze2", inside, row, axes=[0])
        # A state may be another's earlier one: all are read before one is written.
        for i, (_, _, state) in enumerate(self.states):
            self.emit(after, "assign", self.variable(body, f"state.{i}", None), state)
        for i, (_, earlier, _) in enumerate(self.states):
            self.emit(after, "assign", earlier, f"{self.prefix}.state.{i}")
        lists = []
        for name in self.outputs:
            made = f"{self.prefix}.{name}.list"
            known = self.known(name)
            self.outer.vars[made] = VarDesc(made, VarType.LOD_TENSOR_ARRAY, known.dtype)
            inputs = {"X": [f"{self.prefix}.{name}"], "I": [turn]}
            after.append(OpDesc("write_to_array", inputs, {"Out": [made]}))
            lists.append(made)
        body.ops = before + body.ops + after
        return lists

    def run(self, again: str) -> None:
        """Appends the loop with what its block reads and writes of the blocks around it."""
        reads, writes = self.body.outside()
        scopes = f"{self.prefix}.scopes"
        self.outer.vars[scopes] = VarDesc(scopes, VarType.STEP_SCOPES, None)
        inputs = {"X": [name for name in reads if name != again], "Condition": [again]}
        attrs = {"sub_block": Attr(AttrType.BLOCK, self.body.idx)}
        outputs = {"Out": writes, "StepScopes": [scopes]}
        self.ops.append(OpDesc("while", inputs, outputs, attrs))


def unroll_static_rnns(program: Program) -> None:
    """Puts a `while` in the place of each `recurrent`, `assign` in that of `rnn_memory_helper`.

    Raises ModelFormatError where one is not what Paddle writes.
    """
    number = 0
    for block in program.blocks:
        ops: list[OpDesc] = []
        for op in block.ops:
            if op.type == "recurrent":
                number += 1
                ops += _Loop(program, block, op, number).replace()
            elif op.type == "rnn_memory_helper":
                ops.append(OpDesc("assign", op.inputs, op.outputs))
            else:
                ops.append(op)
        block.ops = ops
