"""Parameters, combined and one file each."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import numpy as np
import pytest
from model.samples import program_of, record

from lite.errors import ModelFormatError
from lite.model.params import NUMPY_TYPES, load_combined, load_separate
from lite.model.program import DataType, Program
from lite.model.source import BufferSource, FileSource

F32 = DataType.FP32


def _load(data: bytes, program: Program) -> dict[str, np.ndarray]:
    load_combined(program, BufferSource(data, "test.pdiparams"))
    return program.params


@pytest.mark.parametrize("dtype", NUMPY_TYPES)
@pytest.mark.parametrize("shape", [(), (5,), (2, 3), (0, 4), (2, 1, 2, 1, 2, 1, 1, 1, 2)])
def test_every_dtype_and_rank(dtype: DataType, shape: tuple[int, ...], tmp_path: Path) -> None:
    values = np.random.default_rng(dtype).integers(0, 2, shape).astype(NUMPY_TYPES[dtype])
    data = record(dtype, shape, values.tobytes())
    (tmp_path / "p").write_bytes(data)
    for source in (BufferSource(data, "bytes"), FileSource(str(tmp_path / "p"), "file")):
        program = program_of({"w": (dtype, shape)})
        load_combined(program, source)
        array = program.params["w"]
        assert array.dtype == values.dtype and array.shape == shape
        assert array.tobytes() == values.tobytes()
        assert array.size == 0 or array.__array_interface__["data"][0] % 64 == 0
        assert array.flags.writeable
        assert program.sources["w"]().tobytes() == values.tobytes()


def test_bfloat16_widens_with_its_declaration() -> None:
    exact = np.array([1.0, -2.5, 3e38, np.inf, 2.0**-130], np.float32)
    half = (exact.view(np.uint32) >> 16).astype(np.uint16)
    program = program_of({"w": (DataType.BF16, (5,))})
    array = _load(record(DataType.BF16, (5,), half.tobytes()), program)["w"]
    expected = (half.astype(np.uint32) << 16).view(np.float32)
    assert array.dtype == np.float32 and array.tobytes() == expected.tobytes()
    assert program.root.vars["w"].dtype is DataType.FP32
    assert program.sources["w"]().tobytes() == expected.tobytes()


def test_every_bool_is_0_or_1() -> None:
    program = program_of({"w": (DataType.BOOL, (4,))})
    array = _load(record(DataType.BOOL, (4,), bytes([0, 1, 2, 255])), program)["w"]
    assert array.tobytes() == bytes([0, 1, 1, 1])


def test_order_is_bytewise_and_skips_what_is_no_tensor() -> None:
    names = ["conv2d_2", "conv2d_10", "B", "a", "\u4e2d", "_"]
    program = program_of(dict.fromkeys(names, (F32, (1,))))
    ordered = sorted(names, key=lambda name: name.encode())
    assert ordered[:3] == ["B", "_", "a"]
    data = b"".join(record(F32, (1,), struct.pack("<f", i)) for i in range(len(names)))
    params = _load(data, program)
    assert [float(params[name][0]) for name in ordered] == [0, 1, 2, 3, 4, 5]


def test_levels_of_detail_are_skipped() -> None:
    data = record(F32, (1,), struct.pack("<f", 7), (bytes(24), bytes(32)))
    assert _load(data, program_of({"w": (F32, (1,))}))["w"][0] == 7


def test_parameters_do_not_share_memory(tmp_path: Path) -> None:
    one = record(F32, (8,), bytes(32))
    program = program_of({"a": (F32, (8,)), "b": (F32, (8,))})
    params = _load(one * 2, program)
    assert not np.may_share_memory(params["a"], params["b"])
    assert params["a"].base is not None and params["a"].base.nbytes < 128


GOOD = record(F32, (2, 3), bytes(24))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "offset 0: parameter 'w' .1 of 1.: expected 4 bytes.*an empty file"),
        (GOOD[:-1], "expected 24 bytes of data for FP32.2, 3., found 23"),
        (GOOD + b"\0", "expected the end of the file after 1 parameters, found 1 bytes more"),
        (b"\1" + GOOD[1:], "offset 0: .*expected the tensor's version 0, found 1"),
        (GOOD[:4] + b"\xff" * 8 + GOOD[12:], "offset 4: .*LoD levels"),
        (
            GOOD[:4] + struct.pack("<QQ", 1, 2**60) + GOOD[12:],
            "offset 12: .*length of 1152921504606",
        ),
        (GOOD[:12] + b"\2" + GOOD[13:], "offset 12: .*the description's version 0, found 2"),
        (GOOD[:16] + b"\xff\xff\xff\xff" + GOOD[20:], "offset 16: .*a length of -1"),
        (GOOD[:16] + b"\xff\xff\xff\x7f" + GOOD[20:], "offset 16: .*a length of 2147483647"),
        (GOOD[:20] + b"\xff" * 6 + GOOD[26:], "offset 20: .*the tensor's description, found 6"),
        (record(7, (2, 3), bytes(24)), "an element type among BOOL"),
        (
            record(F32, (3, 2), bytes(24)),
            r"FP32\[2, 3\] as the program declares it, found FP32\[3, 2\]",
        ),
        (record(3, (2, 3), bytes(48)), r"found INT64\[2, 3\]; are these the parameters of another"),
        (record(F32, (2,), bytes(8)), r"found FP32\[2\]"),
        (b"version https://git-lfs.github.com/spec/v1", "the file looks like a git-lfs pointer"),
    ],
)
def test_what_is_wrong_is_named(data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "w").write_bytes(data)
    program = program_of({"w": (F32, (2, 3))})
    with pytest.raises(ModelFormatError, match=message) as caught:
        _load(data, program)
    assert "test.pdiparams, offset" in str(caught.value)
    assert not program.params
    with pytest.raises(ModelFormatError, match=r"offset"):
        load_separate(program, str(tmp_path))


@pytest.mark.parametrize("shape", [(2**40, 2**40), (2**62,), (-1,), (0, 2**60), (1,) * 10])
def test_shapes_that_no_file_justifies(shape: tuple[int, ...]) -> None:
    declared = tuple(-1 for _ in shape)
    with pytest.raises(ModelFormatError, match=r"dimensions|bytes of data"):
        _load(record(F32, shape, bytes(64)), program_of({"w": (F32, declared)}))


def test_a_program_without_parameters() -> None:
    assert _load(b"", program_of({})) == {}
    with pytest.raises(ModelFormatError, match=r"after 0 parameters, found 1 bytes more"):
        _load(b"\0", program_of({}))


def test_separate_files(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name, value in (("w.0", 1), ("sub/w@1", 2), ("\u4e2d", 3)):
        (tmp_path / name).write_bytes(record(F32, (1,), struct.pack("<f", value)))
    program = program_of(dict.fromkeys(("w.0", "sub/w@1", "\u4e2d"), (F32, (1,))))
    load_separate(program, str(tmp_path))
    assert {name: float(array[0]) for name, array in program.params.items()} == {
        "w.0": 1,
        "sub/w@1": 2,
        "\u4e2d": 3,
    }


def test_missing_files_are_listed_at_once(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(record(F32, (1,), bytes(4)))
    program = program_of(dict.fromkeys("abc", (F32, (1,))))
    with pytest.raises(FileNotFoundError, match=r"2 of 3 parameter files are missing.*: b, c"):
        load_separate(program, str(tmp_path))


@pytest.mark.parametrize(
    "name", ["/etc/hostname", "../out", "a/../../out", "..", "", "a\0b", "..\\out", "C:\\x", "C:/x"]
)
def test_names_never_leave_the_folder(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "out").write_bytes(record(F32, (1,), bytes(4)))
    with pytest.raises(ModelFormatError, match=r"cannot be a file in"):
        load_separate(program_of({name: (F32, (1,))}), str(folder))


def test_symbolic_links_never_leave_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    data = record(F32, (1,), bytes(4))
    (tmp_path / "out").write_bytes(data)
    (folder / "real").write_bytes(data)
    os.symlink(tmp_path / "out", folder / "w")
    os.symlink(tmp_path, folder / "up")
    os.symlink("real", folder / "inside")
    for name in ("w", "up/out"):
        with pytest.raises(ModelFormatError, match=r"symbolic link"):
            load_separate(program_of({name: (F32, (1,))}), str(folder))
    load_separate(program_of({"inside": (F32, (1,))}), str(folder))


def test_pipes_and_folders_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ModelFormatError, match=r"not a regular file"):
        load_separate(program_of({"pipe": (F32, (1,))}), str(tmp_path))
    with pytest.raises(IsADirectoryError, match=r"looked for the parameter file"):
        load_separate(program_of({"folder": (F32, (1,))}), str(tmp_path))


def test_a_file_that_changed_is_not_read_again(tmp_path: Path) -> None:
    path = tmp_path / "p"
    path.write_bytes(GOOD)
    program = program_of({"w": (F32, (2, 3))})
    load_combined(program, FileSource(str(path), "parameter file"))
    path.write_bytes(GOOD[:-4])
    with pytest.raises(ModelFormatError, match=r"changed since"):
        program.sources["w"]()
