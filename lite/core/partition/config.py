"""The partition config: which operators stay on the CPU, and which are asked onto the device.

The syntax stands in ``config_syntax.py``. The matcher also serves the mixed-precision config.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase

from lite.core.partition.config_syntax import (
    CPU,
    DEVICE,
    Complaint,
    Line,
    Name,
    Selector,
    parse,
    quoted,
)
from lite.errors import ConfigError

FILE_VARIABLE = "SUBGRAPH_PARTITION_CONFIG_FILE"
BUFFER_VARIABLE = "SUBGRAPH_PARTITION_CONFIG_BUFFER"
MIXED_PRECISION_FILE_VARIABLE = "MIXED_PRECISION_QUANTIZATION_CONFIG_FILE"
MIXED_PRECISION_BUFFER_VARIABLE = "MIXED_PRECISION_QUANTIZATION_CONFIG_BUFFER"


MODEL_MARK = "# model: "
"""Begins the comment that names the model of a config."""


@dataclass(frozen=True, slots=True)
class Operator:
    """What the matcher sees of an operator. ``index`` is its position in its block."""

    type: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    block: int = 0
    index: int = -1


@dataclass
class Match:
    """Which line decides on each operator (by its place in the list), and what went wrong."""

    lines: dict[int, Line] = field(default_factory=dict)
    complaints: list[Complaint] = field(default_factory=list)


@dataclass(frozen=True)
class PartitionConfig:
    """A config's text and where it came from."""

    text: str = ""
    source: str = "the partition config"

    @property
    def model(self) -> str:
        """The model that the config was made for, where its head says so."""
        for line in self.text.splitlines():
            if line.startswith(MODEL_MARK):
                return line[len(MODEL_MARK) :].strip()
            if line.strip() and not line.startswith("#"):
                break
        return ""

    def match(self, operators: Sequence[Operator]) -> Match:
        """The line that decides on each named operator: the last one that names it.

        Lines that are malformed or name no operator come back as complaints.
        """
        parsed = parse(self.text)
        index = _Index(operators)
        match = Match(complaints=list(parsed.complaints))
        for line in parsed.lines:
            found, missing = _resolve(line, index)
            match.complaints += missing
            for position in found:
                match.lines[position] = line
        match.complaints.sort(key=lambda complaint: complaint.number)
        return match

    def refuse(self, complaints: Iterable[Complaint]) -> None:
        """Raises ConfigError for the complaints, if there are any."""
        said = [str(complaint) for complaint in complaints]
        if said:
            more = f"; and {len(said) - 10} more" if len(said) > 10 else ""
            raise ConfigError(f"{self.source}: " + "; ".join(said[:10]) + more)


class _Index:
    """The operators by type and by the names that they touch."""

    def __init__(self, operators: Sequence[Operator]) -> None:
        self.operators = operators
        self.inputs = [frozenset(op.inputs) for op in operators]
        self.outputs = [frozenset(op.outputs) for op in operators]
        self.by_type: dict[str, list[int]] = {}
        self.by_input: dict[str, list[int]] = {}
        self.by_output: dict[str, list[int]] = {}
        for position, op in enumerate(operators):
            self.by_type.setdefault(op.type, []).append(position)
            for name in self.inputs[position]:
                self.by_input.setdefault(name, []).append(position)
            for name in self.outputs[position]:
                self.by_output.setdefault(name, []).append(position)

    def find(self, selector: Selector) -> list[int]:
        """The positions of the operators that a selector means."""
        return [at for at in self._candidates(selector) if self._fits(at, selector)]

    def _candidates(self, selector: Selector) -> Sequence[int]:
        """Some operators among which all are that can fit: the shortest list that is at hand."""
        lists: list[Sequence[int]] = []
        for names, table in ((selector.outputs, self.by_output), (selector.inputs, self.by_input)):
            for name in names:
                if not (selector.wildcards and name.is_pattern):
                    lists.append(table.get(name.text, ()))
        if len(selector.types) == 1 and not (selector.wildcards and selector.types[0].is_pattern):
            lists.append(self.by_type.get(selector.types[0].text, ()))
        return min(lists, key=len) if lists else range(len(self.operators))

    def _fits(self, at: int, selector: Selector) -> bool:
        op, wild = self.operators[at], selector.wildcards
        if selector.types and not any(_same(name, (op.type,), wild) for name in selector.types):
            return False
        if selector.blocks and op.block not in selector.blocks:
            return False
        if selector.ranges and not any(
            first <= op.index and (last is None or op.index <= last)
            for first, last in selector.ranges
        ):
            return False
        if selector.names and not any(_same(name, op.outputs[:1], wild) for name in selector.names):
            return False
        return all(_same(name, self.inputs[at], wild) for name in selector.inputs) and all(
            _same(name, self.outputs[at], wild) for name in selector.outputs
        )

    def near(self, selector: Selector) -> str:
        """What might have been meant by a selector that fits nothing."""
        types = [name.text for name in selector.types]
        if types and not any(kind in self.by_type for kind in types):
            return _hint(types[0], list(self.by_type), "operator types of the model")
        of_type = [at for kind in types for at in self.by_type.get(kind, ())] or range(
            len(self.operators)
        )
        for what, names, sets in (
            ("output", selector.outputs, self.outputs),
            ("input", selector.inputs, self.inputs),
        ):
            known = {name for at in of_type for name in sets[at]}
            for name in names:
                if name.text not in known:
                    kind = f"{what}s of {types[0]}" if types else f"{what}s"
                    return f"{what} {name.text!r} is not there: " + _hint(
                        name.text, sorted(known), kind
                    )
        if selector.names:
            firsts = sorted({op.outputs[0] for op in self.operators if op.outputs})
            return _hint(selector.names[0].text, firsts, "operators' first outputs")
        if selector.ranges:
            return self._sizes()
        return "no single operator has all of them"

    def _sizes(self) -> str:
        sizes: dict[int, int] = {}
        for op in self.operators:
            sizes[op.block] = max(sizes.get(op.block, 0), op.index + 1)
        shown = [f"block {block} has 0-{size - 1}" for block, size in list(sizes.items())[:8]]
        return "; ".join(shown) or "the program has no operators"


def _same(name: Name, known: Iterable[str], wildcards: bool) -> bool:
    if wildcards and name.is_pattern:
        pattern = name.text.replace("[", "[[]")
        return any(fnmatchcase(item, pattern) for item in known)
    return name.text in known


def _hint(wrong: str, known: list[str], kind: str) -> str:
    near = get_close_matches(wrong[:200], known, n=3, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(map(quoted, near))}?"
    shown = ", ".join(map(quoted, known[:5])) + (", ..." if len(known) > 5 else "")
    return f"{kind} are {shown}" if known else f"there are no {kind}"


def _resolve(line: Line, index: _Index) -> tuple[list[int], list[Complaint]]:
    """The operators that a line names; a line that names none is read as Paddle Lite reads it."""
    found = index.find(line.selector)
    if found:
        return found, []
    complaints = []
    for piece in line.pieces:
        part = index.find(piece)
        found += part
        if not part:
            what = f"split at '-', the part {piece.types[0].text!r} names no operator; "
            complaints.append(Complaint(line.number, line.text, what + index.near(piece)))
    if found:
        return sorted(set(found)), complaints
    what = f"it names no operator; {index.near(line.selector)}"
    return [], [Complaint(line.number, line.text, what)]


def load_partition_config(
    buffer: str | bytes | None = None,
    path: str | os.PathLike[str] | None = None,
    environ: Mapping[str, str] | None = None,
) -> PartitionConfig | None:
    """The first of: the given text, the given file, a file or a text named in the environment.

    Empty ones count as not given. Raises ConfigError for a file that cannot be read.
    """
    variables = (FILE_VARIABLE, BUFFER_VARIABLE)
    return _load("the partition config", variables, buffer, path, environ)


def load_mixed_precision_config(
    buffer: str | bytes | None = None,
    path: str | os.PathLike[str] | None = None,
    environ: Mapping[str, str] | None = None,
) -> PartitionConfig | None:
    """The same for the config that names the quantised operators to compute in floating point."""
    variables = (MIXED_PRECISION_FILE_VARIABLE, MIXED_PRECISION_BUFFER_VARIABLE)
    return _load("the mixed-precision config", variables, buffer, path, environ)


def _load(
    what: str,
    variables: tuple[str, str],
    buffer: str | bytes | None,
    path: str | os.PathLike[str] | None,
    environ: Mapping[str, str] | None,
) -> PartitionConfig | None:
    if buffer:
        return PartitionConfig(_text(buffer), f"{what} buffer")
    if path:
        return _from_file(os.fspath(path), what)
    values = os.environ if environ is None else environ
    for_file, for_text = variables
    if values.get(for_file):
        return _from_file(values[for_file], f"{what} of {for_file}")
    if values.get(for_text):
        return PartitionConfig(values[for_text], for_text)
    return None


def _text(data: str | bytes) -> str:
    return data if isinstance(data, str) else bytes(data).decode("utf-8", "surrogateescape")


def _from_file(path: str, what: str) -> PartitionConfig:
    try:
        with open(path, "rb") as file:
            return PartitionConfig(_text(file.read()), f"{what} {path}")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError(f"{what} {path} cannot be read: {reason}") from None


__all__ = [
    "BUFFER_VARIABLE",
    "CPU",
    "DEVICE",
    "FILE_VARIABLE",
    "MIXED_PRECISION_BUFFER_VARIABLE",
    "MIXED_PRECISION_FILE_VARIABLE",
    "Complaint",
    "Match",
    "Operator",
    "PartitionConfig",
    "load_mixed_precision_config",
    "load_partition_config",
    "quoted",
]
