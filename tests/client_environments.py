"""Environments with a client's own packages: where `lite` is tested by who uses it.

Tests that need one are skipped unless LITE_TEST_CLIENTS names a folder, in which environments are
made from what pyproject.toml declares and stay for the next time. The `lite` under test is linked
into them; what the test suite's own environment holds is not.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import lite

ROOT = Path(__file__).resolve().parent.parent
_PYPROJECT = (ROOT / "pyproject.toml").read_text()


def declared(extra: str = "") -> list[str]:
    """The requirements of an extra in pyproject.toml, or of the package itself."""
    # tomllib is not in Python 3.10.
    name = re.escape(extra or "dependencies")
    found = re.search(rf"^{name} = \[(.*?)\]$", _PYPROJECT, re.MULTILINE | re.DOTALL)
    assert found is not None, f"pyproject.toml declares no {name}"
    return re.findall(r'"([^"]+)"', found.group(1))


def client_python(name: str, *requirements: str, copied: bool = False) -> Path:
    """The interpreter of an environment with these requirements and what `lite` itself needs.

    Where `copied`, `lite` is laid out as an installed package is, not linked.
    """
    folder = os.environ.get("LITE_TEST_CLIENTS")
    if not folder:
        pytest.skip("LITE_TEST_CLIENTS names no folder for clients' environments")
    environment = Path(folder).resolve() / name
    python = environment / "bin" / "python"
    wanted = "\n".join([*declared(), *requirements])
    done = environment / "installed.txt"
    if not done.exists() or done.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True)
        pip = [python, "-m", "pip", "install", "-q", *wanted.splitlines()]
        subprocess.run(pip, check=True, stdout=2)
        done.write_text(wanted)
    package = Path(lite.__file__).parent
    (site,) = environment.glob("lib/python*/site-packages")
    (_copy if copied else _link)(package, site)
    return python


def _copy(package: Path, site: Path) -> None:
    shutil.rmtree(site / "lite", ignore_errors=True)
    shutil.copytree(package, site / "lite", ignore=shutil.ignore_patterns("__pycache__", "*.a"))
    if not (package / "tools").exists():
        shutil.copytree(package.parent / "tools", site / "lite" / "tools")


def _link(package: Path, site: Path) -> None:
    parts = [package]
    if not (package / "tools").exists():  # built in place
        parts.append(package.parent / "tools")
    for part in parts:
        link = site / part.name
        link.unlink(missing_ok=True)
        link.symlink_to(part)


def run_client(
    python: Path, *words: str | Path, timeout: float = 600, env: Mapping[str, str] | None = None
) -> str:
    """What a client prints; fails with its errors where it fails."""
    done = subprocess.run(
        [python, *words],
        capture_output=True,
        text=True,
        timeout=timeout,
        cwd=python.parent,  # where no folder hides a package
        env=client_env(env),
    )
    assert done.returncode == 0, f"{words} ended with {done.returncode}:\n{done.stderr[-4000:]}"
    return done.stdout


def client_env(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """An environment that leads to no package of the test suite's own interpreter."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, **(more or {})}
