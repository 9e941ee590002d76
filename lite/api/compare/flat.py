"""A model as devices see it and which operators go there, and programs cut out of it.

Operators are those that devices see: after what can be computed beforehand, before any fusion.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lite.core.optimizer.pass_list import PARTITION_PASS
from lite.core.optimizer.subgraph import SUBGRAPH
from lite.core.partition import PartitionRequest, Placement, partition
from lite.errors import ConfigError, ModelFormatError
from lite.model.check import EMPTY_NAMES
from lite.model.params import DATA_TYPES
from lite.model.program import AttrType, BlockDesc, OpDesc, Program, VarDesc, VarType
from lite.report.places import DEVICE, FOLDED, OperatorPlace

_IO = ("feed", "fetch")
_RESULTS = ("Out", "Output", "Y")
"""Slots of what an operator is there for, where nobody reads anything that it writes."""


@dataclass(frozen=True)
class Known:
    """A tensor whose value the reference computed; a dimension that changes between runs is -1."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]


@dataclass(frozen=True, eq=False)
class DeviceOperator:
    """An operator that partitioning put on a device, and where it stands in the flat program.

    ``owner`` is the position of the operator of the main block that it is, or is run by.
    """

    place: OperatorPlace
    owner: int
    block: int
    index: int


@dataclass
class Piece:
    """A program cut out: its operators from ``first`` to ``last``, some of them on the device."""

    program: Program
    config: str
    feeds: list[str]
    fetches: list[str]
    echoed: tuple[str, ...]
    first: int
    last: int


@dataclass
class FlatModel:
    """The whole program, not divided; ``places`` has an entry for each root operator."""

    program: Program
    placement: Placement
    places: list[OperatorPlace | None] = field(default_factory=list)
    operators: list[DeviceOperator] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._inputs = set(self.program.feed_names())
        self._writers: dict[str, list[int]] = {}
        self._reads = [set(self._touched(op, "input_names")) for op in self.program.root.ops]
        self._writes = [set(self._touched(op, "output_names")) for op in self.program.root.ops]
        for at, names in enumerate(self._writes):
            if self.program.root.ops[at].type not in _IO:
                for name in names:
                    self._writers.setdefault(name, []).append(at)
        read = {name for names in self._reads for name in names}
        self._results = [self._results_of(op, read) for op in self.program.root.ops]

    def _touched(self, op: OpDesc, what: str) -> Iterator[str]:
        for name in getattr(op, what)():
            if name not in EMPTY_NAMES and name not in self.program.params:
                yield name
        child = op.attr("sub_block")
        if isinstance(child, int) and 0 < child < len(self.program.blocks):
            for inner in self.program.blocks[child].ops:
                yield from self._touched(inner, what)

    def _results_of(self, op: OpDesc, read: set[str]) -> list[str]:
        if op.type in _IO:
            return []
        if "sub_block" in op.attrs:  # what a branch writes may have no value
            return [n for n in self.program.fetch_names() if n in set(op.output_names())]
        names = [n for n in dict.fromkeys(op.output_names()) if self._is_tensor(n)]
        wanted = [name for name in names if name in read]
        slots = [slot for slot in _RESULTS if op.outputs.get(slot)] or list(op.outputs)[:1]
        return wanted or [n for slot in slots for n in op.outputs[slot] if n in names]

    def _is_tensor(self, name: str) -> bool:
        desc = self.program.root.vars.get(name)
        plain = desc is None or desc.type is VarType.LOD_TENSOR
        return plain and name not in EMPTY_NAMES and name not in self.program.params

    def is_quantised(self) -> bool:
        """Whether devices may compute a part of the model in integers."""
        blocks = self.program.blocks
        return any(op.attr("enable_int8", False) for block in blocks for op in block.ops)

    def positions(self) -> list[int]:
        """The positions of the root operators that compute."""
        return [at for at, op in enumerate(self.program.root.ops) if op.type not in _IO]

    def results(self, at: int) -> list[str]:
        """The tensors that a root operator computes, as far as anybody wants them."""
        return self._results[at]

    def device_root(self) -> set[int]:
        """The positions of the root operators that are, or run, operators on the device."""
        return {op.owner for op in self.operators}

    def everything(self) -> list[str]:
        """All tensors that root operators compute, but those that are written more than once."""
        return [
            name
            for at in self.positions()
            for name in self._results[at]
            if len(self._writers.get(name, ())) == 1 and name not in self._inputs
        ]

    def piece(
        self,
        first: int,
        last: int,
        on_device: Collection[DeviceOperator],
        known: Mapping[str, Known],
        *,
        fetches: Iterable[str] | None = None,
        echo: bool = False,
    ) -> Piece:
        """The operators from ``first`` to ``last``; what they read is fed with ``known`` tensors.

        It begins earlier where something that it reads is not known, and ends later where nothing
        that it computes is. Outputs are what the rest of the model reads, or ``fetches``; with
        ``echo`` its inputs are outputs, too.
        """
        owners = {op.owner for op in on_device}
        first = self._start(first, last, known)
        end = self.positions()[-1]
        while fetches is None and last < end and not self._is_border(first, last, owners, known):
            last += 1
            first = self._start(first, last, known)
        chosen = self._between(first, last)
        feeds: dict[str, None] = {}
        made: set[str] = set()
        for at in chosen:
            outside = self._reads[at] - made
            feeds.update(dict.fromkeys(sorted(n for n in outside if n in known)))
            made |= self._writes[at]
        if fetches is None:
            fetches = self._exported(first, last, owners, known)
        echoed = tuple(name for name in feeds if echo and name not in made)
        program, config = self._cut(chosen, list(feeds), [*fetches, *echoed], on_device, known)
        ends = chosen[0], chosen[-1]
        return Piece(program, config, list(feeds), [*fetches, *echoed], echoed, *ends)

    def _start(self, first: int, last: int, known: Mapping[str, Known]) -> int:
        """Where the piece must begin, so that all that it reads is known or computed in it."""
        start, at = first, last
        while at >= start:
            for name in self._reads[at]:
                writers = self._writers.get(name, [])
                before = [writer for writer in writers if writer < at]
                inside = len(writers) == 1 and before and before[0] >= start
                final = name in known and name not in self._inputs
                if before and not inside and not (final and writers[-1] < start):
                    start = min(start, before[0])
            at -= 1
        return start

    def _between(self, first: int, last: int) -> list[int]:
        ops = self.program.root.ops
        return [at for at in range(first, last + 1) if ops[at].type not in _IO]

    def _leaving(self, first: int, last: int, owners: Collection[int]) -> set[str]:
        """What the operators on the device have an influence on and the rest of the model reads."""
        reached: set[str] = set()
        for at in self._between(first, last):
            if at in owners or not owners or reached & self._reads[at]:
                reached |= self._writes[at]
        later = {n for at in range(last + 1, len(self._reads)) for n in self._reads[at]}
        return reached & later

    def _is_final(self, name: str, last: int, known: Mapping[str, Known]) -> bool:
        """Whether the reference has the value that a tensor has behind a position."""
        initial = name in self._inputs and name not in self.program.fetch_names()
        writers = self._writers.get(name, [])
        return name in known and not initial and bool(writers) and writers[-1] <= last

    def _is_border(
        self, first: int, last: int, owners: Collection[int], known: Mapping[str, Known]
    ) -> bool:
        """Whether all that leaves the operators up to a position can be compared."""
        return all(self._is_final(n, last, known) for n in self._leaving(first, last, owners))

    def _exported(
        self, first: int, last: int, owners: Collection[int], known: Mapping[str, Known]
    ) -> list[str]:
        leaving = self._leaving(first, last, owners)
        names = dict.fromkeys(n for at in self._between(first, last) for n in self._results[at])
        final = [name for name in names if self._is_final(name, last, known)]
        return [name for name in final if name in leaving] or final

    def _cut(
        self,
        chosen: list[int],
        feeds: list[str],
        fetches: list[str],
        on_device: Collection[DeviceOperator],
        known: Mapping[str, Known],
    ) -> tuple[Program, str]:
        source = self.program
        root = BlockDesc(vars=dict(source.root.vars))
        for name in _IO:
            kind = VarType.FEED_MINIBATCH if name == "feed" else VarType.FETCH_LIST
            root.vars[name] = VarDesc(name, kind, None, persistable=True)
        for column, name in enumerate(feeds):
            root.vars[name] = _declared(name, known[name], root.vars.get(name))
            root.ops.append(_io("feed", "feed", name, column))
        shift = len(feeds)
        root.ops += [_copied(source.root.ops[at]) for at in chosen]
        for column, name in enumerate(fetches):
            root.ops.append(_io("fetch", name, "fetch", column))
        inner = any("sub_block" in source.root.ops[at].attrs for at in chosen)
        blocks = [root, *(source.blocks[1:] if inner else [])]
        used = {name for block in blocks for op in block.ops for name in op.input_names()}
        used |= {name for block in blocks for op in block.ops for name in op.output_names()}
        root.vars = {n: d for n, d in root.vars.items() if n in used or n in _IO}
        params = {name: array for name, array in source.params.items() if name in used}
        order = {at: shift + i for i, at in enumerate(chosen)}
        lines = ["@cpu type=*"]
        for op in on_device:
            index = op.index if op.block else order[op.owner]
            lines.append(f"@device block={op.block} index={index}")
        program = Program(blocks, source.version, dict(source.op_versions), params)
        return program, "\n".join(lines)


def _io(kind: str, source: str, target: str, column: int) -> OpDesc:
    op = OpDesc(kind, {"X": [source]}, {"Out": [target]})
    op.set_attr("col", AttrType.INT, column)
    return op


def _copied(op: OpDesc) -> OpDesc:
    return replace(op, attrs=dict(op.attrs))


def _declared(name: str, known: Known, given: VarDesc | None) -> VarDesc:
    """A feed's variable; dimensions that the model leaves free stay free."""
    shape = known.shape
    if given is not None and len(given.shape) == len(shape):
        fits = all(d in (-1, size) for d, size in zip(given.shape, shape, strict=True))
        if fits:
            shape = given.shape
    dtype = DATA_TYPES.get(known.dtype.newbyteorder("="))
    if dtype is None:
        raise ModelFormatError(f"{name} has {known.dtype}, which no tensor of a model can hold")
    lod_level = given.lod_level if given is not None else 0
    return VarDesc(name, VarType.LOD_TENSOR, dtype, shape, lod_level)


def flatten(program: Program, request: PartitionRequest) -> FlatModel:
    """Partitions a program as the request says; what it gives is not divided yet."""
    if any(op.type == SUBGRAPH for block in program.blocks for op in block.ops):
        raise ConfigError(
            "the model was converted for a device already: compare the Paddle model it came from"
        )
    params = dict(program.params)
    _, placement = partition(program, request, passes=())
    program.params = params
    flat, _ = partition(program, request, passes=(), discarded=[PARTITION_PASS])
    owners = _owners(flat)
    root_places: list[OperatorPlace | None] = []
    operators = []
    for block in flat.blocks:
        left = [p for p in placement.operators if p.block == block.idx and p.place != FOLDED]
        for at, op in enumerate(block.ops):
            place = _take(left, op)
            root_places += [] if block.idx else [place]
            owner = owners.get(block.idx) if block.idx else at
            if place is not None and place.place == DEVICE and owner is not None:
                operators.append(DeviceOperator(place, owner, block.idx, at))
    operators.sort(key=lambda op: (op.owner, op.block, op.index))
    return FlatModel(flat, placement, root_places, operators)


def _take(places: list[OperatorPlace], op: OpDesc) -> OperatorPlace | None:
    """The report's entry of an operator, taken out of a list that stands in the program's order."""
    found = next((place for place in places if place.type == op.type), None)
    if found is not None:
        places.remove(found)
    return found


def _owners(program: Program) -> dict[int, int]:
    """For each block the position of the root operator that runs it."""
    owners: dict[int, int] = {}
    todo = list(enumerate(program.root.ops))
    while todo:
        at, op = todo.pop()
        child = op.attr("sub_block")
        if isinstance(child, int) and 0 < child < len(program.blocks) and child not in owners:
            owners[child] = at
            todo += [(at, inner) for inner in program.blocks[child].ops]
    return owners
