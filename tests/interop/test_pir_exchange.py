"""`.nb` files made of Paddle 3's programs in real Paddle Lite: right, or named as not to be run.

All fixtures of models and every sixth of those of functions; LITE_TEST_PIR=FOLDER as in
tests/models/test_pir.py takes all that is there.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from models.test_pir import DATA, FOLDER, cases

from lite.api.build import Source, save_naive_buffer
from lite.core.optimizer.exchange.limits import Limit, limits
from lite.errors import LiteError

from .interpreters import Interpreter, run_script

NOT_IN_2_13 = frozenset({"bitwise_or", "bitwise_xor", "ceil", "log1p"})
"""Operators for which 2.14 has a kernel and 2.13 has none."""

SHARE = 0.6
"""Of the files at least so many are not named and must be right."""


@dataclass(frozen=True)
class Written:
    """A `.nb` file, the arrays that it is run with, its operators, and what it is named for."""

    nb: str
    arrays: str
    operators: frozenset[str]
    limits: tuple[Limit, ...]


def _folder(target: Path) -> Path:
    if FOLDER:
        return Path(FOLDER)
    for name, step in (("models.zip", 1), ("functions.zip", 6)):
        with zipfile.ZipFile(DATA / name) as archive:
            chosen = sorted({path.split("/")[0] for path in archive.namelist()})[::step]
            wanted = [path for path in archive.namelist() if path.split("/")[0] in chosen]
            archive.extractall(target, wanted)
    return target


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Written]:
    """All files that can be written for x86."""
    target = tmp_path_factory.mktemp("pir_exchange")
    folder = _folder(target / "from")
    found = {}
    for name in cases():
        if not (folder / name).exists():
            continue
        try:
            program = Source(str(folder / name), targets=("x86",)).optimized(for_file=True)
            nb = save_naive_buffer(program, str(target / name))
        except LiteError:  # tests/models/test_pir.py says which
            continue
        types = frozenset(op.type for block in program.blocks for op in block.ops)
        found[name] = Written(nb, str(folder / name / "io.npz"), types, limits(program))
    return found


def test_right_or_named(
    real: Interpreter, written: dict[str, Written], tmp_path: Path, table: dict[str, str]
) -> None:
    absent = NOT_IN_2_13 if "2.13" in real.lite_version else frozenset()
    todo = {n: w for n, w in written.items() if not w.limits and not w.operators & absent}
    listed, out = tmp_path / "listed.json", tmp_path / "out.json"
    listed.write_text(json.dumps([(n, w.nb, w.arrays) for n, w in todo.items()]))
    assert run_script(real, "real_lite_side.py", "cases", str(listed), str(out)) == 0
    said = json.loads(out.read_text())
    assert {name: text for name, text in said.items() if text} == {}
    assert len(said) >= SHARE * len(written)
    what = f"Paddle 3's programs: our x86 .nb in real {real.lite_version}"
    table[what] = f"{len(said)} right, {len(written) - len(said)} named"
