"""``optimize``: a Program and targets in, an equivalent Program for those targets out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lite.core.optimizer.build import to_graph, to_program
from lite.core.optimizer.infer import infer
from lite.core.optimizer.pass_list import MAX_ROUNDS, NOT_NEEDED, PASS_LIST
from lite.core.optimizer.registry import (
    Context,
    Pass,
    Tracer,
    find_pass,
    pass_names,
    run_pass,
    tracer_from_environment,
    unknown_pass,
)
from lite.errors import ConfigError
from lite.model.program import Program

TARGETS = ("host", "x86", "arm")
"""Targets that mean a CPU; other places belong to the partitioner."""


def optimize(
    program: Program,
    targets: Sequence[str] = ("x86",),
    discarded: Iterable[str] = (),
    passes: Sequence[str] | None = None,
    trace: Tracer | None = None,
    consume: bool = False,
) -> Program:
    """An equivalent program with fewer operators, annotated with kernels for ``targets``.

    The given program is not changed; arrays that need no folding are shared with it. ``passes``
    replaces the default list, ``discarded`` names passes to leave out. ``trace`` is called with the
    text before and after of every change (``GLOG_v=3`` prints it). Fetched names, the order of
    feed and fetch, shapes, dtypes and LoD stay. With ``consume`` the given program's parameters
    are taken out of it, so that those that are folded are freed one at a time.

    Raises ConfigError for an unknown pass or target, ModelFormatError for a damaged program.
    """
    wanted = _targets(targets)
    chosen = _passes(discarded, passes)
    context = Context(wanted, trace if trace is not None else tracer_from_environment())
    graph = to_graph(program)
    graph.targets = wanted
    if consume:
        program.params = {}
    infer(graph)
    for _ in range(MAX_ROUNDS):
        changed = [run_pass(p, graph, context) for p in chosen if not p.final]
        if not any(changed):
            break
    for current in chosen:
        if current.final:
            run_pass(current, graph, context)
    optimized = to_program(graph)
    # Nodes and values refer to each other: the arrays would stay until the garbage collector comes.
    for value in graph.params.values():
        value.array = None
    return optimized


def _targets(targets: Sequence[str]) -> tuple[str, ...]:
    listed = (targets,) if isinstance(targets, str) else tuple(targets)
    wanted = tuple(str(target).strip().lower() for target in listed)
    unknown = [target for target in wanted if target not in TARGETS]
    if unknown or not wanted:
        raise ConfigError(
            f"optimizer: targets {list(listed)!r}; expected one or more of {', '.join(TARGETS)}"
        )
    return wanted


def _passes(discarded: Iterable[str], passes: Sequence[str] | None) -> list[Pass]:
    names = PASS_LIST if passes is None else tuple(passes)
    dropped = {discarded} if isinstance(discarded, str) else set(discarded)
    known = pass_names() | NOT_NEEDED
    for name in (*names, *sorted(dropped)):
        if name not in known:
            raise unknown_pass(name, known)
    return [find_pass(n) for n in names if n not in dropped and n not in NOT_NEEDED]
