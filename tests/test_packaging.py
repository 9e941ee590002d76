"""What an sdist and a wheel hold: all that building takes, and only what running takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILT_FROM = ("CMakeLists.txt", "LICENSE", "MANIFEST.in", "README.md", "pyproject.toml", "setup.py")


def setup(*words: str | Path) -> None:
    """setup.py with these words."""
    command = [sys.executable, "setup.py", "-q", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The files of an sdist."""
    folder = tmp_path_factory.mktemp("egg")
    setup("egg_info", "--egg-base", folder)
    (listed,) = folder.glob("*.egg-info/SOURCES.txt")
    return {line for line in listed.read_text().splitlines() if ".egg-info/" not in line}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The files of a wheel but those that CMake makes."""
    folder = tmp_path_factory.mktemp("wheel")
    (folder / "egg").mkdir()
    setup("egg_info", "--egg-base", folder / "egg", "build_py", "--build-lib", folder / "lib")
    files = (folder / "lib").rglob("*")
    return {str(file.relative_to(folder / "lib")) for file in files if file.is_file()}


def test_sdist_has_all_sources_and_nothing_built(packed: set[str]) -> None:
    # Files that git ignores are what building makes; new ones that are not added yet count.
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    folders = ["lite", "tools", "third_party"]
    git = subprocess.run(
        [*command, *BUILT_FROM, *folders], cwd=ROOT, capture_output=True, text=True
    )
    if git.returncode:
        pytest.skip("the tree is no git repository")
    kept = {name for name in git.stdout.splitlines() if (ROOT / name).exists()}
    assert packed == kept
    assert any(name.endswith(".cc") for name in packed)


def test_wheel_has_no_sources_of_the_core(installed: set[str]) -> None:
    compiled_there = "lite/sdk/java/"  # by lite sdk --jar
    others = {name for name in installed if not name.startswith(compiled_there)}
    kinds = {Path(name).suffix or Path(name).name for name in others}
    assert kinds == {".py", ".pyi", ".typed", ".csv", ".txt", ".yaml", ".html", ".css", ".js", ".h"}
    public = ("lite/sdk/include/", "lite/nnadapter/include/nnadapter/")
    assert all(name.startswith(public) for name in installed if name.endswith(".h"))


def test_wheel_has_all_that_modules_read(installed: set[str]) -> None:
    modules = {name for name in installed if name.endswith(".py")}
    assert {"lite/__init__.py", "lite/tools/cli.py", "paddlelite/__init__.py"} <= modules
    data = {name for name in installed if not name.endswith((".py", ".h", ".java"))}
    java = {Path(name).stem for name in installed if name.endswith(".java")}
    assert {"MobileConfig", "PaddlePredictor", "Tensor", "Native"} <= java
    assert data == {
        "lite/_core.pyi",
        "lite/core/optimizer/kernels.csv",
        "lite/core/optimizer/vendor_operators.csv",
        "lite/kernels/nnadapter/operators.yaml",
        "lite/model/legacy/paddle_2_6.csv",
        "lite/model/onnx/reader/operators.txt",
        "lite/model/pir/operators.txt",
        "lite/py.typed",
        "lite/report/page.css",
        "lite/report/page.html",
        "lite/report/page.js",
        "lite/sdk/java/exports.map",
        "lite/sdk/java/jni.cc",
        "lite/torch/operators.yaml",
        "paddlelite/py.typed",
    }
