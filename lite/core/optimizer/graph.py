"""A Program as a graph: every write of a variable is a Value of its own.

A variable may be written more than once, by an operator that also reads it, or by a sub-block of
``while`` or ``conditional_block``; a pass sees Values and never has to think of names. It may move
a read of a Value only where the Value is ``stable``, and must keep the name of a ``pinned`` one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

import numpy as np

from lite.core.optimizer.detached import Detached
from lite.core.optimizer.traits import having
from lite.model.program import Attr, AttrType, BlockDesc, DataType, OpDesc

Shape = tuple[int | None, ...]

NUMPY_DTYPES: dict[str, DataType] = {
    "bool": DataType.BOOL,
    "int16": DataType.INT16,
    "int32": DataType.INT32,
    "int64": DataType.INT64,
    "float16": DataType.FP16,
    "float32": DataType.FP32,
    "float64": DataType.FP64,
    "uint8": DataType.UINT8,
    "int8": DataType.INT8,
    "bfloat16": DataType.BF16,
    "complex64": DataType.COMPLEX64,
    "complex128": DataType.COMPLEX128,
}


@cache
def data_type(dtype: np.dtype) -> DataType | None:
    """Paddle's name of an array's element type; numpy puts its own together at each look."""
    return NUMPY_DTYPES.get(dtype.name)


class Value:
    """One version of a variable.

    ``producer`` is None for parameters and for what stands outside the block; ``uses`` counts the
    reads of each node, also those inside its sub-blocks. ``stable``: no other version of the name
    exists, so it can be read anywhere behind its producer. ``pinned``: other blocks, or the user,
    know it by name. ``dtype`` and ``shape`` are inferred; None means unknown.
    """

    __slots__ = (
        "array",
        "dtype",
        "hidden_uses",
        "name",
        "pinned",
        "producer",
        "shape",
        "stable",
        "uses",
    )

    def __init__(self, name: str, producer: Node | None = None) -> None:
        self.name = name
        self.producer = producer
        self.uses: dict[Node, int] = {}
        self.hidden_uses = 0
        self.array: np.ndarray | None = None
        self.stable = True
        self.pinned = False
        self.dtype: DataType | None = None
        self.shape: Shape | None = None

    @property
    def is_param(self) -> bool:
        """Whether the value is a parameter that nothing writes."""
        return self.array is not None

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None where it is unknown."""
        return None if self.shape is None else len(self.shape)

    @property
    def dead(self) -> bool:
        """Nobody reads the value or knows its name."""
        return not self.uses and not self.pinned

    def __repr__(self) -> str:
        return f"Value({self.name!r})"


class Node:
    """An operator whose slots hold Values. ``echoes`` are outputs that name what is not written."""

    __slots__ = (
        "attrs",
        "block",
        "echoes",
        "hidden_reads",
        "hidden_writes",
        "inputs",
        "is_target",
        "next",
        "outputs",
        "prev",
        "type",
    )

    def __init__(self, type: str, block: Block) -> None:
        self.type = type
        self.block = block
        self.inputs: dict[str, list[Value]] = {}
        self.outputs: dict[str, list[Value]] = {}
        self.attrs: dict[str, Attr] = {}
        self.echoes: dict[str, list[str]] = {}
        self.hidden_reads: list[Value] = []
        self.hidden_writes: list[Value] = []
        self.is_target = False
        self.prev: Node | None = None
        self.next: Node | None = None

    def input(self, slot: str, index: int = 0) -> Value | None:
        """The value in an input slot, or None where the slot is absent or shorter."""
        values = self.inputs.get(slot, ())
        return values[index] if index < len(values) else None

    def output(self, slot: str, index: int = 0) -> Value | None:
        """The value in an output slot, or None where the slot is absent or shorter."""
        values = self.outputs.get(slot, ())
        return values[index] if index < len(values) else None

    def attr(self, name: str, default: object = None) -> object:
        """The attribute's value, or ``default`` where it is absent."""
        found = self.attrs.get(name)
        return default if found is None else found.value

    def flag(self, name: str, default: bool = False) -> bool:
        """A boolean attribute (some exporters write it as an integer)."""
        return bool(self.attr(name, default))

    def integer(self, name: str, default: int) -> int:
        """An integer attribute; anything else counts as the default."""
        return _integer(self.attr(name, default), default)

    def number(self, name: str, default: float) -> float:
        """A floating-point attribute; anything else counts as the default."""
        value = self.attr(name, default)
        return float(value) if isinstance(value, (int, float)) else default

    def integers(self, name: str, default: Iterable[int] = ()) -> list[int]:
        """A list of integers; a single integer counts as a list of one."""
        value = self.attr(name)
        if value is None:
            return list(default)
        listed = value if isinstance(value, (list, tuple)) else [value]
        return [_integer(item, 0) for item in listed]

    def axes(self, name: str, rank: int, default: Iterable[int] = ()) -> list[int] | None:
        """A list of axes, counted from the front; None where one is none of ``rank`` dimensions."""
        axes = [axis + rank if axis < 0 else axis for axis in self.integers(name, default)]
        return axes if all(0 <= axis < rank for axis in axes) else None

    def string(self, name: str, default: str = "") -> str:
        """A string attribute."""
        value = self.attr(name, default)
        return value if isinstance(value, str) else default

    def set_attr(self, name: str, type: AttrType, value: object) -> None:
        """Sets or replaces an attribute."""
        self.attrs[name] = Attr(type, value)

    def input_values(self) -> Iterator[Value]:
        """Every value in the input slots."""
        for values in self.inputs.values():
            yield from values

    def output_values(self) -> Iterator[Value]:
        """Every value in the output slots."""
        for values in self.outputs.values():
            yield from values

    def desc(self) -> OpDesc:
        """The operator as it stands in a Program."""
        outputs = {slot: [v.name for v in values] for slot, values in self.outputs.items()}
        outputs.update(self.echoes)
        return OpDesc(
            self.type,
            {slot: [v.name for v in values] for slot, values in self.inputs.items()},
            outputs,
            dict(self.attrs),
            self.is_target,
        )

    def __repr__(self) -> str:
        return f"Node({self.type!r})"


class Block:
    """The nodes of one block in their order: a linked list, and an index by operator type."""

    def __init__(self, graph: Graph, index: int, desc: BlockDesc) -> None:
        self.graph = graph
        self.index = index
        self.desc = desc
        self.first: Node | None = None
        self.last: Node | None = None
        self.by_type: dict[str, dict[Node, None]] = {}
        self.entry: dict[str, Value] = {}

    def __iter__(self) -> Iterator[Node]:
        """The nodes in order; the current node may be removed while iterating."""
        node = self.first
        while node is not None:
            following = node.next
            yield node
            node = following

    def __len__(self) -> int:
        return sum(map(len, self.by_type.values()))

    def of_type(self, *types: str) -> list[Node]:
        """The nodes of some types, as a list that stays valid while the graph changes."""
        return [node for type in types for node in self.by_type.get(type, ())]

    def link(self, node: Node, before: Node | None) -> None:
        """Puts a node in front of another, or at the end."""
        after = self.last if before is None else before.prev
        node.prev, node.next = after, before
        if after is None:
            self.first = node
        else:
            after.next = node
        if before is None:
            self.last = node
        else:
            before.prev = node
        self.by_type.setdefault(node.type, {})[node] = None

    def unlink(self, node: Node) -> None:
        """Takes a node out of the order."""
        if node.prev is None:
            self.first = node.next
        else:
            node.prev.next = node.next
        if node.next is None:
            self.last = node.prev
        else:
            node.next.prev = node.prev
        del self.by_type[node.type][node]


class Graph:
    """A whole program: its blocks, and its parameters as Values that all blocks share.

    ``written_params`` are the initial values of variables that the program changes; ``targets``
    says for which kernels the program is optimised. ``subgraphs`` holds what `subgraph`
    operators run, which is in no block of the graph (``subgraph.py``).

    ``build.to_graph`` makes one from a Program, ``build.to_program`` goes back.
    """

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.params: dict[str, Value] = {}
        self.written_params: dict[str, np.ndarray] = {}
        self.param_order: tuple[str, ...] = ()
        self.version = 0
        self.op_versions: dict[str, int] = {}
        self.targets: tuple[str, ...] = ()
        self.names: set[str] = set()
        self.subgraphs: dict[Node, Detached] = {}
        self._serial = 0

    @property
    def root(self) -> Block:
        """The main block."""
        return self.blocks[0]

    def nodes(self) -> Iterator[Node]:
        """The nodes of all blocks, block after block."""
        for block in self.blocks:
            yield from block

    def __len__(self) -> int:
        return sum(map(len, self.blocks))

    def fresh_name(self, base: str) -> str:
        """A variable name that the program does not use yet, ``base`` itself where free."""
        name = base
        while name in self.names:
            self._serial += 1
            name = f"{base}@{self._serial}"
        self.names.add(name)
        return name

    def add_param(self, base: str, array: np.ndarray) -> Value:
        """A new parameter, named ``base`` or like it."""
        value = Value(self.fresh_name(base))
        value.array = array if array.flags.c_contiguous else array.copy()
        value.dtype = data_type(array.dtype)
        value.shape = array.shape
        self.params[value.name] = value
        return value

    def drop_param(self, value: Value) -> None:
        """Forgets a parameter that nobody reads; its array and its name become free."""
        if not value.uses and self.params.get(value.name) is value:
            del self.params[value.name]
            self.names.discard(value.name)

    def insert(
        self,
        before: Node,
        type: str,
        inputs: Mapping[str, list[Value]],
        outputs: Mapping[str, list[Value]],
        attrs: Mapping[str, Attr],
    ) -> Node:
        """Adds an operator in front of another one and makes it the producer of its outputs."""
        node = Node(type, before.block)
        node.inputs = {slot: list(values) for slot, values in inputs.items()}
        node.outputs = {slot: list(values) for slot, values in outputs.items()}
        node.attrs = dict(attrs)
        for value in node.input_values():
            value.uses[node] = value.uses.get(node, 0) + 1
        for value in node.output_values():
            value.producer = node
        before.block.link(node, before)
        return node

    def remove(self, node: Node) -> None:
        """Takes an operator out; its outputs must have no readers, or another producer by now."""
        for value in node.input_values():
            _drop_use(value, node)
        for value in node.hidden_reads:
            _drop_use(value, node)
            value.hidden_uses -= 1
        for value in (*node.output_values(), *node.hidden_writes):
            if value.producer is node:
                value.producer = None
        node.block.unlink(node)

    def remove_dead(self, node: Node) -> bool:
        """Takes an operator out if nobody needs what it writes; says whether it did."""
        if node.type in having("stays") or node.hidden_writes:
            return False
        outputs = list(node.output_values())
        if outputs and all(v.dead or v.producer is not node for v in outputs):
            self.remove(node)
            return True
        return False

    def replace_input(self, node: Node, slot: str, index: int, value: Value) -> None:
        """Lets one argument of an operator read another value."""
        old = node.inputs[slot][index]
        node.inputs[slot][index] = value
        value.uses[node] = value.uses.get(node, 0) + 1
        _drop_use(old, node)

    def absorb(self, op: Node, product: Value, node: Node, out: Value) -> None:
        """Lets ``op`` write ``out`` in place of ``product``: what ``node`` behind it made of that
        and wrote. ``node`` goes."""
        self.remove(node)
        for values in op.outputs.values():
            values[:] = [out if value is product else value for value in values]
        out.producer = op
        product.producer = None

    def can_vanish(self, value: Value) -> bool:
        """Whether a value may become a parameter of another name."""
        return value.stable and _may_vanish(value)

    def replace_by_param(self, out: Value, array: np.ndarray) -> Value:
        """Lets all readers of ``out`` read a new parameter (see ``can_vanish``)."""
        self.names.discard(out.name)
        param = self.add_param(out.name, array)
        self.forward(out, param)
        return param

    def can_forward(self, out: Value, source: Value) -> bool:
        """Whether all readers of ``out`` may read ``source`` in its place (see ``forward``)."""
        if not (out.stable and source.stable):
            return False
        return _may_vanish(out) or (source.producer is not None and _may_vanish(source))

    def forward(self, out: Value, source: Value) -> None:
        """Lets all readers of ``out`` read ``source``, which is the same tensor.

        A fetched or pinned name survives: then ``source`` takes it over.
        """
        takes_name = not _may_vanish(out)
        _move_readers(out, source)
        if takes_name:
            out.name, source.name = source.name, out.name
            out.pinned, source.pinned = source.pinned, out.pinned

    def share_param(self, param: Value, other: Value) -> bool:
        """Lets all readers of a parameter read an equal one, and drops it, unless it must stay."""
        fetched = any(node.type == "fetch" for node in param.uses)
        if param.pinned or fetched or not (param.stable and other.stable):
            return False
        _move_readers(param, other)
        self.drop_param(param)
        return True


def _move_readers(value: Value, other: Value) -> None:
    for node, count in value.uses.items():
        for values in node.inputs.values():
            values[:] = [other if v is value else v for v in values]
        node.hidden_reads = [other if v is value else v for v in node.hidden_reads]
        other.uses[node] = other.uses.get(node, 0) + count
    other.hidden_uses += value.hidden_uses
    value.uses = {}
    value.hidden_uses = 0


def _integer(value: object, default: int) -> int:
    if isinstance(value, float):
        return int(value) if math.isfinite(value) else default
    return int(value) if isinstance(value, int) else default


def _may_vanish(value: Value) -> bool:
    """Whether nobody outside the block's own operators knows the value by its name."""
    if value.pinned or value.hidden_uses or value.is_param:
        return False
    return not any(node.type == "fetch" for node in value.uses)


def _drop_use(value: Value, node: Node) -> None:
    left = value.uses[node] - 1
    if left:
        value.uses[node] = left
    else:
        del value.uses[node]
