"""Drivers and devices that tests share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import lite.nnadapter as nna

sys.path.insert(0, str(Path(__file__).resolve().parent))
from probes import build


@pytest.fixture(scope="session")
def probes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """probe_a and probe_b, and probe_mute that has no validate_program."""
    folder = tmp_path_factory.mktemp("drivers")
    for name in ("probe_a", "probe_b"):
        build(folder, name)
    build(folder, "probe_mute", askable=0)
    return folder


@pytest.fixture
def probe_folder(probes: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the probes, in the search path of one test: another room's must not see it."""
    monkeypatch.setenv("NNADAPTER_DEVICE_PATH", str(probes))
    return probes


@pytest.fixture
def device() -> Iterator[Callable[[type[Any]], str]]:
    """Registers a class under a name that is free again afterwards."""

    def add(hal_class: type[Any]) -> str:
        nna.register("test_hal", hal_class)
        return "test_hal"

    yield add
    if "test_hal" in nna.registered():
        nna.unregister("test_hal")
