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
    """Models with Paddle's numbers; made once, by the host."""
    shapes = {**NETWORKS, **(PUBLISHED if os.environ.get("LITE_TEST_MODELS") else {})}
    names = [*RECIPES, *(f"{name}/{shape}" for name, shape in shapes.items())]
    folder = BUILT / "zoo"
    missing = [name for name in names if not (folder / f"{name.split('/')[0]}.npz").exists()]
    if missing:
        store = [sys.executable, "tests/cross/store_models.py", str(folder), *missing]
        subprocess.run(store, check=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    return folder
