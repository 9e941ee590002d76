"""`lite pack`: packed weights beside a `.nb` file are used where they fit, else it warns."""

from __future__ import annotations

import os
import random
import struct
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from api.pack_models import WIDTHS, convolutions, deep, integers
from api.tiny_models import Array

import lite
from lite.model.naive_buffer import write_nb_file


@pytest.fixture
def x() -> Array:
    return np.random.default_rng(5).normal(size=(3, WIDTHS[0])).astype(np.float32)


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = str(tmp_path / "deep.nb")
    write_nb_file(deep(), path)
    assert os.path.getsize(path) > 4 << 20
    return path


def result(model: str, x: Array, **options: object) -> Array:
    return lite.load(model, **options).run(x)["y2"]  # type: ignore[arg-type]


def warned(model: str, x: Array, expected: Array, match: str, **options: object) -> None:
    with pytest.warns(UserWarning, match=match) as caught:
        np.testing.assert_array_equal(result(model, x, **options), expected)
    assert len(caught) == 1


@pytest.mark.parametrize("precision", ["fp32", "bf16", "fp16"])
def test_same_numbers_without_reading_the_weights(model: str, x: Array, precision: str) -> None:
    expected = result(model, x, precision=precision)
    path = lite.pack(model, x, precision=precision)
    assert path == model + ".pack"
    stamp = os.stat(model)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        predictor = lite.load(model, precision=precision)
        np.testing.assert_array_equal(predictor.run(x)["y2"], expected)
        more = np.concatenate([x, x])
        np.testing.assert_array_equal(predictor.run(more)["y2"][:3], expected)
    assert os.stat(model).st_mtime_ns == stamp.st_mtime_ns


def test_integers(tmp_path: Path) -> None:
    """With words in excess, and too many of them, where the CPU has no dot products of bytes."""
    model = str(tmp_path / "model.nb")
    write_nb_file(integers(), model)
    x = np.random.default_rng(5).normal(size=(3, 96)).astype(np.float32)
    (expected,) = lite.load(model).run(x).values()
    lite.pack(model, x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (found,) = lite.load(model).run(x).values()
    np.testing.assert_array_equal(found, expected)


def test_a_copy_elsewhere_is_known_by_its_bytes(model: str, x: Array, tmp_path: Path) -> None:
    expected = result(model, x)
    lite.pack(model, x)
    (tmp_path / "there").mkdir()
    other = tmp_path / "there" / "copy.nb"
    other.write_bytes(Path(model).read_bytes())
    Path(str(other) + ".pack").write_bytes(Path(model + ".pack").read_bytes())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(result(str(other), x), expected)


def test_another_model_in_its_place(model: str, x: Array) -> None:
    lite.pack(model, x)
    stamp = os.stat(model)
    write_nb_file(deep(seed=1), model)
    os.utime(model, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # as sly as it can be
    assert os.path.getsize(model) == stamp.st_size
    side = model + ".pack"
    os.rename(side, side + ".away")
    expected = result(model, x)
    os.rename(side + ".away", side)
    warned(model, x, expected, "another model was packed")


def test_another_precision_or_machine(model: str, x: Array) -> None:
    bf16 = result(model, x, precision="bf16")
    lite.pack(model, x)
    warned(model, x, bf16, "packed for .* fp32', but here is .* bf16'", precision="bf16")
    other = "baseline" if lite._core.isa_name() in ("avx2", "avx512", "amx") else None
    if other is None:
        return
    code = "import sys, warnings, numpy as np, lite; warnings.simplefilter('ignore'); "
    code += "np.save(sys.argv[2], lite.load(sys.argv[1]).run(np.load(sys.argv[3]))['y2'])"
    np.save(model + ".x.npy", x)
    outputs = [model + f".{i}.npy" for i in range(2)]
    for output in outputs:
        environment = {**os.environ, "LITE_ISA": other}
        subprocess.run([sys.executable, "-c", code, model, output, model + ".x.npy"], check=True,
                       env=environment)  # fmt: skip
        if os.path.exists(model + ".pack"):
            os.remove(model + ".pack")
    np.testing.assert_array_equal(np.load(outputs[0]), np.load(outputs[1]))


def test_every_damage_is_found(model: str, x: Array) -> None:
    expected = result(model, x)
    side = Path(lite.pack(model, x))
    good = side.read_bytes()
    rng = random.Random(7)
    head = [*range(0, 240, 3), *(rng.randrange(240, 1000) for _ in range(20))]
    table, data = struct.unpack_from("<QQ", good, 24)
    for at in [*head, *(rng.randrange(len(good)) for _ in range(20)), len(good) - 1]:
        if 136 + table <= at < data:  # nobody reads what is between the table and the data
            continue
        bad = bytearray(good)
        bad[at] ^= 1 << rng.randrange(8)
        side.write_bytes(bad)
        warned(model, x, expected, r"the packed weights are not used: .*deep\.nb")
    for length in (0, 1, 100, 1000, len(good) // 2, len(good) - 1):
        side.write_bytes(good[:length])
        warned(model, x, expected, "the packed weights are not used")
    side.write_bytes(good + b"\0")
    warned(model, x, expected, "the packed weights are not used")


def test_folders_and_pipes_are_no_side_files(model: str, x: Array) -> None:
    expected = result(model, x)
    os.mkdir(model + ".pack")
    warned(model, x, expected, "it is a directory")
    os.rmdir(model + ".pack")
    os.mkfifo(model + ".pack")
    warned(model, x, expected, "no ordinary file")


def test_what_cannot_be_packed(model: str, x: Array, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no \.nb file"):
        lite.pack(str(tmp_path), x)
    with pytest.raises(FileNotFoundError):
        lite.pack(model, x, tmp_path / "missing" / "file.pack")
    with pytest.raises(lite.ShapeError):
        lite.pack(model, x[:, :7])
    assert not os.path.exists(model + ".pack")


CODE = """
import json, struct, sys
import numpy as np
import lite
from lite import _core
model, shape, precision = sys.argv[1:]
packed = lite.pack(model, np.ones(json.loads(shape), np.float32), precision=precision)
with open(packed, "rb") as file:
    header = file.read(136)
version, packed = struct.unpack_from("<I", header, 8)[0], struct.unpack_from("<Q", header, 56)[0]
print(_core.isa_name(), version, f"{packed:x}")
"""
# Hashes of the packed data in format 6; the products' are those of formats 3 to 5.
PACKED = {
    ("products", "avx512", "fp32"): "45b3aee12ff3f402",
    ("products", "avx512", "bf16"): "aa3451f4f9a01793",
    ("products", "avx2", "fp32"): "941aa083265a1f89",
    ("products", "avx2", "bf16"): "781e5f2d7eb4a90d",
    ("products", "baseline", "fp32"): "bac85d95a034b525",
    ("products", "baseline", "bf16"): "9074d8c06bd42c12",
    ("convolutions", "avx512", "fp32"): "1246188f4627b23b",
    ("convolutions", "avx2", "fp32"): "11c544e476ed856f",
    ("convolutions", "baseline", "fp32"): "7a8ef6281ff3e8a5",
    ("integers", "avx2", "fp32"): "7c6ca37a89ae45e7",
    ("integers", "baseline", "fp32"): "f412db607a1f71f9",
}
PROGRAMS = {
    "products": (deep, [1, 512]),
    "convolutions": (convolutions, [1, 16, 16, 16]),
    "integers": (integers, [1, 96]),
}


@pytest.mark.parametrize(("what", "isa", "precision"), PACKED)
def test_the_version_says_what_is_packed(
    what: str, isa: str, precision: str, tmp_path: Path
) -> None:
    """Another packing under the same version would be taken for today's: raise kVersion of
    lite/core/stored_weights.cc when this changes."""
    environment = {**os.environ, "LITE_ISA": isa, "LITE_VNNI": "0"}
    program, shape = PROGRAMS[what]
    model = str(tmp_path / "model.nb")
    write_nb_file(program(), model)
    command = [sys.executable, "-c", CODE, model, str(shape), precision]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    name, version, packed = done.stdout.split()
    if name != isa:
        pytest.skip(f"this machine has no {isa}")
    assert (version, packed) == ("6", PACKED[what, isa, precision])
