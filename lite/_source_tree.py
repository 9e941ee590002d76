"""Finds the right ``lite`` when Python runs inside a source tree."""

from __future__ import annotations

import sys
from pathlib import Path


def use_installed_package(package_path: list[str]) -> None:
    """Points ``lite`` at the installed package when this folder has no built extension.

    Running Python in a clone puts the clone's ``lite/`` first on ``sys.path``; it has no
    ``_core`` module. Raises ImportError where a clone finds no installed package either. In a tree
    with the extension built in place, ``lite.tools`` is the folder ``tools`` beside ``lite``.
    """
    here = Path(__file__).parent
    if any(here.glob("_core*.so")) or any(here.glob("_core*.pyd")):
        if not (here / "tools").exists() and (here.parent / "tools" / "cli.py").exists():
            package_path.append(str(here.parent))
        return
    for entry in sys.path:
        candidate = Path(entry or ".").resolve() / "lite"
        if candidate != here and any(candidate.glob("_core*")):
            package_path[:] = [str(candidate)]
            return
    if not (here.parent / "setup.py").exists():
        return  # a damaged installation: `lite doctor` must start
    raise ImportError(
        f"{here} is the source tree and lite is not installed; run 'pip install .' in "
        f"{here.parent} first"
    )
