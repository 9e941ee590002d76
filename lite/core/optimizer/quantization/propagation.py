"""Scales spread from operands that have one to those that stand for the same or known numbers.

An operator computes in integers where its inputs and its outputs have scales; a program names
them only where it rounds. In this order, each where nothing is known yet: the scale of whoever
reads a value, what the user says of a variable, the exporter's ``out_threshold`` over 127, the
scale of whoever writes it. From level 2 on operators that only move, select or clip numbers pass
scales through; from level 3 on operators whose results have a fixed range get that.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping

from lite.core.optimizer.graph import Graph, Node, Value
from lite.core.optimizer.quantization.scales import (
    INDEX_SLOTS,
    arguments,
    data_outputs,
    get_scale,
    may_be_quantized,
    output_threshold,
    set_scale,
)
from lite.core.optimizer.traits import having
from lite.errors import ConfigError
from lite.model.program import DataType

LEVEL = "QUANT_AUTO_COMPLETE_SCALE_LEVEL"
CONFIG_FILE = "QUANT_AUTO_COMPLETE_SCALE_CONFIG_FILE"
CONFIG_BUFFER = "QUANT_AUTO_COMPLETE_SCALE_CONFIG_BUFFER"

FIXED_RANGE = {
    "sigmoid": 1.0,
    "hard_sigmoid": 1.0,
    "softmax": 1.0,
    "tanh": 1.0,
    "sin": 1.0,
    "cos": 1.0,
}
"""Operators whose results are bounded, and by what."""


def level_of(environ: Mapping[str, str] | None = None) -> int:
    """The level that the environment asks for, 0 where it does not. Raises ConfigError."""
    text = (os.environ if environ is None else environ).get(LEVEL, "").strip() or "0"
    if not text.isdigit():
        raise ConfigError(f"{LEVEL} is {text!r}, expected a number from 0 on")
    return int(text)


def thresholds_of(environ: Mapping[str, str] | None = None) -> dict[str, float]:
    """The user's thresholds by variable: ``name:number``, separated by lines, ``,`` or ``-``.

    From the file that the environment names, else from its text. Raises ConfigError for what
    cannot be read.
    """
    values = os.environ if environ is None else environ
    path, text, source = values.get(CONFIG_FILE, ""), values.get(CONFIG_BUFFER, ""), CONFIG_BUFFER
    if path:
        source = f"{CONFIG_FILE} {path}"
        try:
            with open(path, "rb") as file:
                text = file.read().decode("utf-8", "surrogateescape")
        except (OSError, ValueError) as error:
            raise ConfigError(f"{source} cannot be read: {error}") from None
    found: dict[str, float] = {}
    for number, line in enumerate(text.splitlines(), 1):
        rest = "" if line.lstrip().startswith("#") else line.strip()
        while rest:
            entry = _ENTRY.match(rest)
            threshold = float(entry[2]) if entry is not None else 0.0
            if entry is None or not 0 < threshold < math.inf:
                raise ConfigError(
                    f"{source}, line {number}: {rest[:100]!r}, expected variable:threshold with a "
                    "positive number"
                )
            found[entry[1]] = threshold
            rest = rest[entry.end() :]
    return found


_NUMBER = r"\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+"
_ENTRY = re.compile(rf"\s*([^,\s][^,]*?)\s*:\s*({_NUMBER})\s*(?:[-,]\s*|$)")
"""One entry and the separator behind it; a name may have a ``-`` or a ``:`` in it."""


class Propagation:
    """Spreads the scales of one graph."""

    def __init__(self, graph: Graph, level: int, thresholds: Mapping[str, float]) -> None:
        self.graph = graph
        self.level = level
        self.thresholds = dict(thresholds)
        self.changes = 0

    def run(self) -> int:
        """Spreads them in every block; returns how many operands got one."""
        self._from_readers()
        self._from_user()
        self._from_clipping()
        self._from_thresholds()
        self._to_readers()
        while self.level >= 2 and self._through():
            pass
        if self.level >= 3:
            self._from_ranges()
            while self._through():
                pass
        return self.changes

    def _set(self, node: Node, slot: str, index: int, scale: float) -> bool:
        if get_scale(node, slot, index) is not None:
            return False
        set_scale(node, slot, index, [scale])
        self.changes += 1
        return True

    def _readers(self, value: Value) -> Iterator[tuple[Node, str, int]]:
        for reader in value.uses:
            for slot, index, read in arguments(reader.inputs):
                if read is value and slot not in INDEX_SLOTS:
                    yield reader, slot, index

    def _from_readers(self) -> None:
        for node in self.graph.nodes():
            for slot, index, value in data_outputs(node):
                scales = (get_scale(*reader) for reader in self._readers(value))
                known = next((s for s in scales if s is not None and len(s) == 1), None)
                if known is not None and node.type not in ("feed", "calib"):
                    self._set(node, slot, index, known[0])

    def _from_user(self) -> None:
        if not self.thresholds:
            return
        for node in self.graph.nodes():
            for slot, index, value in data_outputs(node):
                if value.name in self.thresholds:
                    self._set(node, slot, index, self.thresholds[value.name] / 127)
            for slot, index, value in arguments(node.inputs):
                if value.name in self.thresholds and not value.is_param and value.producer is None:
                    self._set(node, slot, index, self.thresholds[value.name] / 127)

    def _from_clipping(self) -> None:
        """What a ReLU alone reads needs no wider range than the ReLU's: rounding cuts off alike."""
        for block in self.graph.blocks:
            for relu in block.of_type("relu", "relu6"):
                source, scale = relu.input("X"), get_scale(relu, "Out")
                threshold = output_threshold(relu, "Out", 0)
                if scale is None and threshold is not None:
                    scale = [threshold / 127]
                producer = source.producer if source is not None else None
                if scale is None or source is None or producer is None or source.pinned:
                    continue
                if len(source.uses) > 1 or producer.type in ("feed", "calib"):
                    continue
                for slot, index, value in data_outputs(producer):
                    if value is source:
                        self._set(producer, slot, index, scale[0])

    def _from_thresholds(self) -> None:
        for node in self.graph.nodes():
            for slot, index, _ in data_outputs(node):
                threshold = output_threshold(node, slot, index)
                if threshold is not None:
                    self._set(node, slot, index, threshold / 127)

    def _to_readers(self) -> None:
        for node in self.graph.nodes():
            for slot, index, value in data_outputs(node):
                scale = get_scale(node, slot, index)
                if scale is not None and len(scale) == 1:
                    self._give(value, scale[0])

    def _give(self, value: Value, scale: float) -> bool:
        given = [
            self._set(*reader, scale)
            for reader in self._readers(value)
            if reader[0].type != "fetch"
        ]
        return any(given)

    def _through(self) -> bool:
        """One step through operators that keep the range; says whether anything was new."""
        before = self.changes
        for node in self.graph.nodes():
            if node.type not in having("keeps_range"):
                continue
            if node.type == "pool2d" and node.string("pooling_type") not in ("", "max", "avg"):
                continue
            self._forward(node)
            self._backward(node)
        return self.changes != before

    def _inputs(self, node: Node) -> list[tuple[str, int, Value]]:
        return [
            (slot, index, value)
            for slot, index, value in arguments(node.inputs)
            if slot not in INDEX_SLOTS and may_be_quantized(value) and not value.is_param
        ]

    def _forward(self, node: Node) -> None:
        scales = [get_scale(node, slot, index) for slot, index, _ in self._inputs(node)]
        known = [s[0] for s in scales if s is not None]
        if not known or len(known) != len(scales):
            return
        for slot, index, value in data_outputs(node):
            if self._set(node, slot, index, max(known)):
                self._give(value, max(known))

    def _backward(self, node: Node) -> None:
        outputs = list(data_outputs(node))
        scales = [get_scale(node, slot, index) for slot, index, _ in outputs]
        known = next((s for s in scales if s is not None), None)
        if known is None or node.type in ("relu", "relu6", "pool2d"):
            return  # what comes in may be larger than what goes out
        for slot, index, value in self._inputs(node):
            new = self._set(node, slot, index, known[0])
            producer = value.producer
            if new and producer is not None and producer.type not in ("feed", "calib"):
                for out_slot, out_index, out in data_outputs(producer):
                    if out is value and self._set(producer, out_slot, out_index, known[0]):
                        self._give(value, known[0])

    def _from_ranges(self) -> None:
        for node in self.graph.nodes():
            limit = FIXED_RANGE.get(node.type)
            if limit is None or not self._inputs(node):
                continue
            if all(get_scale(node, slot, index) for slot, index, _ in self._inputs(node)):
                for slot, index, value in data_outputs(node):
                    if self._set(node, slot, index, limit / 127):
                        self._give(value, limit / 127)


def has_scales(graph: Graph) -> bool:
    """Whether a program is quantised: some operand has a scale."""
    return any(
        get_scale(node, slot, index) is not None
        for node in graph.nodes()
        for slot, index, value in arguments(node.inputs)
        if value.dtype in (None, DataType.FP32, DataType.INT8, DataType.INT16)
    )
