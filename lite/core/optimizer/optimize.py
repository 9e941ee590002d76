"""``optimize``: a Program and targets in, an equivalent Program for those targets out."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Iterable, Sequence

from lite.core.optimizer.build import to_graph, to_program
from lite.core.optimizer.graph import Graph
from lite.core.optimizer.infer import infer
from lite.core.optimizer.pass_list import (
    BEFORE_PARTITION,
    MAX_ROUNDS,
    NOT_NEEDED,
    PARTITION_PASS,
    PASS_LIST,
)
from lite.core.optimizer.registry import (
    Context,
    Divider,
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
"""Targets that mean a CPU; any other name is a device, for which the program is partitioned."""


def optimize(
    program: Program,
    targets: Sequence[str] = ("x86",),
    discarded: Iterable[str] = (),
    passes: Sequence[str] | None = None,
    trace: Tracer | None = None,
    consume: bool = False,
    weight_bits: int | None = None,
    sparse_threshold: float | None = None,
    half: bool = False,
    divide: Callable[[Graph], Divider] | None = None,
) -> Program:
    """An equivalent program with fewer operators, annotated with kernels for ``targets``.

    The given program is not changed; arrays that need no folding are shared with it. ``passes``
    replaces the default list, ``discarded`` names passes to leave out. ``trace`` is called with the
    text before and after of every change (``GLOG_v=3`` prints it). Fetched names, the order of
    feed and fetch, shapes, dtypes and LoD stay. With ``consume`` the given program's parameters
    are taken out of it, so that those that are folded are freed one at a time.

    ``weight_bits`` is for a program that goes into a file: 8 or 16 stores the weights of
    convolutions and matrix products in integers with a scale for each channel, 4 those of products
    in blocks and others in 8, 0 only those that came in integers, where that loses nothing.
    ``sparse_threshold``, for a file for arm, is the share of zeros from which a convolution of
    1 x 1 pixels is stored without them; ``half`` names kernels of half precision in it.

    ``divide`` makes what puts `subgraph` operators in the place of what devices take, before any
    fusion: ``lite.core.partition.partition`` gives it.

    Raises ConfigError for an unknown pass or target, ModelFormatError for a damaged program, and
    what ``divide`` raises.
    """
    wanted, named = split_targets(targets)
    if named:
        raise ConfigError(
            f"optimizer: targets {list(named)!r} are no CPU; expected some of "
            f"{', '.join(TARGETS)}: lite.core.partition.partition is for devices"
        )
    names, chosen = _passes(discarded, passes)
    if weight_bits not in (None, 0, 4, 8, 16):
        raise ConfigError(f"optimizer: weight_bits is {weight_bits!r}; expected 0, 4, 8 or 16")
    context = Context(wanted, trace if trace is not None else tracer_from_environment())
    context.weight_bits = weight_bits
    context.sparse_threshold = sparse_threshold
    context.half = half
    graph = to_graph(program)
    graph.targets = wanted
    context.divider = divider = divide(graph) if divide is not None else None
    if consume:
        program.params = {}
    infer(graph)
    if divider is not None:
        _run_rounds([find_pass(n) for n in names if n != PARTITION_PASS], graph, context)
        if PARTITION_PASS in names:
            run_pass(find_pass(PARTITION_PASS), graph, context)
        else:
            divider.leave_all(f"{PARTITION_PASS} is discarded")
    _run_rounds(chosen, graph, context)
    for current in chosen:
        if current.final:
            run_pass(current, graph, context)
    optimized = to_program(graph)
    optimized.origin = program.origin
    # Nodes and values refer to each other: the arrays would stay until the garbage collector comes.
    for value in graph.params.values():
        value.array = None
    return optimized


def _run_rounds(passes: list[Pass], graph: Graph, context: Context) -> None:
    """Runs passes as long as they find something, but not forever; final ones are for later."""
    for _ in range(MAX_ROUNDS):
        changed = [run_pass(current, graph, context) for current in passes if not current.final]
        if not any(changed):
            break


def split_targets(targets: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The CPU targets (where there are none, this machine's) and the devices."""
    listed = (targets,) if isinstance(targets, str) else tuple(targets)
    wanted = tuple(str(target).strip() for target in listed)
    if not wanted or not all(re.fullmatch(r"[\w.\-]+", target) for target in wanted):
        raise ConfigError(
            f"optimizer: targets {list(listed)!r}; expected one or more of {', '.join(TARGETS)} "
            "or names of devices"
        )
    cpu = tuple(target.lower() for target in wanted if target.lower() in TARGETS)
    own = "arm" if platform.machine().startswith(("aarch64", "arm")) else "x86"
    return cpu or (own,), tuple(target for target in wanted if target.lower() not in TARGETS)


def _passes(discarded: Iterable[str], passes: Sequence[str] | None) -> tuple[list[str], list[Pass]]:
    """The names of the passes before partitioning, and the passes of the list."""
    names = PASS_LIST if passes is None else tuple(passes)
    dropped = {discarded} if isinstance(discarded, str) else set(discarded)
    known = pass_names() | NOT_NEEDED
    for name in (*names, *sorted(dropped)):
        if name not in known:
            raise unknown_pass(name, known)
    before = (*BEFORE_PARTITION, PARTITION_PASS)
    return (
        [n for n in before if n not in dropped],
        [
            find_pass(n)
            for n in names
            if n not in dropped and n not in NOT_NEEDED and n != PARTITION_PASS
        ],
    )
