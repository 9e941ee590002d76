"""Fixtures of the model tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def models_folder() -> Path:
    """The folder of real models; tests that need it are skipped by name where it is not set."""
    folder = os.environ.get("LITE_TEST_MODELS")
    if not folder:
        pytest.skip("LITE_TEST_MODELS names no folder of real models")
    return Path(folder)
