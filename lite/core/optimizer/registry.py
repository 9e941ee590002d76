"""Passes: what one is, how it is found by name and how it runs.

A pass stands in ``passes/<name>.py`` and registers itself there under Paddle Lite's name; which
passes run, and in which order, is data (``pass_list.py``).
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

from lite.core.optimizer.graph import Graph, Node
from lite.core.optimizer.pattern import Rule, apply_rule
from lite.errors import ConfigError, LiteError


@dataclass(frozen=True)
class Application:
    """One place where a pass changed the program: the operators' lines before and after."""

    pass_name: str
    block: int
    before: tuple[str, ...]
    after: tuple[str, ...]

    def __str__(self) -> str:
        lines = [f"{self.pass_name}, block {self.block}:"]
        lines += [f"  - {line}" for line in self.before]
        lines += [f"  + {line}" for line in self.after]
        return "\n".join(lines)


Tracer = Callable[[str], None]


def tracer_from_environment() -> Tracer | None:
    """Prints every application to stderr where ``GLOG_v`` is 3 or more."""
    level = os.environ.get("GLOG_v", "0").strip()
    if not level.isdigit() or int(level) < 3:
        return None
    return lambda text: print(text, file=sys.stderr)


@dataclass(frozen=True)
class Change:
    """Operators of a block that became something else, as text."""

    block: int
    before: list[str]
    after: str


class Divider(Protocol):
    """Divides a graph among devices (``lite.core.partition``)."""

    def run(self) -> list[Change]:
        """Puts `subgraph` operators in the place of what devices take."""
        ...

    def leave_all(self, reason: str) -> None:
        """Leaves every operator on the CPU."""
        ...

    def floats(self, nodes: list[Node]) -> list[int]:
        """Positions of the quantised operators that are to compute in floating point."""
        ...


@dataclass
class Context:
    """What passes may ask for: the targets in the user's order, the trace, and who divides.

    ``weight_bits`` says in how many bits weights are stored: None where no file is written, 0 for
    those that came in integers only. ``sparse_threshold`` is the share of zeros from which the
    weights of a convolution are stored sparsely, None for never. ``half``: arm computes in half
    precision where it can.
    """

    targets: tuple[str, ...]
    trace: Tracer | None = None
    divider: Divider | None = None
    weight_bits: int | None = None
    sparse_threshold: float | None = None
    half: bool = False
    pass_name: str = ""
    applied: dict[str, int] = field(default_factory=dict)
    changes: int = 0
    seen: dict[str, int] = field(default_factory=dict)

    def record(self, block: int, before: Iterable[str], after: Iterable[str]) -> None:
        """Counts an application, and traces it."""
        self.applied[self.pass_name] = self.applied.get(self.pass_name, 0) + 1
        self.changes += 1
        if self.trace is not None:
            self.trace(str(Application(self.pass_name, block, tuple(before), tuple(after))))


@dataclass(frozen=True)
class Pass:
    """A list of rules, or a function over the graph.

    ``once``: not again in later rounds; ``final`` ones run once, after all rounds of the others.
    """

    name: str
    rules: tuple[Rule, ...] = ()
    run: Callable[[Graph, Context], None] | None = None
    final: bool = False
    once: bool = False


_PASSES: dict[str, Pass] = {}


def register(new: Pass) -> Pass:
    """Makes a pass known; a second one of the same name is an error."""
    if new.name in _PASSES:
        raise ConfigError(f"pass {new.name!r} is registered twice; give one another name")
    _PASSES[new.name] = new
    return new


@cache
def pass_names() -> frozenset[str]:
    """The names of all passes that exist."""
    package = importlib.import_module("lite.core.optimizer.passes")
    return frozenset(module.name for module in pkgutil.iter_modules(package.__path__))


def find_pass(name: str) -> Pass:
    """The pass of that name; ConfigError, with near matches, where there is none."""
    found = _PASSES.get(name)
    if found is None and name in pass_names():
        importlib.import_module(f"lite.core.optimizer.passes.{name}")
        found = _PASSES.get(name)
        if found is None:
            raise LiteError(f"passes/{name}.py registers no pass of that name")
    if found is None:
        raise unknown_pass(name, pass_names())
    return found


def unknown_pass(name: str, known: Iterable[str]) -> ConfigError:
    """The error for a pass name that does not exist."""
    from difflib import get_close_matches

    near = get_close_matches(name, sorted(known), n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else "see pass_list.py for the names"
    return ConfigError(f"optimizer: there is no pass {name!r}; {hint}")


def run_pass(current: Pass, graph: Graph, context: Context) -> bool:
    """Runs a pass until it finds nothing more to do; says whether it changed anything.

    A pass that saw this very graph before is not run again.
    """
    if context.seen.get(current.name) == context.changes:
        return False
    if current.once and current.name in context.seen:
        return False
    context.pass_name = current.name
    before = context.applied.get(current.name, 0)
    if current.run is not None:
        current.run(graph, context)
    limit = len(graph) * 4 + 64
    while _sweep(current, graph, context):
        if context.applied[current.name] - before > limit:
            break
    context.seen[current.name] = context.changes
    return context.applied.get(current.name, 0) != before


def _sweep(current: Pass, graph: Graph, context: Context) -> bool:
    changed = False
    for block in graph.blocks:

        def trace(before: list[str], after: list[str], index: int = block.index) -> None:
            context.record(index, before, after)

        for rule in current.rules:
            for node in block.of_type(*rule.root_types):
                if node not in block.by_type[node.type]:
                    continue
                if apply_rule(rule, graph, node, None if context.trace is None else trace):
                    changed = True
                    if context.trace is None:
                        context.record(block.index, (), ())
    return changed
