"""Models optimised once: the second process reads what the first one wrote."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lite
from lite.api import nb_cache
from lite.api.build import Source
from lite.api.nb_cache import load_by_cache

DATA = Path(__file__).parents[1] / "model/data"


@pytest.fixture
def model(tmp_path: Path) -> tuple[Path, Path]:
    """A program and its parameters, as copies."""
    names = ("conv.pdmodel", "conv.pdiparams")
    return shutil.copy(DATA / names[0], tmp_path), shutil.copy(DATA / names[1], tmp_path)


@pytest.fixture
def optimised(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The models that were optimised."""
    seen: list[str] = []
    original: Any = Source.optimized

    def count(self: Source, *arguments: object) -> object:
        seen.append(self.model_file)
        return original(self, *arguments)

    monkeypatch.setattr(Source, "optimized", count)
    return seen


def answer(predictor: lite.Predictor) -> list[np.ndarray]:
    shape = [4 if dim < 0 else dim for dim in predictor.inputs[0].shape]
    x = np.linspace(-1, 1, int(np.prod(shape)), dtype=np.float32).reshape(shape)
    return list(predictor.run([x]).values())


def same(found: lite.Predictor, expected: lite.Predictor) -> bool:
    return all(map(np.array_equal, answer(found), answer(expected)))


def test_optimises_once(model: tuple[Path, Path], tmp_path: Path, optimised: list[str]) -> None:
    expected = lite.load(*model)
    first = load_by_cache(*model, tmp_path / "cache" / "lite")
    second = load_by_cache(*model, tmp_path / "cache" / "lite", threads=2)
    assert len(optimised) == 2  # by lite.load and for the first
    assert same(first, expected)
    assert same(second, expected)
    assert [info.name for info in second.inputs] == [info.name for info in expected.inputs]
    assert len(second.placement().operators) == len(expected.placement().operators)


def test_a_changed_model_replaces_the_older(model: tuple[Path, Path], tmp_path: Path) -> None:
    load_by_cache(*model, tmp_path / "cache")
    (before,) = (tmp_path / "cache").iterdir()
    os.utime(model[0], ns=(1, 1))
    load_by_cache(*model, tmp_path / "cache")
    (after,) = (tmp_path / "cache").iterdir()
    assert before.name.split("-")[0] == after.name.split("-")[0]
    assert before != after


def test_another_framework_optimises_anew(
    model: tuple[Path, Path], tmp_path: Path, optimised: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    load_by_cache(*model, tmp_path / "cache")
    monkeypatch.setattr(nb_cache, "_framework", lambda: "another")
    load_by_cache(*model, tmp_path / "cache")
    assert len(optimised) == 2


@pytest.mark.parametrize("damage", [b"", b"no model", None])
def test_a_damaged_file_is_made_again(
    model: tuple[Path, Path], tmp_path: Path, optimised: list[str], damage: bytes | None
) -> None:
    load_by_cache(*model, tmp_path / "cache")
    (file,) = (tmp_path / "cache").iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    found = load_by_cache(*model, tmp_path / "cache")
    assert same(found, lite.load(*model))
    assert file.read_bytes() == whole
    assert len(optimised) == 3


def test_a_folder_that_cannot_be_written_is_no_error(
    model: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    assert same(load_by_cache(*model, tmp_path / "file" / "cache"), lite.load(*model))


def test_errors_are_those_of_loading(model: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_by_cache(tmp_path / "none.pdmodel", model[1], tmp_path / "cache")
    Path(model[1]).write_bytes(b"short")
    with pytest.raises(lite.ModelFormatError, match=r"conv\.pdiparams"):
        load_by_cache(*model, tmp_path / "cache")
    assert not list((tmp_path / "cache").glob("*"))


def test_no_folder_hides_why_a_model_does_not_run(
    model: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(program: object) -> object:
        raise lite.LiteError("no kernel")

    monkeypatch.setattr(nb_cache, "make_core", refuse)
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(lite.LiteError, match="no kernel"):
        load_by_cache(*model, tmp_path / "file" / "cache")
