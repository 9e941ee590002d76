"""`.nb` files: what is written is read back, and real files are written again byte for byte."""

from __future__ import annotations

import io
import os
import stat
import struct
from pathlib import Path

import numpy as np
import pytest
from model.samples import every_attribute, odd_program, program_of

from lite.errors import ConfigError, LiteError, ModelFormatError
from lite.model.load import load_program
from lite.model.naive_buffer import program_bytes, read_nb, schema, write_nb, write_nb_file
from lite.model.naive_buffer.flat_builder import FlatBuilder, joined
from lite.model.params import NUMPY_TYPES
from lite.model.program import (
    Attr,
    AttrType,
    BlockDesc,
    DataType,
    OpDesc,
    Program,
    VarDesc,
    VarType,
)


def _nb(program: Program, **options: object) -> bytes:
    file = io.BytesIO()
    write_nb(program, file, **options)  # type: ignore[arg-type]
    return file.getvalue()


def _again(program: Program) -> Program:
    return read_nb(_nb(program))


def _one(name: str, attr: Attr) -> Program:
    program = Program()
    program.root.ops = [OpDesc("x", attrs={name: attr})]
    return program


TRANSLATED = {AttrType.BLOCK, AttrType.VAR, AttrType.VARS, AttrType.SCALAR, AttrType.SCALARS}


def test_every_attribute_that_nb_knows_round_trips() -> None:
    kept = {name: attr for name, attr in every_attribute().items() if attr.type not in TRANSLATED}
    program = Program()
    program.root.ops = [OpDesc("x", {}, {}, kept, is_target=True)]
    program.blocks += [BlockDesc(1, 0), BlockDesc(2, 0)]  # which attributes name
    program.version = 2006002
    # A negative zero is a default to flatbuffers.
    assert _again(program) == program


@pytest.mark.parametrize(
    ("attr", "expected"),
    [
        (Attr(AttrType.BLOCK, 3), Attr(AttrType.INT, 3)),
        (Attr(AttrType.VAR, "a"), Attr(AttrType.STRING, "a")),
        (Attr(AttrType.VARS, ["a", ""]), Attr(AttrType.STRINGS, ["a", ""])),
        (Attr(AttrType.SCALAR, True), Attr(AttrType.BOOLEAN, True)),
        (Attr(AttrType.SCALAR, 7), Attr(AttrType.INT, 7)),
        (Attr(AttrType.SCALAR, 2**31), Attr(AttrType.LONG, 2**31)),
        (Attr(AttrType.SCALAR, 0.5), Attr(AttrType.FLOAT, 0.5)),
        (Attr(AttrType.SCALAR, 0.1), Attr(AttrType.FLOAT64, 0.1)),
        (Attr(AttrType.SCALARS, [1, -2]), Attr(AttrType.INTS, [1, -2])),
        (Attr(AttrType.SCALARS, [1, 2**40]), Attr(AttrType.LONGS, [1, 2**40])),
        (Attr(AttrType.SCALARS, [1, 0.5]), Attr(AttrType.FLOATS, [1.0, 0.5])),
        (Attr(AttrType.SCALARS, [1e300, True]), Attr(AttrType.FLOAT64S, [1e300, 1.0])),
        (Attr(AttrType.SCALARS, [True, False]), Attr(AttrType.BOOLEANS, [True, False])),
        (Attr(AttrType.SCALARS, []), Attr(AttrType.INTS, [])),
    ],
)
def test_what_nb_cannot_hold_is_translated(attr: Attr, expected: Attr) -> None:
    read = _again(_one("a", attr)).root.ops[0].attrs["a"]
    assert read == expected and repr(read) == repr(expected)


def test_attributes_without_meaning_are_dropped_and_the_rest_is_sorted() -> None:
    names = ["op_callstack", "b", "op_role", "a", "op_namescope", "B", "op_role_var", "\u4e2d"]
    program = Program()
    program.root.ops = [
        OpDesc(
            "x",
            {"b": [], "a": ["1"]},
            {"d": ["2"], "c": []},
            {name: Attr(AttrType.STRING, "") for name in names},
        )
    ]
    op = _again(program).root.ops[0]
    assert list(op.attrs) == ["B", "a", "b", "\u4e2d"]
    assert list(op.inputs.items()) == [("a", ["1"]), ("b", [])]
    assert list(op.outputs.items()) == [("c", []), ("d", ["2"])]


def test_variables_and_blocks_round_trip() -> None:
    program = odd_program()
    program.blocks[0].ops = []
    program.blocks[1] = BlockDesc(1, 0, 5)
    program.op_versions = {}
    kept = (VarType.TUPLE, DataType.INT8)
    program.root.vars = {
        name: var
        for name, var in program.root.vars.items()
        if var.type <= kept[0] and (var.dtype is None or var.dtype <= kept[1])
    }
    assert {var.type for var in program.root.vars.values()} == {t for t in VarType if t <= kept[0]}
    assert _again(program) == program


def test_bfloat16_becomes_float32() -> None:
    program = Program()
    program.root.vars["x"] = VarDesc("x", dtype=DataType.BF16, shape=(2,))
    assert _again(program).root.vars["x"].dtype is DataType.FP32


@pytest.mark.parametrize(
    ("var", "message"),
    [
        (VarDesc("v", VarType.VOCAB), "'v' is a VOCAB"),
    ],
)
def test_variables_that_cannot_be_written(var: VarDesc, message: str) -> None:
    program = Program()
    program.root.vars["v"] = var
    with pytest.raises(LiteError, match=message):
        program_bytes(program)


@pytest.mark.parametrize(
    "attr",
    [
        Attr(AttrType.SCALAR, 1 + 2j),
        Attr(AttrType.SCALARS, [1, 2j]),
        Attr(AttrType.INT, 2**31),
        Attr(AttrType.INT, "a"),
        Attr(AttrType.INTS, [1.5]),
        Attr(AttrType.STRING, 3),
        Attr(AttrType.STRINGS, [3]),
        Attr(AttrType.FLOAT, 1e39),
        Attr(AttrType.LONGS, 5),
    ],
)
def test_attributes_that_cannot_be_written(attr: Attr) -> None:
    with pytest.raises(LiteError, match=f"operator x: attribute 'a' of type {attr.type.name}"):
        program_bytes(_one("a", attr))


def _filled(shapes: dict[str, tuple[DataType, tuple[int, ...]]]) -> Program:
    program = program_of(shapes)
    rng = np.random.default_rng(3)
    for name, (dtype, shape) in shapes.items():
        program.params[name] = rng.integers(0, 2, shape).astype(NUMPY_TYPES[dtype])
    return program


SHAPES = {
    f"w{dtype.name}{index}": (dtype, shape)
    for dtype in NUMPY_TYPES
    for index, shape in enumerate([(), (3,), (2, 0), (2, 3, 5)])
}


@pytest.mark.parametrize("meta_version", [1, 2])
@pytest.mark.parametrize("align", [True, False])
def test_parameters_round_trip(meta_version: int, align: bool, tmp_path: Path) -> None:
    program = _filled(SHAPES)
    path = tmp_path / "m.nb"
    write_nb_file(program, path, meta_version=meta_version, align=align)
    assert path.read_bytes() == _nb(program, meta_version=meta_version, align=align)
    for again in (read_nb(path), read_nb(path.read_bytes()), load_program(path)):
        assert list(again.params) == sorted(program.params)
        for name, array in program.params.items():
            read = again.params[name]
            assert (read.dtype, read.shape) == (array.dtype, array.shape)
            assert read.tobytes() == array.tobytes() == again.sources[name]().tobytes()


def test_the_data_of_every_tensor_is_aligned_in_the_file() -> None:
    program = _filled({name: it for name, it in SHAPES.items() if 0 not in it[1]})
    data = _nb(program)
    for name, array in program.params.items():
        places = [at for at in range(0, len(data), 64) if data[at:].startswith(array.tobytes())]
        assert places, name
    assert read_nb(data).sources["wFP320"].offset % 64 == 0  # type: ignore[attr-defined]


def test_aligned_parameters_are_views_of_the_bytes(tmp_path: Path) -> None:
    program = program_of({"w": (DataType.FP16, (64, 64)), "v": (DataType.INT8, (4096,))})
    program.params = {"w": np.ones((64, 64), np.float16), "v": np.ones(4096, np.int8)}
    data = _nb(program)
    whole = np.frombuffer(data, np.uint8)
    # Python's bytes begin on 16 bytes, past their head.
    for array in read_nb(data).params.values():
        assert np.shares_memory(array, whole)
        assert not array.flags.writeable
    path = tmp_path / "m.nb"
    path.write_bytes(data)
    params = read_nb(path).params
    path.unlink()
    assert params["w"].tobytes() == program.params["w"].tobytes()
    assert params["v"].tobytes() == program.params["v"].tobytes()


def test_any_memory_layout_is_written_row_major() -> None:
    program = program_of(dict.fromkeys("abc", (DataType.FP32, (2, 3))))
    plain = np.arange(6, dtype=np.float32).reshape(2, 3)
    program.params = {"a": plain, "b": np.asfortranarray(plain), "c": plain.astype(">f4")}
    for array in read_nb(_nb(program)).params.values():
        assert array.tobytes() == plain.tobytes()


def test_parameters_are_asked_for_one_at_a_time() -> None:
    asked: list[str] = []

    class OneAtATime(dict[str, np.ndarray]):
        def __getitem__(self, name: str) -> np.ndarray:
            asked.append(name)
            return super().__getitem__(name)

    program = _filled(SHAPES)
    params = OneAtATime(program.params)
    program.params = {}
    data = _nb(program, params=params)
    assert asked == sorted(params)
    assert list(read_nb(data).params) == sorted(params)


def test_meta_version_1_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    program = _filled(SHAPES)
    monkeypatch.setenv("PADDLE_LITE_MODEL_VERSION1", "1")
    assert _nb(program)[:2] == b"\1\0"
    monkeypatch.delenv("PADDLE_LITE_MODEL_VERSION1")
    assert _nb(program)[:2] == b"\2\0"
    with pytest.raises(ConfigError):
        _nb(program, meta_version=3)


def test_what_no_file_can_hold() -> None:
    huge = np.lib.stride_tricks.as_strided(np.zeros(1, np.int8), (2**32,), (0,))
    for array, message in (
        (huge, "4294967296 bytes, a .nb file holds tensors below 4 GiB"),
        (np.zeros(2, np.uint16), "has uint16, which a .nb file cannot hold"),
    ):
        program = program_of({"w": (DataType.INT8, (-1,))})
        program.params["w"] = array
        for meta_version in (1, 2):
            with pytest.raises(LiteError, match=f"'w' {message}|'w' has {message}"):
                _nb(program, meta_version=meta_version)
    program = Program()
    program.params = {str(index): np.zeros((), np.int8) for index in range(65536)}
    with pytest.raises(LiteError, match=r"65536 parameters, a .nb file holds 65535 at most"):
        _nb(program)


def test_a_failure_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "m.nb"
    path.write_bytes(b"old")
    program = _filled(SHAPES)
    program.params["z"] = np.zeros(1, np.uint16)
    with pytest.raises(LiteError):
        write_nb_file(program, path)
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["m.nb"]
    with pytest.raises(FileNotFoundError):
        write_nb_file(program, tmp_path / "absent" / "m.nb")


def test_a_success_replaces_what_a_link_leads_to(tmp_path: Path) -> None:
    (tmp_path / "real.nb").write_bytes(b"old")
    os.symlink("real.nb", tmp_path / "link.nb")
    write_nb_file(_filled(SHAPES), tmp_path / "link.nb")
    assert (tmp_path / "link.nb").is_symlink()
    assert read_nb(tmp_path / "real.nb").params
    (tmp_path / "plain").write_bytes(b"")
    assert stat.S_IMODE((tmp_path / "real.nb").stat().st_mode) == stat.S_IMODE(
        (tmp_path / "plain").stat().st_mode
    )


def test_devices_and_folders_are_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"not a regular file"):
        write_nb_file(_filled(SHAPES), os.devnull)
    with pytest.raises(IsADirectoryError):
        write_nb_file(_filled(SHAPES), tmp_path)


def test_files_that_are_not_read() -> None:
    data = _nb(_filled({"w": (DataType.FP32, (2,))}))
    for changed, message in (
        (b"", "nb bytes: the file is empty"),
        (data[:20], "ends after 20 bytes, within the header of 26"),
        (b"\0\0" + data[2:], "two zero bytes, as .nb files of Paddle Lite before 2.7"),
        (b"\3\0" + data[2:], "it is no .nb file .it begins with 03 00"),
        (data[:18] + struct.pack("<Q", 2**40) + data[26:], "at byte 18: .*1099511627776 bytes"),
        (data[:-1], "at byte [0-9]+: parameter 0 of 1 needs [0-9]+ bytes, but the file ends"),
        (data[:26], "at byte 18: the program is said to have"),
    ):
        with pytest.raises(ModelFormatError, match=message):
            read_nb(changed)


def test_a_missing_parameter_is_named() -> None:
    program = _filled({"v": (DataType.FP32, (2,)), "w": (DataType.FP32, (2,))})
    program.params = {}
    with pytest.raises(
        ModelFormatError, match=r"2 parameters that operators read are missing: v, w"
    ):
        read_nb(_nb(program))


def test_a_buffer_that_refers_to_the_same_bytes_again_and_again() -> None:
    builder = FlatBuilder()
    name = builder.string("x" * 1000)
    op_type = builder.string("x")
    none = builder.references([])
    slot = builder.table(schema.OP_VAR, (0, 1), (name, builder.references([name] * 1000)))
    op = builder.table(schema.OP, (0, 1, 2, 3), (op_type, builder.references([slot]), none, none))
    block = builder.table(schema.BLOCK, (3,), (builder.references([op] * 1000),))
    root = builder.table(schema.PROGRAM, (0,), (builder.references([block] * 1000),))
    data = joined(builder.finish(root))
    assert len(data) < 20000
    file = b"\2\0" + bytes(16) + struct.pack("<Q", len(data)) + data
    file += struct.pack("<HHHHI", 0, 0, 6, 0, 0)
    with pytest.raises(ModelFormatError, match=r"the same bytes again and again"):
        read_nb(file)


@pytest.mark.models
def test_real_files_are_written_again_byte_for_byte(models_folder: Path) -> None:
    found = sorted(path for path in models_folder.rglob("*.nb") if path.is_file())
    if not found:
        pytest.skip("LITE_TEST_MODELS holds no .nb file")
    for path in found:
        _assert_identical(path)


def _assert_identical(path: Path) -> None:
    data = path.read_bytes()
    release = data[2:18].split(b"\0")[0].decode()
    again = _nb(read_nb(path), meta_version=data[0], align=False, release=release)
    # After its NUL the release text of real files holds garbage.
    assert again[: 2 + len(release) + 1] == data[: 2 + len(release) + 1], path
    assert again[18:] == data[18:], path


DATA = Path(__file__).parent / "data"


@pytest.mark.parametrize("path", sorted(DATA.glob("*.nb")), ids=lambda path: path.name)
def test_fixtures_are_written_again_byte_for_byte(path: Path) -> None:
    _assert_identical(path)


def test_garbage_numbers_of_blocks_are_settled() -> None:
    """Real files with NNAdapter's subgraphs have uninitialised memory there."""
    program = Program([BlockDesc(0, -1), BlockDesc(77, -5, 9), BlockDesc(-1373035344, 1 << 20)])
    program.blocks[0].ops = [OpDesc("subgraph", attrs={"sub_block": Attr(AttrType.INT, 2)})]
    program.blocks[2].ops = [OpDesc("subgraph", attrs={"sub_block": Attr(AttrType.INT, 1)})]
    numbers = [(b.idx, b.parent_idx, b.forward_block_idx) for b in _again(program).blocks]
    assert numbers == [(0, -1, -1), (1, 2, -1), (2, 0, -1)]


def test_the_flatbuffers_package_writes_the_same_bytes() -> None:
    """An independent encoder, driven by hand for one small program."""
    import flatbuffers

    builder = flatbuffers.Builder(16)

    def vector(targets: list[int]) -> int:
        builder.StartVector(4, len(targets), 4)
        for target in reversed(targets):
            builder.PrependUOffsetTRelative(target)
        return builder.EndVector()

    def longs(values: list[int]) -> int:
        builder.StartVector(8, len(values), 8)
        for value in reversed(values):
            builder.PrependInt64(value)
        return builder.EndVector()

    name = builder.CreateString("weight")
    dims = longs([-1, 3])
    builder.StartObject(2)
    builder.PrependUOffsetTRelativeSlot(1, dims, 0)
    builder.PrependInt32Slot(0, 5, 0)
    tensor = builder.EndObject()
    builder.StartObject(2)
    builder.PrependInt32Slot(1, 2, 0)
    builder.PrependUOffsetTRelativeSlot(0, tensor, 0)
    described = builder.EndObject()
    builder.StartObject(6)
    builder.PrependUOffsetTRelativeSlot(2, described, 0)
    builder.PrependInt32Slot(0, 7, 0)
    type = builder.EndObject()
    builder.StartObject(4)
    builder.PrependUOffsetTRelativeSlot(1, type, 0)
    builder.PrependUOffsetTRelativeSlot(0, name, 0)
    builder.PrependBoolSlot(2, True, False)
    variables = vector([builder.EndObject()])
    kind = builder.CreateString("relu")
    slot = builder.CreateString("X")
    arguments = vector([builder.CreateString("a"), builder.CreateString("")])
    builder.StartObject(2)
    builder.PrependUOffsetTRelativeSlot(1, arguments, 0)
    builder.PrependUOffsetTRelativeSlot(0, slot, 0)
    inputs = vector([builder.EndObject()])
    outputs, attrs = vector([]), vector([])
    builder.StartObject(5)
    for place, target in ((3, attrs), (2, outputs), (1, inputs), (0, kind)):
        builder.PrependUOffsetTRelativeSlot(place, target, 0)
    builder.PrependBoolSlot(4, True, False)
    ops = vector([builder.EndObject()])
    builder.StartObject(5)
    for place, target in ((3, ops), (2, variables)):
        builder.PrependUOffsetTRelativeSlot(place, target, 0)
    builder.PrependInt32Slot(1, -1, 0)
    blocks = vector([builder.EndObject()])
    builder.StartObject(1)
    builder.PrependInt64Slot(0, 2006002, 0)
    version = builder.EndObject()
    builder.StartObject(3)
    builder.PrependUOffsetTRelativeSlot(1, version, 0)
    builder.PrependUOffsetTRelativeSlot(0, blocks, 0)
    builder.Finish(builder.EndObject())

    program = Program(version=2006002)
    program.root.vars["weight"] = VarDesc("weight", shape=(-1, 3), lod_level=2, persistable=True)
    program.root.ops = [OpDesc("relu", {"X": ["a", ""]}, is_target=True)]
    assert program_bytes(program) == bytes(builder.Output())
