"""Drivers that the tests of the runtime share."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

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
