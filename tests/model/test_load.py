"""Models from folders, files and bytes, and the checks when one is loaded."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest
from model.samples import feed_op, fetch_op, program_of, record

from lite.errors import ModelFormatError
from lite.model.check import MAX_BLOCK_DEPTH, check_program
from lite.model.find import find_program
from lite.model.load import load_program
from lite.model.pdmodel import write_pdmodel
from lite.model.program import Attr, AttrType, BlockDesc, DataType, OpDesc, Program
from lite.model.sniff import Kind
from lite.model.text import parse_op

PARAMS = dict.fromkeys(("b", "w"), (DataType.FP32, (1,)))
MODEL = write_pdmodel(program_of(PARAMS))
RECORDS = [record(DataType.FP32, (1,), struct.pack("<f", value)) for value in (1, 2)]
COMBINED = b"".join(RECORDS)

LAYOUTS: dict[str, dict[str, bytes]] = {
    "pdmodel": {"net.pdmodel": MODEL, "net.pdiparams": COMBINED, "net.pdiparams.info": b"x"},
    "inference": {"inference.pdmodel": MODEL, "inference.pdiparams": COMBINED, "z.pdmodel": b""},
    "__model__": {"__model__": MODEL, "b": RECORDS[0], "w": RECORDS[1]},
    "__params__": {"__model__": MODEL, "__params__": COMBINED},
    "__model__ params": {"__model__": MODEL, "params": COMBINED},
    "__model__ pdiparams": {"__model__": MODEL, "any.pdiparams": COMBINED},
    "model": {"model": MODEL, "b": RECORDS[0], "w": RECORDS[1]},
    "model params": {"model": MODEL, "params": COMBINED},
    "model weights": {"model": MODEL, "weights": COMBINED, "._net.pdmodel": b"x"},
    "pdmodel params": {"net.pdmodel": MODEL, "params": COMBINED},
    "optimized": {"net.pdmodel": MODEL, "net.pdiparams": COMBINED, "_optimized.pdmodel": b"x"},
    "only optimized": {"_optimized.pdmodel": MODEL, "_optimized.pdiparams": COMBINED},
}


def _fill(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def _values(program: Program) -> dict[str, float]:
    return {name: float(array[0]) for name, array in program.params.items()}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_folders(layout: str, tmp_path: Path) -> None:
    program = load_program(_fill(tmp_path, LAYOUTS[layout]))
    assert _values(program) == {"b": 1, "w": 2}
    model = next(path for path in tmp_path.iterdir() if path.read_bytes() == MODEL)
    assert _values(load_program(model_file=model)) == {"b": 1, "w": 2}
    assert _values(load_program(str(model))) == {"b": 1, "w": 2}


def test_a_parameter_may_be_named_like_a_combined_file(tmp_path: Path) -> None:
    params = dict.fromkeys(("params", "weights"), (DataType.FP32, (1,)))
    model = write_pdmodel(program_of(params))
    files = {"__model__": model, "params": RECORDS[0], "weights": RECORDS[1]}
    assert _values(load_program(_fill(tmp_path, files))) == {"params": 1, "weights": 2}


def test_files_and_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _fill(tmp_path, {"m.pdmodel": MODEL, "other": COMBINED})
    monkeypatch.chdir(tmp_path)
    for program in (
        load_program(model_file="m.pdmodel", param_file="other"),
        load_program(model_bytes=MODEL, param_bytes=memoryview(COMBINED)),
        load_program(model_bytes=bytearray(MODEL), param_file=tmp_path / "other"),
        load_program(tmp_path, param_file="other"),
        load_program("m", param_bytes=COMBINED),
    ):
        assert _values(program) == {"b": 1, "w": 2}


def test_a_program_without_parameters(tmp_path: Path) -> None:
    data = write_pdmodel(program_of({}))
    _fill(tmp_path, {"m.pdmodel": data, "empty": b""})
    for program in (
        load_program(tmp_path),
        load_program(model_bytes=data),
        load_program(model_bytes=data, param_bytes=b""),
        load_program(tmp_path, param_file=tmp_path / "empty"),
        load_program(tmp_path, param_file=tmp_path / "absent"),
    ):
        assert program.params == {}


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"looked for the program file"):
        load_program(tmp_path / "absent")
    with pytest.raises(FileNotFoundError, match=r"looked for NAME.json.*NAME.pdmodel.*nothing"):
        load_program(tmp_path)
    (tmp_path / "m.pdmodel").write_bytes(MODEL)
    with pytest.raises(FileNotFoundError, match=r"2 of 2 parameter files are missing.*: b, w"):
        load_program(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"looked for the parameter file"):
        load_program(tmp_path, param_file=tmp_path / "absent")
    with pytest.raises(IsADirectoryError, match=r"looked for the program file"):
        load_program(model_file=tmp_path)
    with pytest.raises(
        ModelFormatError, match=r"2 parameters .first: 'b'.; give them as param_bytes"
    ):
        load_program(model_bytes=MODEL)
    (tmp_path / "n.pdmodel").write_bytes(MODEL)
    (tmp_path / "__model__").mkdir()
    with pytest.raises(ModelFormatError, match=r"several models: m.pdmodel, n.pdmodel"):
        load_program(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "m.pdmodel").write_bytes(MODEL)
    (tmp_path / "m.pdmodel").chmod(0)
    with pytest.raises(PermissionError, match=r"looked for the program file"):
        load_program(tmp_path)


def test_arguments_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match=r"got 0 of them"):
        load_program()
    with pytest.raises(ValueError, match=r"got 2 of them"):
        load_program("a", model_bytes=MODEL)
    with pytest.raises(ValueError, match=r"got both"):
        load_program(model_bytes=MODEL, param_bytes=b"", param_file="x")
    with pytest.raises(TypeError, match=r"expected bytes, bytearray or memoryview, got str"):
        load_program(model_bytes="text")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        load_program(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"expected a path as str"):
        load_program(b"path")  # type: ignore[arg-type]
    with pytest.raises((ValueError, FileNotFoundError)):
        load_program("a\0b")


def test_pir_is_recognised(tmp_path: Path) -> None:
    data = b'{"base_code":{"magic":"pir","trainable":true,"version":4},"program":{"regions":[]}}'
    _fill(tmp_path, {"inference.json": data, "inference.pdiparams": b""})
    for attempt in (
        lambda: load_program(tmp_path),
        lambda: load_program(model_bytes=data),
        lambda: load_program(model_file=tmp_path / "inference.json"),
        lambda: load_program(tmp_path / "inference"),
    ):
        with pytest.raises(ModelFormatError, match=r"(bytes|json): .*one region"):
            attempt()


NB = b"\2\0" + bytes(16) + b"\x10" + bytes(7)


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("m.pdmodel", MODEL, Kind.PROGRAM),
        ("m.nb", MODEL, Kind.PROGRAM),
        ("m.nb", NB, Kind.NB),
        ("__model__", NB, Kind.NB),
        ("m.nb", b"neither", Kind.NB),
        ("__model__", b"neither", Kind.PROGRAM),
        ("inference.json", b'{ "magic" : "pir"}', Kind.PIR),
    ],
)
def test_content_says_what_a_file_is(name: str, data: bytes, kind: Kind, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    found = find_program(model_file=path)
    assert (found.kind, found.name, found.folder) == (kind, str(path), str(tmp_path))
    assert found.read() == data
    if name != "m.nb" or kind is Kind.NB:
        assert find_program(tmp_path) == found
    if data != b"neither":
        assert find_program(model_bytes=data).kind is kind


def _with(*ops: OpDesc, blocks: int = 0) -> Program:
    program = program_of({})
    program.root.ops[1:1] = ops
    program.blocks += [BlockDesc(index + 1, 0) for index in range(blocks)]
    return program


def _owner(*children: int) -> OpDesc:
    return OpDesc("owner", attrs={"blocks": Attr(AttrType.BLOCKS, list(children))})


def _nested(*owners: tuple[int, int], blocks: int) -> Program:
    program = _with(blocks=blocks)
    for parent, child in owners:
        program.blocks[parent].ops.append(
            OpDesc("while", attrs={"sub_block": Attr(AttrType.INT, child)})
        )
    return program


CHAIN = [(index, index + 1) for index in range(MAX_BLOCK_DEPTH)]


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (Program(blocks=[]), "no block"),
        (
            _with(parse_op("Out: [z] = relu(X: [q])")),
            r"block 0, operator 1 \(relu\): input X reads 'q'",
        ),
        (_with(feed_op("z")), "col 0 is taken by the feed of 'z' already|of 'x' already"),
        (_with(feed_op("x", 1)), "two feed operators write one variable"),
        (_with(feed_op("z", -1)), "the attribute col is -1"),
        (_with(fetch_op("x")), "col 0 is taken by the fetch of 'x' already"),
        (_with(parse_op("Out: [] = feed(X: [feed]) {col: int 1}")), "expected one variable, found"),
        (_with(parse_op('feed(X: [feed]) {col: string "1"}')), "expected one variable"),
        (_with(parse_op('Out: [z] = feed() {col: string "1"}')), "the attribute col is '1'"),
        (_with(_owner(0), blocks=1), "block 0 is not one of 1 to 1"),
        (_with(_owner(2), blocks=1), "block 2 is not one of 1 to 1"),
        (_with(_owner(-1), blocks=1), "block -1 is not"),
        (_with(_owner(1, 1), blocks=1), "block 1 belongs to block 0, operator 1"),
        (_with(_owner(1), _owner(1), blocks=1), "block 1 belongs to block 0, operator 1"),
        (_nested((1, 1), blocks=1), "block 1 contains itself"),
        (_nested((1, 2), (2, 1), blocks=2), "block . contains itself"),
        (_nested(*CHAIN, blocks=MAX_BLOCK_DEPTH), "nested deeper than 64"),
        (_with(OpDesc("x", attrs={"a": Attr(AttrType.INT, 1.5)})), "'a' of type INT has the value"),
        (_with(OpDesc("x", attrs={"a": Attr(AttrType.INTS, [True])})), "'a' of type INTS"),
        (_with(OpDesc("x", {"X": ["\udcff"]})), "is not UTF-8"),
    ],
)
def test_what_cannot_be_run_is_refused(program: Program, message: str) -> None:
    with pytest.raises(ModelFormatError, match=message):
        check_program(program)


def test_what_can_be_run_is_accepted() -> None:
    check_program(_with())
    check_program(_with(parse_op('Out: [z] = relu(X: [x], Y: [], Z: ["", "@EMPTY@"])')))
    check_program(_with(fetch_op("x", 1), fetch_op("x", 5)))
    check_program(_nested((0, 1), (1, 2), (0, 3), blocks=3))
    check_program(_nested(*CHAIN[:-1], blocks=MAX_BLOCK_DEPTH - 1))
    check_program(_nested((1, 2), (0, 3), blocks=3))


def test_errors_at_load_name_the_file(tmp_path: Path) -> None:
    data = write_pdmodel(_with(parse_op("Out: [z] = relu(X: [q])")))
    (tmp_path / "m.pdmodel").write_bytes(data)
    with pytest.raises(ModelFormatError, match=r"m.pdmodel: block 0, operator 1 \(relu\)"):
        load_program(tmp_path)


@pytest.mark.models
def test_real_models(models_folder: Path) -> None:
    found = [p for name in ("*.pdmodel", "__model__") for p in models_folder.rglob(name)]
    found = [path for path in found if not path.name.startswith("._")]
    assert found, f"no model below {models_folder}"
    for path in found:
        program = load_program(path)
        assert program.params and program.feed_names() and program.fetch_names()


def test_a_broken_program_of_halves_is_refused(tmp_path: Path) -> None:
    program = _with(OpDesc("fetch", {}, {"Out": ["fetch"]}), parse_op("Out: [y] = cast(X: [x])"))
    program.root.vars["x"].dtype = DataType.BF16
    path = tmp_path / "m.pdmodel"
    path.write_bytes(write_pdmodel(program))
    with pytest.raises(ModelFormatError, match=r"m\.pdmodel: .*fetch"):
        load_program(str(path), param_bytes=b"")
