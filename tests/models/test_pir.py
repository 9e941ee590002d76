"""Programs of Paddle 3 (PIR) against Paddle 3.3.1: exported by tests/models/pir/make_exports.py.

Each runs at its shapes in turn, loaded as it is and through a `.nb` file. The fixtures hold all but
the largest; LITE_TEST_PIR=FOLDER tests what make_exports.py wrote to a folder.
"""

from __future__ import annotations

import json
import os
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import lite
from lite.api.build import Source

DATA = Path(__file__).parent / "data" / "pir"
FOLDER = os.environ.get("LITE_TEST_PIR", "")


@cache
def _files() -> dict[str, list[tuple[zipfile.ZipFile, str]]]:
    """Case -> archive and member of each of its files; archives stay open, to be read once."""
    found: dict[str, list[tuple[zipfile.ZipFile, str]]] = {}
    for path in DATA.glob("*.zip"):
        archive = zipfile.ZipFile(path)
        for member in archive.namelist():
            found.setdefault(member.split("/")[0], []).append((archive, member))
    return found


def cases() -> list[str]:
    if FOLDER:
        return sorted(path.parent.name for path in Path(FOLDER).glob("*/io.npz"))
    return sorted(_files())


def unpack(name: str, target: Path) -> Path:
    """The folder of a case."""
    if FOLDER:
        return Path(FOLDER) / name
    for archive, member in _files()[name]:
        archive.extract(member, target)
    return target / name


def fetched(document: bytes) -> list[str]:
    """The names of the outputs as the file has them."""
    ops = json.loads(document)["program"]["regions"][0]["blocks"][0]["ops"]
    attributes = [
        {item["N"]: item["AT"].get("D") for item in op["A"]} for op in ops if op["#"] == "1.fetch"
    ]
    return [a["name"] for a in sorted(attributes, key=lambda a: a["col"])]


@pytest.mark.parametrize("name", cases())
def test_case(name: str, tmp_path: Path) -> None:
    folder = unpack(name, tmp_path)
    with np.load(folder / "io.npz") as file:
        arrays = dict(file)
    document = next(folder.glob("*.json")).read_bytes()
    nb = Source(model_dir=str(folder)).save_naive_buffer(str(tmp_path / "model.nb"))
    for kind, predictor in (("loaded", lite.load(str(folder))), (".nb", lite.load(nb, threads=2))):
        assert [info.name for info in predictor.outputs] == fetched(document)
        runs = sorted({key.split(".")[0] for key in arrays if ".out." in key})
        for run in [*runs, *reversed(runs)]:
            check(predictor, arrays, run, f"{name}, {kind}, run {run}")


def check(predictor: lite.Predictor, arrays: dict[str, np.ndarray], run: str, where: str) -> None:
    """One run: as many outputs, of the same shapes and types, numbers within the tolerance."""
    prefix = f"{run}.in."
    predictor.run({k.removeprefix(prefix): v for k, v in arrays.items() if k.startswith(prefix)})
    count = sum(key.startswith(f"{run}.out.") for key in arrays)
    assert len(predictor.outputs) == count, where
    for index in range(count):
        at = f"{where}, output {index}"
        got, want = predictor._core.copy_output(index), arrays[f"{run}.out.{index}"]
        assert (got.shape, got.dtype) == (want.shape, want.dtype), at
        if want.dtype.kind == "c":
            got, want = (np.stack([array.real, array.imag]) for array in (got, want))
        if want.dtype.kind != "f":
            np.testing.assert_array_equal(got, want, at)
            continue
        finite = np.isfinite(want)
        np.testing.assert_array_equal(got[~finite], want[~finite], at)
        if finite.any():
            largest = float(np.abs(want[finite]).max())
            error = float(np.abs(got[finite].astype("f8") - want[finite]).max())
            assert error <= arrays.get("tol", 1e-4) * max(largest, 1e-30), (
                f"{at}: {error} of {largest}"
            )
