"""Operators that stand for one operator of a program, in the block that has it."""

from __future__ import annotations

from typing import Any

from lite.errors import ModelFormatError
from lite.model.declared import declared
from lite.model.program import Attr, BlockDesc, OpDesc, VarDesc


def operator(
    type: str, inputs: dict[str, list[str]], outputs: dict[str, list[str]], **attrs: Any
) -> OpDesc:
    """An operator; values that are no Attr get the type that its declaration gives them."""
    typed = {
        name: value if isinstance(value, Attr) else _attr(type, name, value)
        for name, value in attrs.items()
    }
    return OpDesc(type, inputs, outputs, typed)


def _attr(type: str, name: str, value: Any) -> Attr:
    known = declared(type)
    assert known is not None, type
    return known.attr(name, value)


class Parts:
    """The operators that stand for one, in the block that has it."""

    def __init__(self, block: BlockDesc, op: OpDesc, number: int) -> None:
        self.block, self.op = block, op
        self.prefix = f"fused.{number}"
        self.ops: list[OpDesc] = []
        self.attrs = dict(op.attrs)
        slots = ("Output", "Y", "Out", "Hidden")
        self.slot = next((slot for slot in slots if op.output(slot)), "")
        if not self.slot:
            raise ModelFormatError(f"{op.type}: it writes none of {', '.join(slots)}")
        self.result = op.outputs[self.slot][0]

    def take(self, name: str, default: Any) -> Any:
        """The value of an attribute, which the first operator does not keep."""
        found = self.attrs.pop(name, None)
        if found is None:
            return default
        value, items = found.value, found.value if isinstance(found.value, list) else []
        if type(value) is not type(default) or not all(type(item) is int for item in items):
            raise ModelFormatError(
                f"{self.op.type}: attribute {name!r} is {value!r}, expected one like {default!r}"
            )
        return value

    def kept(self, *names: str) -> dict[str, Attr]:
        """Those of its attributes that an operator that stands for it has, too."""
        return {name: self.attrs[name] for name in names if name in self.attrs}

    def add(self, type: str, inputs: dict[str, str], slot: str = "Out", **attrs: Any) -> str:
        """Appends an operator; returns what it writes."""
        known = self.block.vars.get(self.result)
        made = f"{self.prefix}.{len(self.ops)}"
        self.block.vars[made] = VarDesc(made, dtype=known.dtype if known is not None else None)
        read = {name: [value] for name, value in inputs.items() if value}
        self.ops.append(operator(type, read, {slot: [made]}, **attrs))
        return made

    def write(self, *slots: str) -> None:
        """Outputs of the last operator that nobody reads, and Paddle asks for."""
        for slot in slots:
            made = f"{self.prefix}.{slot}"
            self.block.vars[made] = VarDesc(made)
            self.ops[-1].outputs[slot] = [made]

    def all(self, slot: str) -> list[str]:
        """The variables of an input; one at least."""
        found = self.op.inputs.get(slot, [])
        if not found:
            raise ModelFormatError(f"{self.op.type}: it has no {slot}")
        return found

    def optional(self, slot: str) -> str:
        """The variable of an input, or nothing."""
        return self.op.input(slot) or ""

    def end(self, made: str) -> list[OpDesc]:
        """All operators; the last one, which makes `made`, writes the result in its stead."""
        for names in self.ops[-1].outputs.values():
            names[:] = [self.result if name == made else name for name in names]
        self.block.vars.pop(made)
        return self.ops
