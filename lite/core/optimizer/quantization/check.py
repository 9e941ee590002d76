"""Devices are asked about a quantised program as they will get it, with its calib operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from lite.core.optimizer.build import to_graph, to_program
from lite.core.optimizer.graph import Node
from lite.core.optimizer.infer import infer
from lite.core.optimizer.quantization.calibration import CALIB, Calibrated, calibrate
from lite.core.optimizer.quantization.scales import ENABLE_INT8, is_int8
from lite.model.program import Program

_MOST_ROUNDS = 8
"""What computes in floats needs converted neighbours, which may be refused in their turn."""


class _Check(Protocol):
    def __call__(
        self, program: Program, block: int, clusters: list[list[int]], /
    ) -> Mapping[int, str]: ...


class CalibratedCheck:
    """A support check that puts calib operators into each cluster before it asks another check.

    An operator that a device does not take in integers is asked for in floating point; ``floats``
    are the (block, position) of those. A refused calib is a reason for the operators that read
    what it makes.
    """

    def __init__(self, check: _Check) -> None:
        self.check = check
        self.floats: set[tuple[int, int]] = set()
        self.unconverted: set[int] = set()  # whose integers cannot be made floats again

    @property
    def float_borders(self) -> bool:
        """Whether no integers may enter or leave a cluster, as the other check says."""
        return bool(getattr(self.check, "float_borders", False))

    def __call__(
        self, program: Program, block: int, clusters: list[list[int]], /
    ) -> Mapping[int, str]:
        names = {name for op in program.blocks[block].ops for name in op.attrs}
        if not any(name == ENABLE_INT8 or name.endswith("_scale") for name in names):
            return self.check(program, block, clusters)
        nodes = list(to_graph(program).blocks[block])
        asked = [at for cluster in clusters for at in cluster]
        quantized = {at for at in asked if is_int8(nodes[at])}
        if not quantized and not any(nodes[at].flag(ENABLE_INT8) for at in asked):
            return self.check(program, block, clusters)
        refused = self._ask(program, block, clusters)
        for _ in range(_MOST_ROUNDS):
            wanted = quantized & (refused.keys() | self.unconverted)
            again = {(block, at) for at in wanted} - self.floats
            if not again:
                break
            self.floats |= again
            refused = self._ask(program, block, clusters)
        return refused

    def _ask(self, program: Program, block: int, clusters: list[list[int]]) -> Mapping[int, str]:
        graph = to_graph(program)
        infer(graph)
        nodes = list(graph.blocks[block])
        floats = {nodes[at] for home, at in self.floats if home == block}
        ready = [
            calibrate(graph, [nodes[at] for at in cluster], floats, self.float_borders)
            for cluster in clusters
        ]
        for calibrated in ready:
            _link(calibrated)
        position = {node: at for at, node in enumerate(graph.blocks[block])}
        inner = [[position[node] for node in calibrated.nodes] for calibrated in ready]
        refused = self.check(to_program(graph), block, inner)
        by_node = {node: refused[at] for node, at in position.items() if at in refused}
        asked = {node: at for at, node in enumerate(nodes)}
        self.unconverted = {
            asked[maker]
            for node in by_node
            if node.type == CALIB and node not in asked
            for maker in [node.inputs["Input"][0].producer]
            if maker in asked and not _for_the_refused(node, by_node)
        }
        return _for_the_asked(by_node, asked)


def _link(calibrated: Calibrated) -> None:
    """Puts the operators around a cluster into its block, each beside who needs it."""
    for node in calibrated.before:
        reader = next(iter(node.outputs["Out"][0].uses))
        reader.block.link(node, reader)
    for node in calibrated.after:
        producer = node.inputs["Input"][0].producer
        if producer is not None:
            producer.block.link(node, producer.next)


def _for_the_refused(calib: Node, refused: Mapping[Node, str]) -> bool:
    """Whether all that read what a calib makes leave the cluster anyway."""
    readers = list(calib.outputs["Out"][0].uses)
    return bool(readers) and all(reader in refused for reader in readers)


def _for_the_asked(refused: dict[Node, str], asked: dict[Node, int]) -> dict[int, str]:
    reasons = {asked[node]: reason for node, reason in refused.items() if node in asked}
    for node, reason in refused.items():
        if node.type != CALIB or node in asked:
            continue
        source = node.inputs["Input"][0]
        others = [reader for reader in node.outputs["Out"][0].uses if reader in asked]
        where = "in front of" if others else "behind"
        text = f"{source.name} would have to be converted on the device {where} it: {reason}"
        if not others and source.producer in asked:
            others = [source.producer]
        for other in others:
            reasons.setdefault(asked[other], text)
    return reasons
