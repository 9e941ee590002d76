"""Bad input for devices through the whole framework: rules, configs, subgraphs, HALs in Python.

    python tests/fuzz/fuzz_devices.py [--count 2000] [--seed N] [--jobs 2]

Damaged rules like operators.yaml's, partition and mixed-precision configs, `.nb` files with
subgraphs whose bytes or meaning are damaged, and HALs that answer nonsense. A case may be accepted
or end in one of the errors that users are told of; anything else, a crash, ten seconds of CPU time
or gigabytes of memory is a failure that is printed with its seed.
"""

from __future__ import annotations

import io
import random
import re
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

import batches
import zoo
from mutate import mutant
from mutate_program import mutate_program

import lite
import lite.kernels.nnadapter as converters
import lite.nnadapter as nna
from lite.api.device_check import DeviceCheck
from lite.api.devices import DeviceOptions
from lite.core.partition import PartitionRequest, partition
from lite.errors import LiteError
from lite.model.naive_buffer import write_nb
from lite.model.pdmodel import write_pdmodel
from lite.model.program import Program
from lite.model.save import write_params

ALLOWED = (LiteError, MemoryError)
RULES = Path(converters.__file__).with_name("operators.yaml")
DEVICES = ["builtin_device", "chaos", "python"]
JUNK = [
    *"[]{}()'\"#,:-+*%/<>=!&|$?\\ \n\t\0", "\r\n", "\n  ", "\n    ", "- ", ": ", "true", "null",
    "1e999", "-1", "99999999999999999999", "len(X)", "rank(Input)", " if ", " else ", " not in ",
    "$OPERATION", "&a", "*a", "<<: *a", "!!python/object:os.system", "é", "\ufeff", "x" * 300,
    "(" * 200, "[" * 200, "**", "//0", "% 0", "@cpu ", "@device ", "index=", "type=", "3-1",
]  # fmt: skip


def damaged(text: str, rng: random.Random, most: int = 4) -> str:
    """The text with pieces gone, doubled, swapped or new."""
    for _ in range(rng.randint(1, most)):
        at, to = rng.randint(0, len(text)), rng.randint(0, len(text))
        kind = rng.randrange(8)
        if kind < 3:
            text = text[:at] + rng.choice(JUNK) + text[at + rng.randint(0, 3) :]
        elif kind == 3:
            text = text[:at] + text[at + rng.randint(1, 30) :]
        elif kind == 4:
            piece = text[to : to + rng.randint(1, 60)]
            text = text[:at] + piece + text[at:]
        else:  # one word for another
            words = list(re.finditer(r"[A-Za-z_0-9.]+", text))
            if words:
                a, b = rng.choice(words), rng.choice(words)
                text = text[: a.start()] + b.group() + text[a.end() :]
    return text


@cache
def rules() -> tuple[str, list[str]]:
    """operators.yaml: what comes before its operators, and each of them."""
    text = RULES.read_text(encoding="utf-8")
    head, _, official = text.partition("\nofficial:\n")
    entries = re.split(r"\n(?=  - func:)", official.partition("\ncustom:\n")[0])
    shared = head.partition("\nshared:\n")[2]
    return "shared:\n" + shared + "\n", [entry for entry in entries if "func:" in entry]


@cache
def files(name: str) -> tuple[bytes, bytes]:
    """A program of the zoo as it is exported."""
    program = zoo.build(name)
    params = io.BytesIO()
    write_params(program.params, params)
    return write_pdmodel(program), params.getvalue()


@cache
def partitioned(name: str) -> bytes:
    """A program of the zoo as `.nb`, with what builtin_device takes in subgraphs."""
    request = PartitionRequest(("builtin_device",), DeviceCheck(("builtin_device",)))
    file = io.BytesIO()
    write_nb(partition(zoo.build(name), request)[0], file)
    return file.getvalue()


def run(predictor: lite.Predictor, name: str) -> str:
    """Runs twice; an allowed error in between does not spoil the predictor."""
    feeds = zoo.feed_for(name)
    if len(predictor.inputs) != len(feeds):
        return "other inputs"
    result = "runs"
    for _ in range(2):
        try:
            predictor.run(feeds)
        except ALLOWED as error:
            result = f"run: {type(error).__name__}"
    report = predictor.placement()
    assert report is None or (report.table() and report.json())
    return result


def load(name: str, options: DeviceOptions) -> str:
    """Loads a program of the zoo with these options and runs it."""
    try:
        return run(lite.load(*files(name), devices=options), name)
    except ALLOWED as error:
        return f"load: {type(error).__name__}"


def rules_case(rng: random.Random, name: str) -> str:
    """Rules of a user's own."""
    shared, entries = rules()
    used = {op.type for op in zoo.build(name).root.ops}
    entries = [e for e in entries if set(re.findall(r"\w+(?=\()", e[:200])) & used] or entries
    chosen = "\n".join(rng.sample(entries, rng.randint(1, min(4, len(entries)))))
    if rng.random() < 0.7:
        chosen = damaged(chosen, rng, rng.choice([1, 1, 4]))
    else:
        shared = damaged(shared, rng, rng.choice([1, 4]))
    text = f"{shared}{rng.choice(['official', 'custom'])}:\n{chosen}\n"
    try:
        converters.add_operators("mine.yaml", text)
    except ALLOWED as error:
        assert "mine.yaml" in str(error), error
        return type(error).__name__
    try:
        return load(name, DeviceOptions(names=("builtin_device",)))
    finally:
        converters.reset_operators()


def config_case(rng: random.Random, name: str) -> str:
    """Partition and mixed-precision configs."""
    ops = [op for op in zoo.build(name).root.ops if op.type not in ("feed", "fetch")]
    lines = []
    for op in rng.sample(ops, rng.randint(0, min(4, len(ops)))):
        line = f"{op.type}:{','.join(op.input_names())}:{','.join(op.output_names())}"
        lines.append(rng.choice(["", "@cpu ", "@device "]) + line)
    text = "\n".join(lines)
    options = DeviceOptions(
        names=("builtin_device",),
        partition_config=damaged(text, rng) if rng.random() < 0.8 else text,
        mixed_precision_config=damaged(text, rng) if rng.random() < 0.5 else None,
        properties=damaged("BUILTIN_DEVICE_NUM_THREADS=1;", rng) if rng.random() < 0.2 else "",
        strict=rng.random() < 0.2,
    )
    return load(name, options)


def nb_case(rng: random.Random, name: str) -> str:
    """`.nb` files whose subgraphs are damaged."""
    file = partitioned(name)
    if rng.random() < 0.5:
        file = mutant(file, rng)
    else:
        program = lite_program(file)
        mutate_program(program, rng)
        out = io.BytesIO()
        try:
            write_nb(program, out)
        except ALLOWED:
            return "cannot be written"
        file = out.getvalue()
    names = rng.choice([("builtin_device",), ("builtin_device",), ("python",), ()])
    try:
        predictor = lite.load(file, devices=DeviceOptions(names=names, strict=rng.random() < 0.3))
        return run(predictor, name)
    except ALLOWED as error:
        return f"load: {type(error).__name__}"


def lite_program(file: bytes) -> Program:
    """A program of its own of a sound file."""
    from lite.model.naive_buffer import read_nb

    return read_nb(file)


class Chaos(nna.Hal):
    """The device `python` with answers that are nonsense now and then."""

    random = random.Random(0)
    rate = 0.0

    def __init__(self) -> None:
        from lite.nnadapter.driver.python.device import NumpyHal

        self.real = NumpyHal()

    def strange(self) -> bool:
        return self.random.random() < self.rate

    def raises(self) -> None:
        kinds = [
            RuntimeError("text"), ValueError("é" * 1000), MemoryError(), KeyError(), OSError(5),
            nna.InvalidDimensions("other shapes"), nna.Unsupported("not this"), StopIteration(),
            lite.DeviceError("the driver"), RecursionError(), TypeError("\0"), ArithmeticError(),
        ]  # fmt: skip
        raise self.random.choice(kinds)

    def supports(self, op: nna.Operation) -> Any:
        if self.strange():
            if self.random.random() < 0.3:
                self.raises()
            return self.random.choice([None, 3, "", "no", b"no", [], object(), False, np.bool_(1)])
        return self.real.supports(op) if self.random.random() < 0.9 else "not today"

    def build(self, model: nna.Model) -> Any:
        if self.strange():
            self.raises()
        self.outputs = model.outputs
        return self.real.build(model)

    def save(self) -> Any:
        return self.random.choice([b"", b"x", b"\0" * 100, None, "text", 3])

    def load(self, data: bytes) -> None:
        self.raises()

    def run(self, inputs: Sequence[Any]) -> Any:
        if self.strange() and self.random.random() < 0.3:
            self.raises()
        results = self.real.run(inputs)
        for at, result in enumerate(results):
            if self.strange():
                results[at] = self.garbage(result)
        if self.strange():
            results = self.random.choice(
                [None, [], results + results, results[:-1], tuple(results), 3, "text", {}]
            )
        return results

    def garbage(self, result: Any) -> Any:
        choices = [
            None, 3, "text", [], object(), np.float32(1), result.astype(np.float64),
            result[..., :0], result.astype(object), result.T, result[None], result.ravel(),
            np.asfortranarray(result), np.empty((0,), np.float32), np.zeros((2,) * 9, np.float32),
            np.zeros((1 << 16, 1), np.float32), result.astype(">f4"), result.astype("U3"),
            np.lib.stride_tricks.as_strided(np.zeros(1, np.float32), (1 << 14, 4), (0, 0)),
            np.array(1, np.float32), np.ma.masked_array(np.ones(3)), result.tolist(),
        ]  # fmt: skip
        return self.random.choice(choices)


def hal_case(rng: random.Random, name: str) -> str:
    """A HAL in Python that answers nonsense."""
    Chaos.random, Chaos.rate = rng, rng.choice([0.0, 0.02, 0.1, 0.3])
    names = rng.choice([("chaos",), ("chaos", "builtin_device"), ("builtin_device", "chaos")])
    return load(name, DeviceOptions(names=names, strict=rng.random() < 0.3))


KINDS: dict[str, Callable[[random.Random, str], str]] = {
    "rules": rules_case,
    "config": config_case,
    "nb": nb_case,
    "hal": hal_case,
}


def case(rng: random.Random, note: Callable[[str], None]) -> str:
    """One case of any kind."""
    kind = rng.choice([*KINDS, "nb"])
    name = rng.choice(sorted(zoo.ALL))
    note(f"{kind} {name}")
    return f"{kind} {KINDS[kind](rng, name)}"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    nna.register("chaos", Chaos)
    for zoo_name in zoo.ALL:
        partitioned(zoo_name)
        files(zoo_name)
    rules()
    sys.exit(batches.main(case, 2000))
