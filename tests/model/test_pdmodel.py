"""ProgramDesc in protobuf."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from model.samples import every_attribute, odd_program, varint

from lite.errors import LiteError, ModelFormatError
from lite.model import pdmodel
from lite.model.legacy import as_legacy
from lite.model.pdmodel import DEBUG_ATTRS, read_pdmodel, write_pdmodel
from lite.model.program import Attr, AttrType, OpDesc, Program
from lite.model.text import print_program


def test_everything_round_trips() -> None:
    program = odd_program()
    again = read_pdmodel(write_pdmodel(program))
    assert again == program
    assert print_program(again) == print_program(program)


def test_attributes_of_debugging_are_left_out() -> None:
    program = Program()
    attrs = {name: Attr(AttrType.STRING, "x") for name in (*DEBUG_ATTRS, "kept")}
    program.root.ops = [OpDesc("relu", attrs=attrs)]
    assert list(read_pdmodel(write_pdmodel(program)).root.ops[0].attrs) == ["kept"]


def _field(number: int, data: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(data)) + data


def _program_bytes(op: bytes) -> bytes:
    return _field(1, b"\x08\x00\x10" + varint(-1) + _field(4, op))


RELU = _field(3, b"relu")


def test_bytes_made_by_hand() -> None:
    attr = _field(1, b"axes") + b"\x10\x03" + _field(6, b"\x01\x02") + b"\x30" + varint(-3)
    unknown = varint(900 << 3) + b"\x05" + _field(901, b"later")
    op = _field(2, _field(1, b"Out") + _field(2, b"y")) + RELU + _field(4, attr) + unknown
    program = read_pdmodel(_program_bytes(op) + unknown)
    expected = OpDesc("relu", {}, {"Out": ["y"]}, {"axes": Attr(AttrType.INTS, [1, 2, -3])})
    assert program.root.ops == [expected]
    assert (program.root.idx, program.root.parent_idx, program.version) == (0, -1, 0)


def test_text_that_is_not_utf8_is_kept() -> None:
    attr = _field(1, b"comment") + b"\x10\x02" + _field(5, b"\xd6\xd0")
    program = read_pdmodel(_program_bytes(RELU + _field(4, attr)))
    assert program.root.ops[0].attr("comment") == "\udcd6\udcd0"
    assert read_pdmodel(write_pdmodel(program)) == program


def test_of_an_attribute_that_is_repeated_the_last_is_read() -> None:
    off, on = (_field(4, _field(1, b"is_test") + b"\x10\x06\x50" + v) for v in (b"\0", b"\1"))
    program = read_pdmodel(_program_bytes(RELU + on + off + on))
    assert program.root.ops[0].attrs == {"is_test": Attr(AttrType.BOOLEAN, True)}


@pytest.mark.parametrize(
    ("op", "message"),
    [
        (b"", r"the required field blocks\[0\].ops\[0\].type is missing"),
        (RELU + _field(4, b""), r"required field blocks\[0\].ops\[0\].attrs\[0\].name is missing"),
        (RELU + _field(4, _field(1, b"a") + b"\x10\x10"), "scalar has type 0"),
        (RELU + _field(4, _field(1, b"a") + b"\x10\x12"), r"block 0, operator 0 \(relu\).*type 18"),
        (
            RELU
            + _field(4, _field(1, b"a") + b"\x10\x00")
            + _field(4, _field(1, b"a") + b"\x10\x06\x50\x01"),
            "'a' is there twice, as 0 and True",
        ),
        (RELU + _field(1, _field(1, b"X")) * 2, "a slot stands there twice"),
        (RELU + _field(4, _field(1, b"a") + b"\x10\x10\xa2\x01\x02\x08\x09"), "scalar has type 9"),
    ],
)
def test_bad_operators_are_named(op: bytes, message: str) -> None:
    with pytest.raises(ModelFormatError, match=message) as caught:
        read_pdmodel(_program_bytes(op), "here.pdmodel")
    assert "here.pdmodel" in str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "0 bytes.*an empty file"),
        (b"version https://git-lfs.github.com/spec/v1\noid", "git-lfs pointer"),
        (b"<!DOCTYPE html><html>", "HTML"),
        (b"PK\x03\x04aaaa", "zip archive"),
        (b'{"base_code":{"magic":"pir","version":4},"program":{}}', "PIR"),
        (b"\x02\x00v2.13-rc" + bytes(8) + b"\x10\x00\x00\x00\x00\x00\x00\x00", r"\.nb file"),
        (b"\x08\x07\x12\x07pytorch", "at least one block"),
        (b"\xff" * 50, "begins with ff ff ff"),
    ],
)
def test_other_files_are_recognised(data: bytes, message: str) -> None:
    with pytest.raises(ModelFormatError, match=message) as caught:
        read_pdmodel(data, "here.pdmodel")
    assert f"here.pdmodel ({len(data)} bytes" in str(caught.value)


def test_deep_nesting_is_an_error_only() -> None:
    data = b""
    for _ in range(20000):
        data = _field(15, data)[:100000]
    groups = b"\x7b" * 50000
    for nested in (data, groups, b"\x0a\x7f" + groups):
        with pytest.raises(ModelFormatError):
            read_pdmodel(nested)


def test_values_that_do_not_fit_are_refused_when_written() -> None:
    for attr in (Attr(AttrType.INT, 2**31), Attr(AttrType.INTS, ["a"]), Attr(AttrType.FLOAT, "x")):
        program = Program()
        program.root.ops = [OpDesc("relu", attrs={"a": attr})]
        with pytest.raises(LiteError, match=r"operator relu: attribute 'a'"):
            write_pdmodel(program)


@pytest.mark.parametrize("pure", [False, True])
def test_both_implementations_of_protobuf(pure: bool, tmp_path: Path) -> None:
    path = tmp_path / "m.pdmodel"
    path.write_bytes(write_pdmodel(odd_program()))
    code = (
        "import sys; sys.path[:0] = sys.argv[2:]\n"
        "from google.protobuf.internal import api_implementation\n"
        "from lite.model.pdmodel import read_pdmodel, write_pdmodel\n"
        "from model.samples import odd_program\n"
        "data = open(sys.argv[1], 'rb').read()\n"
        "assert read_pdmodel(data) == odd_program()\n"
        "assert write_pdmodel(odd_program()) == data\n"
        "print(api_implementation.Type())"
    )
    environment = dict(os.environ)
    environment.pop("PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION", None)
    if pure:
        environment["PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION"] = "python"
    folders = [str(Path(__file__).parents[1]), str(Path(pdmodel.__file__).parents[2])]
    command = [sys.executable, "-c", code, str(path), *folders]
    output = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert output.returncode == 0, output.stderr
    assert not pure or output.stdout.strip() == "python"


@pytest.mark.paddle
def test_paddle_reads_what_is_written_in_one_process() -> None:
    pytest.importorskip("paddle")
    from paddle.base.proto import framework_pb2

    program = odd_program()
    data = write_pdmodel(program)
    theirs = framework_pb2.ProgramDesc()
    theirs.ParseFromString(data.replace(b"\xed\xb3\xbf", b""))
    names = {attr.name: attr for attr in theirs.blocks[0].ops[-2].attrs}
    assert set(names) == set(every_attribute())
    assert read_pdmodel(theirs.SerializeToString()) == program


@pytest.mark.parametrize(
    ("slot", "attr"),
    [
        ("OutputSizeTensor", Attr(AttrType.VAR, "hw")),
        ("OutputSizeTensorList", Attr(AttrType.VARS, ["h", "w"])),
    ],
)
def test_attributes_that_name_variables(slot: str, attr: Attr) -> None:
    """Paddle 2.6 writes computed sizes so; they are inputs here, and attributes in its files."""
    program = Program()
    attrs = {"ksize": Attr(AttrType.INTS, [2, 2]), "output_size": attr}
    slots = {"X": ["x"], "Indices": ["at"]}
    program.root.ops = [OpDesc("unpool", slots, {"Out": ["y"]}, attrs)]
    read = read_pdmodel(write_pdmodel(program))
    (op,) = read.root.ops
    names = attr.value if isinstance(attr.value, list) else [attr.value]
    assert op.inputs == {**slots, slot: names} and list(op.attrs) == ["ksize"]
    (again,) = as_legacy(read).root.ops
    assert again.inputs == slots and again.attrs["output_size"] == attr
