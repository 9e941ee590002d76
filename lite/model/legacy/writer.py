"""A block that is written anew in the words of Paddle 2.6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lite.model.program import Attr, AttrType, BlockDesc, DataType, OpDesc, Program, VarDesc


class CannotHold(Exception):  # noqa: N818
    """Why Paddle 2.6 cannot say what an operator does."""


@dataclass
class Writer:
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
            raise CannotHold(f"the shape of {name} is unknown")
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

    def scaled(self, name: str, out: str, factor: float, bias: float = 0.0) -> str:
        """factor x + bias."""
        attrs = {"scale": Attr(AttrType.FLOAT, factor), "bias": Attr(AttrType.FLOAT, bias)}
        return self.add("scale", {"X": [name]}, out, attrs)

    def binary(self, type: str, x: str, y: str, out: str) -> str:
        """An operator of two operands, the last dimensions of which broadcast."""
        return self.add(type, {"X": [x], "Y": [y]}, out, {"axis": Attr(AttrType.INT, -1)})

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
