"""Downloading, checking and caching, with a wheel and an index of our own."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from examples.ocr.errors import DemoError
from examples.ocr.wheels import Wheel, cache_folder, fetch

FILES = {"liteprobe/data.bin": b"data" * 100, "liteprobe/deep/er.txt": b"text"}


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Wheel:
    """A wheel that pip finds in a folder instead of on PyPI."""
    index = tmp_path / "index"
    index.mkdir()
    path = index / "liteprobe-1.0-py3-none-any.whl"
    info = "liteprobe-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in FILES.items():
            archive.writestr(name, data)
        archive.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: liteprobe\nVersion: 1.0\n"
        )
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    expected = {name: digest(data) for name, data in FILES.items()}
    return Wheel("liteprobe==1.0", digest(path.read_bytes()), expected)


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wheel: Wheel) -> Wheel:
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "nothing"))
    return wheel


def test_downloads_once(wheel: Wheel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "new" / "cache"
    folder, fetched = fetch(wheel, cache)
    assert fetched
    assert {n: (folder / n).read_bytes() for n in FILES} == FILES
    assert [entry.name for entry in cache.iterdir()] == [folder.name]  # nothing temporary is left
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "nothing"))
    assert fetch(wheel, cache) == (folder, False)


@pytest.mark.parametrize("damage", ["changed", "cut", "removed"])
def test_damaged_cache_is_fetched_again(wheel: Wheel, tmp_path: Path, damage: str) -> None:
    folder, _ = fetch(wheel, tmp_path)
    victim = folder / "liteprobe/data.bin"
    if damage == "removed":
        victim.unlink()
    else:
        victim.write_bytes(b"x" * 400 if damage == "changed" else victim.read_bytes()[:7])
    assert fetch(wheel, tmp_path) == (folder, True)
    assert victim.read_bytes() == FILES["liteprobe/data.bin"]


def test_no_network(offline: Wheel, tmp_path: Path) -> None:
    with pytest.raises(DemoError, match=r"liteprobe==1.0 could not be downloaded(.|\n)*network"):
        fetch(offline, tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_other_wheel_than_expected(wheel: Wheel, tmp_path: Path) -> None:
    other = Wheel(wheel.requirement, "0" * 64, wheel.files)
    with pytest.raises(DemoError, match=f"SHA-256 {wheel.sha256}, expected 000"):
        fetch(other, tmp_path)


def test_other_files_than_expected(wheel: Wheel, tmp_path: Path) -> None:
    with pytest.raises(DemoError, match="absent"):
        fetch(Wheel(wheel.requirement, wheel.sha256, {"liteprobe/absent": "0" * 64}), tmp_path)
    with pytest.raises(DemoError, match="not the expected file"):
        fetch(Wheel(wheel.requirement, wheel.sha256, {"liteprobe/data.bin": "0" * 64}), tmp_path)


def test_cache_that_is_a_file(wheel: Wheel, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DemoError, match="LITE_CACHE_DIR"):
        fetch(wheel, tmp_path / "file")


def test_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LITE_CACHE_DIR", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("LITE_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "paddle-lite-predictor"
