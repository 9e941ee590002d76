"""Finds the subgraphs of a program that devices take, and says for the rest why they do not."""

from __future__ import annotations

import difflib
import gc
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import zip_longest

from lite.core.optimizer.build import sub_block, to_program
from lite.core.optimizer.graph import Graph, Node
from lite.core.optimizer.quantization.check import CalibratedCheck
from lite.core.optimizer.registry import Change
from lite.core.partition.block_work import BlockWork, Known
from lite.core.partition.config import (
    DEVICE,
    Complaint,
    Match,
    Operator,
)
from lite.core.partition.config_syntax import Line
from lite.core.partition.cost import Shapes, compute
from lite.core.partition.from_program import attribute_texts
from lite.core.partition.names import name_versions
from lite.core.partition.options import PartitionRequest
from lite.core.partition.placement import Placement
from lite.errors import ConfigError, DeviceError
from lite.report.places import FOLDED, Kind, OperatorPlace, counted


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """A graph is very many objects that all stay: looking for garbage takes half of the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


class Partitioner:
    """Partitions a graph. Made before any pass changes the graph, so that the names and positions
    of the report and of the config are those of the program as it was given."""

    def __init__(self, graph: Graph, request: PartitionRequest) -> None:
        self.graph = graph
        self.request = request
        self.options = request.options
        config = request.config
        self.placement = Placement(
            list(request.devices), config=config.source if config else "", model=request.model
        )
        self.places: dict[Node, OperatorPlace] = {}
        for block in graph.blocks:
            for at, node in enumerate(block):
                self.places[node] = _place(node, at)
        self.lines, self.complaints = self._match(list(self.places))

    def _match(self, nodes: list[Node]) -> tuple[dict[Node, Line], list[Complaint]]:
        """The config's lines for the operators as they are named now, and what is wrong with it."""
        match = Match()
        if self.request.config is not None:
            match = self.request.config.match([self._operator(node) for node in nodes])
        return {nodes[at]: line for at, line in match.lines.items()}, match.complaints

    def _operator(self, node: Node) -> Operator:
        known = self.places.get(node)
        return self._described(node, known.index if known is not None else -1)

    @staticmethod
    def _described(node: Node, index: int) -> Operator:
        op = node.desc()
        inputs, outputs = tuple(op.input_names()), tuple(op.output_names())
        return Operator(op.type, inputs, outputs, node.block.index, index)

    def run(self) -> list[Change]:
        """Partitions every block; a change for each subgraph. Raises ConfigError and DeviceError
        where ``strict``."""
        with _no_garbage_collection():
            self._run()
        self.placement.print_log()
        if self.request.strict and self.placement.fallbacks():
            raise self._refusal()
        operators = self.placement.operators
        return [
            Change(
                info.block, [operators[at].label for at in info.operators], f"subgraph {info.id}"
            )
            for info in self.placement.subgraphs
        ]

    def floats(self, nodes: list[Node]) -> list[int]:
        """Positions of the operators that the mixed-precision config names."""
        config = self.request.mixed_precision
        if config is None:
            return []
        match = config.match([self._described(node, at) for at, node in enumerate(nodes)])
        if self.request.strict:
            config.refuse(match.complaints)
        for complaint in match.complaints:
            self.warn(f"{config.source}: {complaint}")
        return list(match.lines)

    def _run(self) -> None:
        present = list(self.graph.nodes())
        self._check_model()
        self._match_again(present)
        for node in present:
            if node not in self.places:
                self.places[node] = _place(node, -1)
        self._check_shapes(present)
        self.shapes = Shapes(self.graph, self.request.shapes)
        name_versions(self.graph)
        self._record(present)
        self._describe(present)
        known = Known(
            *(self.graph, self.options, self.shapes, self.lines, self.places, self.placement)
        )
        works = [BlockWork(known, block) for block in self.graph.blocks if len(block)]
        check = CalibratedCheck(self.request.check)
        if any(any(work.candidate) for work in works):
            program = to_program(self.graph)
            for work in works:
                work.detect(check, program)
            self.placement.judged = dict(getattr(self.request.check, "judged", {}))
            for text in getattr(self.request.check, "warnings", ()):
                self.warn(text)
        self._limit_transfers(works)
        for work in works:
            work.build(check.floats, check.float_borders)
        self._check_forced()

    def _check_model(self) -> None:
        config, model = self.request.config, self.request.model
        if config is not None and model and config.model not in ("", model):
            self.warn(
                f"{config.source} was made for the model {config.model}, this is {model}: lines "
                "that name nothing here do nothing"
            )

    def _check_shapes(self, present: list[Node]) -> None:
        """Dynamic shapes may be those of any variable, but of one that is there."""
        names: set[str] = set()
        for node in [*self.places, *present] if self.request.shapes else []:
            op = node.desc()
            names.update(op.input_names(), op.output_names())
        for name in self.request.shapes:
            if name not in names:
                near = difflib.get_close_matches(name, sorted(names), 3)
                hint = f"; did you mean {' or '.join(near)}?" if near else ""
                self.warn(f"dynamic shapes of {name!r}: the program has no such variable{hint}")
        self._check_ranks(present)

    def _check_ranks(self, present: list[Node]) -> None:
        """Inputs have the rank that the program declares."""
        for node in present:
            for value in node.output_values() if node.type == "feed" else []:
                given = self.request.shapes.get(value.name)
                desc = node.block.desc.vars.get(value.name)
                if given is None or desc is None or len(desc.shape) in (0, len(given)):
                    continue
                raise ConfigError(
                    f"dynamic shapes of {value.name!r} have {counted(len(given), 'dimension')}, "
                    f"the input has {len(desc.shape)}: {list(desc.shape)}"
                )

    def leave_all(self, reason: str) -> None:
        """Leaves every operator on the CPU."""
        self._record(list(self.graph.nodes()))
        for place in self.placement.operators:
            if place.place != FOLDED:
                place.kind, place.reason = Kind.CONFIG, reason

    def _match_again(self, present: list[Node]) -> None:
        """Passes may have made or renamed operators since: their names count as well."""
        lines, complaints = self._match(present)
        for node, line in lines.items():
            first = self.lines.get(node)
            if first is None or first.number < line.number:
                self.lines[node] = line
        again = {complaint.number for complaint in complaints}
        self._complain([c for c in self.complaints if c.number in again])

    def _complain(self, complaints: list[Complaint]) -> None:
        config = self.request.config
        if config is None or not complaints:
            return
        if self.request.strict:
            config.refuse(complaints)
        for complaint in complaints:
            self.warn(f"{config.source}: {complaint}")

    def warn(self, text: str) -> None:
        """A warning, which the report keeps too."""
        self.placement.warnings.append(text)
        warnings.warn(text, stacklevel=2)

    def _record(self, present: list[Node]) -> None:
        """Lists the operators in the report: those that are there, and those that went before."""
        here = {node: at for at, node in enumerate(present)}
        # What is folded keeps its place behind the operator that it followed.
        order: dict[Node, tuple[int, int]] = {}
        last: dict[int, int] = {}
        for node, place in self.places.items():
            if node in here:
                last[place.block] = here[node]
            else:
                place.place, place.kind = FOLDED, Kind.FOLDED
                place.reason = "computed or removed when the model was optimised"
            order[node] = place.block, here.get(node, last.get(place.block, -1))
        nodes = sorted(self.places, key=lambda node: order[node])
        self.placement.operators = [self.places[node] for node in nodes]

    def _describe(self, present: list[Node]) -> None:
        """What each operator computes, and the types of tensors under old and new names."""
        tensors = self.placement.tensors
        for node in present:
            place = self.places[node]
            if not place.is_io and sub_block(node) is None and node.type != "subgraph":
                place.compute = compute(node, self.shapes)
            for slot, values in node.outputs.items():
                for value, name in zip_longest(values, place.outputs.get(slot, ())):
                    if value is not None and node.type != "fetch":
                        text = self.shapes.crossing(value).type_text
                        tensors[value.name] = text
                        tensors[name or value.name] = text

    def _limit_transfers(self, works: list[BlockWork]) -> None:
        limit = self.options.max_transfers
        if limit is None:
            return
        costs = []
        for work in works:
            for cluster in work.clusters:
                read, written, _ = work.crossings(cluster)
                transfers = len(read) + len(written)
                if not work.is_forced(cluster):
                    worth = work.compute(cluster) / max(transfers, 1)
                    costs.append((worth, work.block.index, cluster[0], transfers, work, cluster))
                else:
                    limit -= transfers
        total = sum(item[3] for item in costs)
        for _, _, _, transfers, work, cluster in sorted(costs, key=lambda item: item[:3]):
            if total <= limit:
                break
            total -= transfers
            what = (
                f"its subgraph of {counted(len(cluster), 'operator')} takes "
                f"{counted(transfers, 'transfer')}, which is more than "
                f"max_transfers={self.options.max_transfers} leaves"
            )
            work.drop([cluster], [what], Kind.TRANSFERS)

    def _check_forced(self) -> None:
        for node, line in self.lines.items():
            place = self.places[node]
            if place.place != FOLDED and line.place == DEVICE and place.kind is not None:
                self.warn(
                    f"{self.placement.config}: line {line.number} asks for the device, but "
                    f"{place.label} stays on the CPU: {place.reason}"
                )

    def _refusal(self) -> DeviceError:
        fallen = self.placement.fallbacks()
        shown = "; ".join(f"{op.label}: {op.reason}" for op in fallen[:5])
        more = f"; and {len(fallen) - 5} more" if len(fallen) > 5 else ""
        error = DeviceError(
            f"strict: {counted(len(fallen), 'operator')} cannot run on "
            f"{', '.join(self.placement.devices)}: {shown}{more}; "
            "exclude them in the partition config, or load without strict"
        )
        error.placement = self.placement
        return error


def _place(node: Node, index: int) -> OperatorPlace:
    op = node.desc()
    attributes = attribute_texts(op)
    return OperatorPlace(node.block.index, index, op.type, op.inputs, op.outputs, attributes)
