"""Random partition configs, support sets and answers of drivers on the zoo's programs.

    python tests/fuzz/fuzz_partition.py [--count 10000] [--seed N]

Well-formed configs: what they name never reaches the device, the report agrees with the program,
and the numbers are those of the whole program. Damaged configs, programs and answers: an error
that users are told of, or a report. Failures are printed with their seed.
"""

from __future__ import annotations

import argparse
import io
import random
import sys
import traceback
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

import zoo
from mutate_program import mutate_program

from lite.api.build import make_core
from lite.core.optimizer import optimize
from lite.core.partition import PartitionConfig, PartitionOptions, PartitionRequest, partition
from lite.core.partition.config_syntax import quoted
from lite.errors import LiteError
from lite.model.naive_buffer import read_nb, write_nb
from lite.model.program import BlockDesc, OpDesc, Program

_JUNK = [
    *':,-"\\#@*?[]= \t\r\n\0',
    "\r\n", "é", "\udcff", "@cpu ", "@device ", "index=", "3-1", "in=", "type=", "block=",
    "x" * 300,
]  # fmt: skip


def _operators(program: Program) -> list[tuple[int, OpDesc]]:
    ops = enumerate(program.root.ops)
    return [(at, op) for at, op in ops if op.type not in ("feed", "fetch")]


def _config(program: Program, rng: random.Random) -> tuple[str, set[int]]:
    """Lines that name operators, and the positions of those that they name."""
    lines, named = [], set()
    known = _operators(program)
    for at, op in rng.sample(known, rng.randint(0, min(4, len(known)))):
        inputs = sorted(set(op.input_names()))[: rng.randint(0, 2)]
        outputs = sorted(set(op.output_names()))[: rng.randint(0, 1)]
        style = rng.randrange(4)
        if style == 0:
            lines.append(f"@cpu index={at}")
            named.add(at)
            continue
        fits = {
            other
            for other, item in known
            if item.type == op.type
            and set(inputs) <= set(item.input_names())
            and set(outputs) <= set(item.output_names())
        }
        named |= fits
        fields = [op.type, ",".join(map(quoted, inputs)), ",".join(map(quoted, outputs))]
        space = rng.choice(["", " "])
        text = f"{space}:{space}".join(fields)
        lines.append(f"@cpu {text}" if style == 1 else text + rng.choice(["", "  ", " # why"]))
    rng.shuffle(lines)
    return rng.choice(["\n", "\r\n", "\n\n# note\n"]).join(lines), named


class _Device:
    """Refuses some operators, and may answer nonsense."""

    def __init__(self, rng: random.Random, sane: bool) -> None:
        self.rng, self.sane = rng, sane
        self.rate = rng.choice([0.0, 0.1, 0.3, 0.6])

    def __call__(self, program: Program, block: int, clusters: list[list[int]]) -> dict[int, Any]:
        listed = [at for some in clusters for at in some]
        assert len(set(listed)) == len(listed)
        answer: dict[int, Any] = {at: "no" for at in listed if self.rng.random() < self.rate}
        if not self.sane:
            for _ in range(3):
                answer[self.rng.randint(-5, 60)] = self.rng.choice(["", "no\nway", None, 3])
            if self.rng.random() < 0.05:
                raise LiteError("the driver is gone")
        return answer


def subgraphs(program: Program) -> list[BlockDesc]:
    """The blocks that devices run."""
    ops = (op for block in program.blocks for op in block.ops)
    return [program.blocks[op.attr("sub_block")] for op in ops if op.type == "subgraph"]


def inlined(program: Program) -> Program:
    """The program with the operators of each subgraph in its place."""
    blocks = []
    for block in program.blocks:
        ops: list[OpDesc] = []
        for op in block.ops:
            ops += program.blocks[op.attr("sub_block")].ops if op.type == "subgraph" else [op]
        blocks.append(BlockDesc(block.idx, block.parent_idx, -1, dict(block.vars), ops))
    return Program(blocks, program.version, program.op_versions, program.params)


def run_one(rng: random.Random) -> str:
    """One case; raises where something is wrong."""
    name = rng.choice(sorted(zoo.ALL))
    program = zoo.build(name)
    sane = rng.random() < 0.3
    if not sane and rng.random() < 0.5:
        mutate_program(program, rng)
    text, named = _config(program, rng)
    if not sane:
        for _ in range(rng.randint(0, 6)):
            at = rng.randint(0, len(text))
            text = text[:at] + rng.choice(_JUNK) + text[at + rng.randint(0, 2) :]
    options = PartitionOptions(
        min_size=rng.choice([1, 1, 2, 4]),
        min_compute=rng.choice([0, 0, 100]),
        max_transfers=rng.choice([None, None, 0, 6]),
        no_compute=rng.random() < 0.7,
        shape_arithmetic=rng.random() < 0.5,
    )
    device, config = _Device(rng, sane), PartitionConfig(text)
    strict = not sane and rng.random() < 0.1
    request = PartitionRequest(("d",), device, config, options, strict)
    try:
        after, placement = partition(program, request)
        file = io.BytesIO()
        write_nb(after, file)
        after = read_nb(file.getvalue())
    except LiteError as error:
        if sane:
            raise
        return type(error).__name__
    for render in (placement.table, placement.json, placement.dot, placement.html):
        assert render()
    assert placement.config_text()
    inside = [op for block in subgraphs(after) for op in block.ops]
    assert len(placement.on_device()) == len(inside)
    if not sane:
        return "report"
    assert not placement.warnings, placement.warnings
    assert not named & {op.index for op in placement.on_device() if op.block == 0}
    _compare(program, after, zoo.feed_for(name))
    return "same numbers"


def _compare(before: Program, after: Program, feeds: list[object]) -> None:
    inputs = [feed if isinstance(feed, tuple) else (feed, []) for feed in feeds]
    expected = make_core(optimize(before, ["x86"])).run_with(inputs)
    found = make_core(inlined(after)).run_with(inputs)
    for (a, _), (b, _) in zip(expected, found, strict=True):
        assert a.shape == b.shape and a.dtype == b.dtype
        limit = 1e-4 * max(float(np.abs(a).max(initial=0)), 1.0)
        assert np.allclose(a, b, rtol=0, atol=limit, equal_nan=True)


def main() -> int:
    """Runs the cases; returns 1 where one failed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    flags = parser.parse_args()
    warnings.simplefilter("ignore")
    outcomes: Counter[str] = Counter()
    for seed in range(flags.seed, flags.seed + flags.count):
        try:
            outcomes[run_one(random.Random(seed))] += 1
        except Exception:
            outcomes["FAILED"] += 1
            print(f"seed {seed}:")
            traceback.print_exc(file=sys.stdout)
    print(", ".join(f"{count} {what}" for what, count in sorted(outcomes.items())))
    return 1 if outcomes["FAILED"] else 0


if __name__ == "__main__":
    sys.exit(main())
