"""The one in-memory form of a model: a Program of blocks, operators, variables and parameters.

Every reader produces it and every pass rewrites it. The names and numbers are ProgramDesc's
(``paddle/fluid/framework/framework.proto``); parameters are numpy arrays held by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

import numpy as np


class DataType(IntEnum):
    """Element types, numbered as ``VarType.Type`` in ProgramDesc and in `.nb` files."""

    BOOL = 0
    INT16 = 1
    INT32 = 2
    INT64 = 3
    FP16 = 4
    FP32 = 5
    FP64 = 6
    SIZE_T = 19
    UINT8 = 20
    INT8 = 21
    BF16 = 22
    COMPLEX64 = 23
    COMPLEX128 = 24


class VarType(IntEnum):
    """What a variable holds, numbered as ``VarType.Type``."""

    LOD_TENSOR = 7
    SELECTED_ROWS = 8
    FEED_MINIBATCH = 9
    FETCH_LIST = 10
    STEP_SCOPES = 11
    LOD_RANK_TABLE = 12
    LOD_TENSOR_ARRAY = 13
    PLACE_LIST = 14
    READER = 15
    RAW = 17
    TUPLE = 18
    STRING = 25
    STRINGS = 26
    VOCAB = 27
    FEED_LIST = 28
    PSTRING = 29
    SPARSE_COO = 30
    SPARSE_CSR = 31


class AttrType(IntEnum):
    """Attribute types, numbered as ``AttrType`` in ProgramDesc."""

    INT = 0
    FLOAT = 1
    STRING = 2
    INTS = 3
    FLOATS = 4
    STRINGS = 5
    BOOLEAN = 6
    BOOLEANS = 7
    BLOCK = 8
    LONG = 9
    BLOCKS = 10
    LONGS = 11
    FLOAT64S = 12
    VAR = 13
    VARS = 14
    FLOAT64 = 15
    SCALAR = 16
    SCALARS = 17


ITEM_TYPES: dict[AttrType, AttrType] = {
    AttrType.INTS: AttrType.INT,
    AttrType.FLOATS: AttrType.FLOAT,
    AttrType.STRINGS: AttrType.STRING,
    AttrType.BOOLEANS: AttrType.BOOLEAN,
    AttrType.BLOCKS: AttrType.BLOCK,
    AttrType.LONGS: AttrType.LONG,
    AttrType.FLOAT64S: AttrType.FLOAT64,
    AttrType.VARS: AttrType.VAR,
    AttrType.SCALARS: AttrType.SCALAR,
}
"""The type of the items of each list type."""


@dataclass(slots=True)
class Attr:
    """One typed attribute; ``value`` is a bool, int, float, str or a list of them.

    A FLOAT holds a float32 widened to Python's float. A SCALAR holds a bool, int, float or complex.
    VAR and VARS hold names of variables, BLOCK and BLOCKS positions in ``Program.blocks``.
    """

    type: AttrType
    value: Any


@dataclass(slots=True)
class VarDesc:
    """A variable's declaration. ``dtype`` and ``shape`` are hints: the runtime infers its own."""

    name: str
    type: VarType = VarType.LOD_TENSOR
    dtype: DataType | None = DataType.FP32
    shape: tuple[int, ...] = ()
    lod_level: int = 0
    persistable: bool = False
    need_check_feed: bool = False


@dataclass(slots=True)
class OpDesc:
    """One operator: slots name lists of variables; an absent slot is an absent key."""

    type: str
    inputs: dict[str, list[str]] = field(default_factory=dict)
    outputs: dict[str, list[str]] = field(default_factory=dict)
    attrs: dict[str, Attr] = field(default_factory=dict)
    is_target: bool = False

    def input(self, slot: str, index: int = 0) -> str | None:
        """The variable in an input slot, or None where the slot is absent or shorter."""
        names = self.inputs.get(slot, ())
        return names[index] if index < len(names) else None

    def output(self, slot: str, index: int = 0) -> str | None:
        """The variable in an output slot, or None where the slot is absent or shorter."""
        names = self.outputs.get(slot, ())
        return names[index] if index < len(names) else None

    def input_names(self) -> Iterator[str]:
        """Every variable that the operator reads, slot by slot."""
        for names in self.inputs.values():
            yield from names

    def output_names(self) -> Iterator[str]:
        """Every variable that the operator writes, slot by slot."""
        for names in self.outputs.values():
            yield from names

    def attr(self, name: str, default: Any = None) -> Any:
        """The attribute's value, or ``default`` where it is absent."""
        found = self.attrs.get(name)
        return default if found is None else found.value

    def set_attr(self, name: str, type: AttrType, value: Any) -> None:
        """Sets or replaces an attribute."""
        self.attrs[name] = Attr(type, value)


@dataclass(slots=True)
class BlockDesc:
    """A list of operators and the variables declared beside them."""

    idx: int = 0
    parent_idx: int = -1
    forward_block_idx: int = -1
    vars: dict[str, VarDesc] = field(default_factory=dict)
    ops: list[OpDesc] = field(default_factory=list)

    def outside(self) -> tuple[list[str], list[str]]:
        """The variables of other blocks that its operators read, and those that they write."""
        own = self.vars
        reads = {name: None for op in self.ops for name in op.input_names() if name not in own}
        writes = {name: None for op in self.ops for name in op.output_names() if name not in own}
        return list(reads), list(writes)


@dataclass(frozen=True, slots=True)
class Port:
    """An input or output of an ONNX model. ``type`` is ONNX's name of the element type, ``float``;
    a dimension is a number, a name, or None; ``shape`` is None where there is none."""

    name: str
    type: str
    shape: tuple[int | str | None, ...] | None


@dataclass(frozen=True, slots=True)
class Origin:
    """What an ONNX model says of itself. ``metadata`` are texts by name; ``overridable`` are
    initialisers that may be inputs."""

    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    overridable: tuple[Port, ...] = ()
    metadata: dict[str, str] = field(default_factory=dict)
    producer: str = ""
    graph: str = ""
    domain: str = ""
    description: str = ""
    version: int = 0


@dataclass(slots=True, eq=False)
class Program:
    """A whole model. ``params`` maps the name of each persistable tensor to its array.

    ``version`` is Paddle's integer version (2006002 is 2.6.2); 0 means unknown. ``sources`` reads
    a parameter again from the file or bytes it came from, so that ``params`` may drop its array.
    ``origin`` is there where the model was ONNX. Two programs are equal when
    version, operators and blocks are; compare ``params`` by array.
    """

    blocks: list[BlockDesc] = field(default_factory=lambda: [BlockDesc()])
    version: int = 0
    op_versions: dict[str, int] = field(default_factory=dict)
    params: dict[str, np.ndarray] = field(default_factory=dict)
    sources: dict[str, Callable[[], np.ndarray]] = field(default_factory=dict)
    origin: Origin | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Program):
            return NotImplemented
        return (self.version, self.op_versions, self.blocks) == (
            other.version,
            other.op_versions,
            other.blocks,
        )

    @property
    def root(self) -> BlockDesc:
        """The main block."""
        return self.blocks[0]

    def feed_names(self) -> list[str]:
        """Input variables in the order of the feed operators' ``col``."""
        feeds = [op for op in self.root.ops if op.type == "feed"]
        return [op.outputs["Out"][0] for op in sorted(feeds, key=lambda op: op.attr("col", 0))]

    def fetch_names(self) -> list[str]:
        """Output variables in the order of the fetch operators' ``col``."""
        fetches = [op for op in self.root.ops if op.type == "fetch"]
        return [op.inputs["X"][0] for op in sorted(fetches, key=lambda op: op.attr("col", 0))]

    def with_fetches(self, names: Iterable[str]) -> Program:
        """A program that gives these variables of its main block, too, after its own outputs."""
        ops, column = list(self.root.ops), len(self.fetch_names())
        for at, name in enumerate(names, column):
            col = {"col": Attr(AttrType.INT, at)}
            ops.append(OpDesc("fetch", {"X": [name]}, {"Out": ["fetch"]}, col))
        return replace(self, blocks=[replace(self.root, ops=ops), *self.blocks[1:]])
