"""Drivers that the tests of the runtime share."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from probes import build


@pytest.fixture(scope="session")
def probe_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """probe_a and probe_b, and probe_mute that has no validate_program; in the search path."""
    folder = tmp_path_factory.mktemp("drivers")
    for name in ("probe_a", "probe_b"):
        build(folder, name)
    build(folder, "probe_mute", askable=0)
    before = os.environ.get("NNADAPTER_DEVICE_PATH")
    os.environ["NNADAPTER_DEVICE_PATH"] = str(folder)
    yield folder
    if before is None:
        del os.environ["NNADAPTER_DEVICE_PATH"]
    else:
        os.environ["NNADAPTER_DEVICE_PATH"] = before
