"""The partitioning of one block: candidates, clusters, and the subgraph operators made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from lite.core.optimizer import subgraph
from lite.core.optimizer.build import sub_block
from lite.core.optimizer.graph import Block, Graph, Node
from lite.core.optimizer.quantization.calibration import calibrate
from lite.core.optimizer.traits import having
from lite.core.partition.cluster import form_clusters, order_units
from lite.core.partition.config import DEVICE
from lite.core.partition.config_syntax import Line
from lite.core.partition.cost import Shapes
from lite.core.partition.names import data_inputs, dependencies
from lite.core.partition.options import PartitionOptions
from lite.core.partition.placement import Placement
from lite.core.partition.shape_arithmetic import find_shape_arithmetic
from lite.core.partition.support import SupportCheck
from lite.model.program import Program, VarType
from lite.report.places import DEVICE as ON_DEVICE
from lite.report.places import Crossing, Kind, OperatorPlace, SubgraphInfo, counted

ROUNDS = 3
"""How often the driver is asked; what it refuses the last time stays on the CPU."""

_Reason = tuple[Kind, str]
_ON_THE_CPU = Kind.SHAPE, "shape arithmetic, which the CPU does while it prepares a run"


@dataclass(frozen=True)
class Known:
    """What is known of the program when its blocks are partitioned.

    ``lines`` are the config's, ``places`` the report's, by operator.
    """

    graph: Graph
    options: PartitionOptions
    shapes: Shapes
    lines: Mapping[Node, Line]
    places: Mapping[Node, OperatorPlace]
    placement: Placement


class BlockWork:
    """The partitioning of one block."""

    def __init__(self, known: Known, block: Block) -> None:
        self.known = known
        self.block = block
        self.options = known.options
        self.nodes, self.preds = dependencies(block)
        self.places = [known.places[node] for node in self.nodes]
        self.clusters: list[list[int]] = []
        self.reasons: list[_Reason | None] = [self._own_reason(node) for node in self.nodes]
        self.candidate = [reason is None for reason in self.reasons]

    @cached_property
    def _shapes(self) -> set[Node]:
        return find_shape_arithmetic(self.block)

    @cached_property
    def _positions(self) -> dict[Node, int]:
        return {node: at for at, node in enumerate(self.nodes)}

    def _own_reason(self, node: Node) -> _Reason | None:
        """Why an operator is no candidate, before any device is asked."""
        what = self._control(node)
        if what:
            return Kind.CONTROL, what
        line = self.known.lines.get(node)
        if line is not None and line.place != DEVICE:
            return Kind.CONFIG, f"excluded by line {line.number} of {self.known.placement.config}"
        return None

    def _control(self, node: Node) -> str:
        if node.type in ("feed", "fetch"):
            return "stands for an input or output of the program"
        if node.type == subgraph.SUBGRAPH:
            return "is a subgraph already"
        if sub_block(node) is not None or node.type in having("stays", "updates"):
            return "control flow and side effects stay on the CPU"
        if node.hidden_reads or node.hidden_writes:
            return "changes a variable in part"
        for value in (*node.input_values(), *node.output_values()):
            for block in (self.block, self.known.graph.root):
                desc = block.desc.vars.get(value.name)
                if desc is not None and desc.type != VarType.LOD_TENSOR:
                    return f"{value.name} is no tensor but a {desc.type.name.lower()}"
        return ""

    def is_forced(self, cluster: list[int]) -> bool:
        """Whether a config line asks for the device for an operator of a cluster."""
        lines = self.known.lines
        return any(
            self.nodes[at] in lines and lines[self.nodes[at]].place == DEVICE for at in cluster
        )

    def detect(self, check: SupportCheck, program: Program) -> None:
        """Forms the clusters: of what is declared, then of what the driver takes."""
        while True:
            candidates = [at for at, fine in enumerate(self.candidate) if fine]
            if not candidates:
                return
            self._ask(check, program, [candidates], Kind.UNSUPPORTED)
            if not self._leave_shapes():
                break
        for _ in range(ROUNDS):
            self._form()
            if not self.clusters or not self._ask(check, program, self.clusters, Kind.DRIVER):
                return
        self._form()

    def _leave_shapes(self) -> bool:
        """Leaves shape arithmetic that somebody on the CPU reads there; says whether there is any.

        What only the device reads goes along: on the CPU it would divide the subgraph. Operators
        that read a shape which stays on the CPU are asked about again.
        """
        shapes = [at for at in range(len(self.nodes)) if self.candidate[at] and self._may_leave(at)]
        for at in reversed(shapes):
            self.candidate[at] = self._only_device_reads(self.nodes[at])
        for at in shapes:
            self.candidate[at] &= not self._reads_shapes_of_the_cpu(self.nodes[at])
        left = [at for at in shapes if not self.candidate[at]]
        for at in left:
            self.reasons[at] = _ON_THE_CPU
        return bool(left)

    def _reads_shapes_of_the_cpu(self, node: Node) -> bool:
        producers = (value.producer for value in node.input_values())
        return any(
            made in self._shapes and not self.candidate[self._positions[made]]
            for made in producers
            if made is not None and made.block is self.block
        )

    def _only_device_reads(self, node: Node) -> bool:
        for value in node.output_values():
            if value.hidden_uses:
                return False
            for reader in value.uses:
                if reader.block is not self.block or not self.candidate[self._positions[reader]]:
                    return False
        return True

    def _ask(
        self, check: SupportCheck, program: Program, clusters: list[list[int]], kind: Kind
    ) -> bool:
        """Asks which operators are refused; says whether there are any."""
        asked = {at for cluster in clusters for at in cluster}
        answer = check(program, self.block.index, [list(cluster) for cluster in clusters])
        refused = {at: reason for at, reason in answer.items() if at in asked}
        for at, reason in refused.items():
            self.candidate[at] = False
            self.reasons[at] = kind, str(reason).strip() or "the device does not take it"
            if self._may_leave(at):  # no fallback: where it belongs unless the device can have it
                self.reasons[at] = _ON_THE_CPU
        return bool(refused)

    def _may_leave(self, at: int) -> bool:
        """Whether an operator is shape arithmetic that nobody asked the device for."""
        node = self.nodes[at]
        free = not self.options.shape_arithmetic and node not in self.known.lines
        return free and node in self._shapes

    def _form(self) -> None:
        formed = form_clusters(self.preds, self.candidate)
        for at, fine in enumerate(self.candidate):
            if fine:
                self.reasons[at] = None
        self.clusters = []
        for cluster in formed:
            reason = self._unworthy(cluster)
            if reason is None:
                self.clusters.append(cluster)
            else:
                self._leave(cluster, reason)

    def _leave(self, cluster: list[int], reason: _Reason) -> None:
        for at in cluster:
            self.reasons[at] = reason

    def drop(self, dropped: list[list[int]], reasons: list[str], kind: Kind) -> None:
        """Leaves clusters on the CPU after all."""
        first = {cluster[0] for cluster in dropped}
        self.clusters = [cluster for cluster in self.clusters if cluster[0] not in first]
        for cluster, reason in zip(dropped, reasons, strict=True):
            self._leave(cluster, (kind, reason))

    def _unworthy(self, cluster: list[int]) -> _Reason | None:
        read, written, _ = self.crossings(cluster)
        if not read:
            return Kind.CONSTANT, "computed from constants alone, with no input for a device"
        if not written:
            return Kind.CONSTANT, "nobody reads what it computes"
        if self.is_forced(cluster):
            return None
        size, least = len(cluster), self.options.min_size
        if size < least:
            what = f"its subgraph has {counted(size, 'operator')}, fewer than min_size={least}"
            if self._has_neighbour(cluster):
                return Kind.ORDER, what + "; joining its neighbour would break the order"
            return Kind.SMALL, what
        work = self.compute(cluster)
        if not work and not self.options.no_compute:
            return Kind.NO_COMPUTE, f"its subgraph of {counted(size, 'operator')} only moves data"
        if work < self.options.min_compute:
            return Kind.SMALL, (
                f"its subgraph computes {work} multiply-adds, fewer than "
                f"min_compute={self.options.min_compute}"
            )
        return None

    def _has_neighbour(self, cluster: list[int]) -> bool:
        inside = set(cluster)
        for at in cluster:
            if any(other not in inside and self.candidate[other] for other in self.preds[at]):
                return True
            for value in self.nodes[at].output_values():
                for reader in value.uses:
                    if reader.block is self.block:
                        other = self._positions[reader]
                        if other not in inside and self.candidate[other]:
                            return True
        return False

    def compute(self, cluster: list[int]) -> int:
        """The multiply-adds of a cluster."""
        return sum(self.places[at].compute for at in cluster)

    def crossings(self, cluster: list[int]) -> tuple[list[Crossing], list[Crossing], int]:
        """What enters and leaves a cluster, and the bytes of its parameters."""
        members = {self.nodes[at] for at in cluster}
        read = {
            value: None
            for at in cluster
            for value in data_inputs(self.nodes[at])
            if value.producer not in members
        }
        written = [
            value
            for at in cluster
            for value in self.nodes[at].output_values()
            if subgraph.is_needed(value, members)
        ]
        weights = {v for at in cluster for v in self.nodes[at].input_values() if v.is_param}
        size = sum(value.array.nbytes for value in weights if value.array is not None)
        return (
            [self.known.shapes.crossing(value) for value in read],
            [self.known.shapes.crossing(value) for value in written],
            size,
        )

    def _replace(
        self, nodes: list[Node], info: SubgraphInfo, floats: set[Node], float_borders: bool
    ) -> list[Node]:
        """The subgraph operator for some nodes, and what must stand around it."""
        calibrated = calibrate(self.known.graph, nodes, floats, float_borders)
        made = subgraph.build(self.known.graph, calibrated.nodes, info)
        calibrated.mark(made[0])
        return [*calibrated.before, *made, *calibrated.after]

    def build(self, floats: set[tuple[int, int]], float_borders: bool) -> None:
        """Puts the subgraph operators into the block, and the outcome into the report.

        ``floats`` are the (block, position) of operators that compute in floating point.
        """
        placement = self.known.placement
        for at, reason in enumerate(self.reasons):
            if self.nodes[at].type == subgraph.SUBGRAPH:
                self.places[at].place = ON_DEVICE
            elif reason is not None:
                self.places[at].kind, self.places[at].reason = reason
        if not self.clusters:
            return
        order = order_units(self.preds, self.clusters)
        made: dict[int, list[Node]] = {}
        position = {id(place): at for at, place in enumerate(placement.operators)}
        wide = {self.nodes[at] for block, at in floats if block == self.block.index}
        for cluster in self.clusters:
            read, written, weights = self.crossings(cluster)
            info = SubgraphInfo(
                len(placement.subgraphs),
                self.block.index,
                [position[id(self.places[at])] for at in cluster],
                sorted(read, key=lambda item: item.name),
                sorted(written, key=lambda item: item.name),
                weights,
                self.compute(cluster),
                devices=list(placement.devices),
            )
            placement.subgraphs.append(info)
            for at in cluster:
                self.places[at].place, self.places[at].subgraph = ON_DEVICE, info.id
            nodes = [self.nodes[at] for at in cluster]
            made[cluster[0]] = self._replace(nodes, info, wide, float_borders)
        for node in list(self.block):
            self.block.unlink(node)
        for at in order:
            for node in made.get(at, [self.nodes[at]]):
                self.block.link(node, None)
