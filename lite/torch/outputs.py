"""The outputs of a Program that was translated."""

from __future__ import annotations

from collections.abc import Sequence

from lite.model.program import Attr, AttrType, OpDesc, Program, VarDesc
from lite.torch.values import NotTranslatableError, Tensor, data_type, is_symbolic


def add_fetches(program: Program, outputs: Sequence[object], names: Sequence[str] = ()) -> None:
    """Makes values the outputs, each a variable of its own with its name where one is given."""
    block = program.root
    taken: set[str] = set(program.feed_names()) | set(program.params)
    for col, value in enumerate(outputs):
        if not isinstance(value, Tensor):
            raise NotTranslatableError("an output that is no tensor")
        name = names[col] if col < len(names) else f"out{col}"
        while name in taken or name in block.vars:
            name += "_"
        taken.add(name)
        block.vars[name] = VarDesc(name, dtype=data_type(value.dtype), shape=_dims(value))
        block.ops.append(OpDesc("assign", {"X": [value.name]}, {"Out": [name]}))
        col_attr = {"col": Attr(AttrType.INT, col)}
        block.ops.append(OpDesc("fetch", {"X": [name]}, {}, col_attr))


def _dims(value: Tensor) -> tuple[int, ...]:
    return tuple(-1 if is_symbolic(dim) else int(dim) for dim in value.shape)
