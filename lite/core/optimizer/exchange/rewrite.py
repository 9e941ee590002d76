"""Rewrites by operator type, and what they are written with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from lite.core.optimizer.graph import NUMPY_DTYPES, Graph, Node, Shape, Value
from lite.model.program import Attr, AttrType, DataType

INTEGERS = frozenset({DataType.INT8, DataType.INT16, DataType.INT32, DataType.INT64})
END = (1 << 31) - 1
"""As the end of a slice: as far as there is something."""

LOGIC_ATTRS = {"axis": -1, "force_cpu": False}
"""What comparisons and logic must have."""

_NUMPY = {dtype: name for name, dtype in NUMPY_DTYPES.items()}
_LISTS = {bool: AttrType.BOOLEANS, int: AttrType.INTS, float: AttrType.FLOATS}
_ONES = {
    bool: AttrType.BOOLEAN,
    int: AttrType.INT,
    float: AttrType.FLOAT,
    str: AttrType.STRING,
}

Rewrite = Callable[["Site"], bool]


def typed(value: Any) -> Attr:
    """An attribute of the type that Python's value has."""
    if isinstance(value, Attr):
        return value
    if isinstance(value, list):
        return Attr(_LISTS[type(value[0]) if value else int], value)
    return Attr(_ONES[type(value)], value)


class Site:
    """An operator that is rewritten: what stands in its place goes in front of it."""

    def __init__(self, graph: Graph, node: Node) -> None:
        self.graph = graph
        self.node = node

    def dims(self, value: Value) -> Shape | None:
        """The sizes, as they were found or else as the exporter declared them."""
        declared: Shape | None = None
        for block in (self.node.block, self.graph.root):
            desc = block.desc.vars.get(value.name)
            if desc is not None and desc.shape:
                declared = tuple(None if size < 0 else size for size in desc.shape)
                break
        if value.shape is None or declared is None or len(declared) != len(value.shape):
            return declared if value.shape is None else value.shape
        return tuple(d if v is None else v for v, d in zip(value.shape, declared, strict=True))

    def rank(self, value: Value) -> int | None:
        """The number of dimensions, as it was found or else as the exporter declared it."""
        dims = self.dims(value)
        return None if dims is None else len(dims)

    def param(self, numbers: Any, dtype: DataType) -> Value:
        """A constant."""
        return self.graph.add_param(
            f"{self.node.type}.constant", np.asarray(numbers, _NUMPY[dtype])
        )

    def add(
        self,
        type: str,
        inputs: Mapping[str, Value | Sequence[Value]],
        attrs: Mapping[str, Any] | None = None,
        dtype: DataType | None = None,
        rank: int | None = None,
        slot: str = "Out",
    ) -> Value:
        """An operator with a result of its own; its element type is that of the first input."""
        listed = {s: [v] if isinstance(v, Value) else list(v) for s, v in inputs.items()}
        first = next(iter(listed.values()))[0]
        out = Value(self.graph.fresh_name(f"{first.name}.{type}"))
        out.dtype = first.dtype if dtype is None else dtype
        out.shape = None if rank is None else (None,) * rank
        self._insert(type, listed, {slot: [out]}, attrs)
        return out

    def finish(
        self,
        type: str,
        inputs: Mapping[str, Value | Sequence[Value]],
        attrs: Mapping[str, Any] | None = None,
        slot: str = "Out",
        old: str = "Out",
    ) -> bool:
        """The operator that writes what the old one wrote, whose result was in slot ``old``."""
        return self.finish_value(type, inputs, attrs, self.node.outputs[old][0], slot)

    def finish_value(
        self,
        type: str,
        inputs: Mapping[str, Value | Sequence[Value]],
        attrs: Mapping[str, Any] | None,
        out: Value,
        slot: str = "Out",
    ) -> bool:
        """The operator that writes one output of the old one, the last that is to be written."""
        listed = {s: [v] if isinstance(v, Value) else list(v) for s, v in inputs.items()}
        self._insert(type, listed, {slot: [out]}, attrs)
        self.graph.remove(self.node)
        return True

    def _insert(
        self,
        type: str,
        inputs: Mapping[str, list[Value]],
        outputs: Mapping[str, list[Value]],
        attrs: Mapping[str, Any] | None,
    ) -> None:
        made = {name: typed(value) for name, value in (attrs or {}).items()}
        self.graph.insert(self.node, type, inputs, outputs, made)

    def shape_of(self, value: Value) -> Value:
        """The sizes of a tensor, int32."""
        return self.add("shape", {"Input": value}, dtype=DataType.INT32, rank=1)

    def like(self, sizes: Value, number: float) -> Value:
        """A float tensor of computed sizes, all of one number."""
        attrs = {
            "dtype": int(DataType.FP32),
            "value": number,
            "str_value": "",
            "force_cpu": False,
        }
        return self.add("fill_constant", {"ShapeTensor": sizes}, attrs, DataType.FP32)

    def flat(self, value: Value) -> Value:
        """A tensor as one row."""
        return self.add("reshape2", {"X": value}, {"shape": [-1]}, rank=1)


_REWRITES: dict[str, list[tuple[Rewrite, str]]] = {}


def rewrite(*types: str, target: str = "") -> Callable[[Rewrite], Rewrite]:
    """Registers a function that rewrites operators of some types, or leaves them and says False;
    with ``target`` only in files for it."""

    def add(function: Rewrite) -> Rewrite:
        for type in types:
            _REWRITES.setdefault(type, []).append((function, target))
        return function

    return add


def rewrites() -> Mapping[str, Sequence[tuple[Rewrite, str]]]:
    """All of them by operator type: the function, and the target where it is for one only."""
    return _REWRITES
