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
        again = {(block, at) for at in quantized if at in refused} - self.floats
        if again:
            self.floats |= again
            refused = self._ask(program, block, clusters)
        return refused

    def _ask(self, program: Program, block: int, clusters: list[list[int]]) -> Mapping[int, str]:
        graph = to_graph(program)
        infer(graph)
        nodes = list(graph.blocks[block])
        floats = {nodes[at] for home, at in self.floats if home == block}
        ready = [calibrate(graph, [nodes[at] for at in cluster], floats) for cluster in clusters]
        for calibrated in ready:
            _link(calibrated)
        position = {node: at for at, node in enumerate(graph.blocks[block])}
        inner = [[position[node] for node in calibrated.nodes] for calibrated in ready]
        refused = self.check(to_program(graph), block, inner)
        by_node = {node: refused[at] for node, at in position.items() if at in refused}
        return _for_the_asked(by_node, {node: at for at, node in enumerate(nodes)})


def _link(calibrated: Calibrated) -> None:
    """Puts the operators around a cluster into its block, each beside who needs it."""
    for node in calibrated.before:
        reader = next(iter(node.outputs["Out"][0].uses))
        reader.block.link(node, reader)
    for node in calibrated.after:
        producer = node.inputs["Input"][0].producer
        if producer is not None:
            producer.block.link(node, producer.next)


def _for_the_asked(refused: dict[Node, str], asked: dict[Node, int]) -> dict[int, str]:
    reasons = {asked[node]: reason for node, reason in refused.items() if node in asked}
    for node, reason in refused.items():
        if node.type != CALIB or node in asked:
            continue
        for reader in node.outputs["Out"][0].uses:
            if reader in asked:
                what = node.inputs["Input"][0].name
                text = f"{what} would have to be converted on the device in front of it: {reason}"
                reasons.setdefault(asked[reader], text)
    return reasons
