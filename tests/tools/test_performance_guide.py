"""docs/performance.md: its commands and its program run, and its algorithms are the kernels'."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from lite.model.save import write_protobuf_dir
from lite.model.text import parse_program
from lite.tools.bench import compare

from .conftest import Command

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/performance.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> None:
    program = parse_program(
        "program version 2006002\nblock 0 parent -1 {\n  var feed: feed_minibatch\n"
        "  var fetch: fetch_list\n  var x: lod_tensor fp32[-1,3,32,32]\n"
        "  var f: lod_tensor fp32[8,3,3,3] persistable\n"
        "  Out: [x] = feed(X: [feed]) {col: int 0}\n"
        "  Output: [y] = conv2d(Input: [x], Filter: [f]) {paddings: ints [1, 1], strides: "
        "ints [1, 1], dilations: ints [1, 1], groups: int 1}\n"
        "  Out: [fetch] = fetch(X: [y]) {col: int 0}\n}",
        {"f": np.ones((8, 3, 3, 3), np.float32)},
    )
    write_protobuf_dir(program, tmp_path / "model")


def test_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert "(conv2d -> y, block 0) nhwc planes" in capsys.readouterr().out
    assert "conv2d" in (tmp_path / "profile.html").read_text()


def test_the_commands(cli: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "_ROUNDS", 1)
    monkeypatch.setattr(compare, "_SECONDS_A_ROUND", 0.001)
    commands = re.findall(r"^    lite (bench .*?)\s+#", GUIDE, re.MULTILINE)
    assert len(commands) == 5
    for command in commands:
        done = cli(*command.split(), "--runs", 2)
        assert done.returncode == 0, done.stderr
        assert "peak RSS" in done.stdout


def test_the_algorithms() -> None:
    files = ("convolution/conv_nhwc.cc", "convolution/conv_volumes.cc")
    files += ("matrix/rounded_choice.h", "matrix/matmul_fp32.cc")
    source = "".join((ROOT / "lite/kernels/cpu" / name).read_text() for name in files)
    returned = re.findall(r"return \{(.*?)[,;]\s", source)
    known = {word for text in returned for word in re.findall(r'"([a-z_0-9]+)"', text)}
    (table,) = re.findall(r"\| algorithm \|.*?\n\n", GUIDE, re.DOTALL)
    rows = [line.split("|")[1] for line in table.splitlines()[2:] if line]
    said = {word for row in rows for word in re.findall(r"`(\w+)`", row)}
    assert said == known
