"""A PaddleX that is not there, or that nobody tested: a sentence each."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys

import pytest
from client_environments import declared


def outcome(version: str | None) -> str:
    """What importing lite.paddlex raises where that version is installed."""
    script = f"""
import importlib.metadata, sys
sys.path[:] = {sys.path!r}
def version(name):
    if {version!r} is None:
        raise importlib.metadata.PackageNotFoundError(name)
    return {version!r}
importlib.metadata.version = version
try:
    import lite.paddlex
except Exception as error:
    print(type(error).__name__, error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("version", ["3.4.3", "3.8.0", "2.1.0", "3.70.1", "unknown"])
def test_another_version_is_refused(version: str) -> None:
    said = outcome(version)
    assert said.startswith(f"ConfigError PaddleX {version} is installed, but engine 'lite'")
    assert "pip install 'paddlex>=3.5,<3.8'" in said


def test_no_paddlex() -> None:
    said = outcome(None)
    assert said.startswith("ModuleNotFoundError lite.paddlex needs PaddleX: pip install")


def test_a_version_that_is_tested_is_imported() -> None:
    with pytest.raises(importlib.metadata.PackageNotFoundError):
        importlib.metadata.version("paddlex")
    assert outcome("3.7.9").startswith("ModuleNotFoundError No module named 'paddlex")


def test_the_extra_asks_for_what_is_tested() -> None:
    assert declared("paddlex")[0] == "paddlex>=3.5,<3.8"
