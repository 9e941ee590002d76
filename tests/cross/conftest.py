"""Models for all files here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cross.built import BUILT, NETWORKS, PUBLISHED, RECIPES, ROOT


@pytest.fixture(scope="session")
def zoo() -> Path:
    """Models with Paddle's numbers, made by the host; anew where the package has changed since."""
    shapes = {**NETWORKS, **(PUBLISHED if os.environ.get("LITE_TEST_MODELS") else {})}
    names = [*RECIPES, *(f"{name}/{shape}" for name, shape in shapes.items())]
    folder = BUILT / "zoo"
    changed = max(path.stat().st_mtime for path in (ROOT / "lite").rglob("*.[ps][yo]"))
    made = {path.stem for path in folder.glob("*.npz") if path.stat().st_mtime > changed}
    missing = [name for name in names if name.split("/")[0] not in made]
    if missing:
        store = [sys.executable, "tests/cross/store_models.py", str(folder), *missing]
        subprocess.run(store, check=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    return folder
