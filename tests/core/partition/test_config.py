"""The partition config: every form of Paddle Lite's lines, and what goes beyond them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lite.core.partition.config import (
    BUFFER_VARIABLE,
    FILE_VARIABLE,
    Operator,
    PartitionConfig,
    load_partition_config,
    quoted,
)
from lite.errors import ConfigError

OPERATORS = [
    Operator("conv2d", ("x", "w-0"), ("a",), 0, 1),
    Operator("relu", ("a",), ("b",), 0, 2),
    Operator("conv2d", ("b", "w:1"), ("c",), 0, 3),
    Operator("softmax", ("c",), ("out, put",), 0, 4),
    Operator("relu", ("i",), ("a",), 1, 0),
]


def _named(text: str) -> list[int]:
    return sorted(PartitionConfig(text).match(OPERATORS).lines)


def _complaints(text: str) -> list[str]:
    return [str(item) for item in PartitionConfig(text).match(OPERATORS).complaints]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", []),
        ("\n\n  \n", []),
        ("conv2d", [0, 2]),
        ("conv2d:", [0, 2]),
        ("conv2d::", [0, 2]),
        ("conv2d::c", [2]),
        ("conv2d:x", [0]),
        ("conv2d:x,:a", [0]),
        ("conv2d:x,x:a,", [0]),
        ("conv2d:w-0,x:a", [0]),
        ("conv2d:w-0:a", [0]),
        ('conv2d:"w:1"', [2]),
        ('softmax::"out, put"', [3]),
        ("relu-softmax:c", [1, 3, 4]),
        ("relu-softmax:c\nconv2d", [0, 1, 2, 3, 4]),
        ("conv2d\r\nrelu:a:b\r\n", [0, 1, 2]),
        ("  conv2d : x , w-0 : a  ", [0]),
        ("# conv2d", []),
        ("# no-relu", []),
        ("   # relu", []),
        ("relu:a:b # the first one", [1]),
        ("\ufeffrelu:a", [1]),
        ("@cpu relu:a", [1]),
        ("@cpu type=relu", [1, 4]),
        ("@cpu type=relu,softmax", [1, 3, 4]),
        ("@cpu type=relu block=1", [4]),
        ("@cpu type=*", [0, 1, 2, 3, 4]),
        ("@cpu type=*2d", [0, 2]),
        ("@cpu out=a", [0, 4]),
        ("@cpu in=x,w-0", [0]),
        ("@cpu name=b", [1]),
        ('@cpu name="out, put"', [3]),
        ("@cpu index=2", [1]),
        ("@cpu index=2-3", [1, 2]),
        ("@cpu index=3-", [2, 3]),
        ("@cpu index=1,4", [0, 3]),
        ("@cpu index=0 block=1", [4]),
        ("@CPU Type=relu", [1, 4]),
    ],
)
def test_what_a_line_names(text: str, named: list[int]) -> None:
    assert _named(text) == named
    assert not _complaints(text)


@pytest.mark.parametrize(
    ("text", "named", "words"),
    [
        ("conv2", [], ["line 1", "'conv2'", "conv2d"]),
        ("relu:a\nreul", [1], ["line 2", "relu"]),
        ("conv2d::aa", [], ["output 'aa'", "did you mean a"]),
        ("conv2d:w0", [], ["input 'w0'", "w-0"]),
        ("conv2d:x:c", [], ["no single operator"]),
        ("relu:a-nothing", [1, 4], []),
        ("conv2d:x:a:z", [0], ["quotes"]),
        ("conv2d:,x:a", [0], ["empty"]),
        (":x:a", [], ["no operator type"]),
        ('relu:"a', [], ["not closed"]),
        ('relu:a"b"', [], ["quoted in part"]),
        ("@npu relu", [], ["@cpu or @device"]),
        ("@cpu", [], ["names no operators"]),
        ("@cpu index=9-3", [], ["ends before"]),
        ("@cpu index=x", [], ["no range"]),
        ("@cpu index=77", [], ["block 0 has"]),
        ("@cpu type=relu colour=red", [], ["colour=red"]),
        ("@cpu type=relu type=conv2d", [], ["twice"]),
        ("@cpu type=", [], ["no value"]),
        ("@cpu block=one", [], ["no number"]),
        ("relu-softmaxx", [1, 4], ["'softmaxx'", "softmax"]),
    ],
)
def test_what_is_wrong_is_said(text: str, named: list[int], words: list[str]) -> None:
    if text == "relu:a-nothing":
        # As a whole it names nothing; split, `relu:a` does and `nothing` does not.
        assert _named(text) == [1]
        assert "'nothing'" in _complaints(text)[0]
        return
    assert _named(text) == named
    assert len(_complaints(text)) == 1
    for word in words:
        assert word in _complaints(text)[0]


def test_strict_refuses_with_all_lines() -> None:
    config = PartitionConfig("reul\nrelu\nsofmax", "my.txt")
    with pytest.raises(ConfigError, match=r"my\.txt: line 1 .*line 3"):
        config.refuse(config.match(OPERATORS).complaints)


def test_the_last_line_counts() -> None:
    match = PartitionConfig("@cpu type=*\n@device conv2d\nconv2d:x").match(OPERATORS)
    assert [match.lines[at].place for at in range(5)] == ["cpu", "cpu", "device", "cpu", "cpu"]
    assert match.lines[0].number == 3


@pytest.mark.parametrize("name", ["a", "a:b", "a,b", "a-b", 'a"b', "a\\b", " a ", "@a", "a#b", "é"])
def test_a_quoted_name_reads_back(name: str) -> None:
    operators = [Operator("relu", (name,), (f"{name}.out",)), Operator("relu", ("q",), ("r",))]
    for line in (f"relu:{quoted(name)}:{quoted(name + '.out')}", f"@cpu in={quoted(name)}"):
        match = PartitionConfig(line).match(operators)
        assert (sorted(match.lines), match.complaints) == ([0], []), line


def test_sources_in_order(tmp_path: Path) -> None:
    path = tmp_path / "config.txt"
    path.write_bytes(b"from-file\xff\r\n")
    environ = {FILE_VARIABLE: str(path), BUFFER_VARIABLE: "from env"}

    def text(**given: object) -> str | None:
        found = load_partition_config(environ=environ, **given)  # type: ignore[arg-type]
        return found.text if found else None

    assert text(buffer="api", path=str(path)) == "api"
    assert text(buffer=b"api\xff") == "api\udcff"
    assert text(buffer="", path=path) == "from-file\udcff\r\n"
    assert text() == "from-file\udcff\r\n"
    environ[FILE_VARIABLE] = ""
    assert text() == "from env"
    environ.clear()
    assert text() is None


@pytest.mark.parametrize("path", ["missing.txt", ".", "a\0b"])
def test_a_file_that_cannot_be_read(path: str) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_partition_config(path=path, environ={})
    with pytest.raises(ConfigError, match=FILE_VARIABLE):
        load_partition_config(environ={FILE_VARIABLE: path})


def test_any_text_is_read_or_complained_about() -> None:
    rng = random.Random(5)
    pieces = [
        "conv2d",
        "relu",
        ":",
        ",",
        "-",
        '"',
        "\\",
        "#",
        "@cpu ",
        "@device ",
        "index=",
        "in=",
        "1",
        "3-9",
        " ",
        "\n",
        "\r\n",
        "\t",
        "*",
        "?",
        "[",
        "é",
        "\udcff",
        "\0",
        "x",
        "type=",
    ]
    for _ in range(3000):
        text = "".join(rng.choice(pieces) for _ in range(rng.randint(0, 25)))
        match = PartitionConfig(text).match(OPERATORS)
        assert set(match.lines) <= set(range(len(OPERATORS)))
        for complaint in match.complaints:
            assert str(complaint).startswith("line ")
