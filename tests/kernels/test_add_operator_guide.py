"""docs/add_operator.md as a reader follows it: the operator compiles, registers and passes its
table."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from lite import _core

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/add_operator.md").read_text(encoding="utf-8")
CONFTEST = """\
import ctypes
import sys

import lite
from lite import _core

operator = ctypes.CDLL({library!r})
sys.path[:0] = [{tests!r}, {kernels!r}]
"""


def block(language: str) -> str:
    (text,) = re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)
    return str(text)


def test_the_steps(tmp_path: Path) -> None:
    source, library = tmp_path / "my_op.cc", tmp_path / "libmy_op.so"
    source.write_text(block("cpp"))
    package = Path(_core.__file__).parent
    # The build finds the file by its folder; here it joins the core that is built already.
    done = subprocess.run(
        [
            *("g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"),
            *("-I", ROOT, source, "-o", library, "-L", package, "-lpaddle_lite_core"),
            f"-Wl,-rpath,{package}",
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    (tmp_path / "test_my_op.py").write_text(block("python"))
    paths = {"tests": str(ROOT / "tests"), "kernels": str(ROOT / "tests/kernels")}
    (tmp_path / "conftest.py").write_text(CONFTEST.format(library=str(library), **paths))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_my_op.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(package.parent)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^3 passed", done.stdout, re.M), done.stdout


def test_the_optimizers_tables_stand_where_the_guide_says() -> None:
    for name in ("shape_rules.py", "infer.py", "../partition/cost.py", "kernels.csv"):
        assert name in GUIDE
        assert (ROOT / "lite/core/optimizer" / name).is_file()
