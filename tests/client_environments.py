"""Environments of lite's clients, made from PyPI by the tests that need them.

They take minutes and gigabytes, so that they are made only where LITE_TEST_CLIENTS names a folder
for them; `.ci/clients` does. An environment that is there already is taken as it is.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import lite

ROOT = Path(__file__).resolve().parent.parent


def folder() -> Path:
    """Where environments are; skips the test where LITE_TEST_CLIENTS does not say."""
    name = os.environ.get("LITE_TEST_CLIENTS")
    if not name:
        pytest.skip("set LITE_TEST_CLIENTS to a folder for clients' environments (.ci/clients)")
    path = Path(name).resolve()
    path.mkdir(parents=True, exist_ok=True)
    return path


def environment(name: str, *requirements: str) -> Path:
    """The Python of an environment with these requirements and what lite needs, without lite."""
    root = folder() / name
    python, done = root / "bin" / "python", root / "READY"
    wanted = [*requirements, *_dependencies()]
    if not done.exists() or done.read_text() != "\n".join(wanted):
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(root)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *wanted], check=True)
        done.write_text("\n".join(wanted))
    return python


def _dependencies() -> list[str]:
    """What lite needs, from pyproject.toml."""
    text = (ROOT / "pyproject.toml").read_text()
    (line,) = re.findall(r"^dependencies = \[(.*)\]", text, re.M)
    return re.findall(r'"([^"]+)"', line)


def with_lite(scratch: Path) -> dict[str, str]:
    """Environment variables with which a Python finds the lite under test and nothing else."""
    link = scratch / "lite_alone" / "lite"
    if not link.exists():
        link.parent.mkdir()
        link.symlink_to(lite.__path__[0])
    return {**_plain(), "PYTHONPATH": str(link.parent)}


def without_lite() -> dict[str, str]:
    """Environment variables with which a Python finds its own packages only."""
    return _plain()


def _plain() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
