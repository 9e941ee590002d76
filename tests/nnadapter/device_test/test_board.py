"""The guide's build for a board, configured with this machine's compiler in the board's place."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nnadapter.compiling import ROOT
from nnadapter.guides import blocks_of

GUIDE = (ROOT / "docs/hal_guide.md").read_text()


@pytest.mark.skipif(not shutil.which("cmake") or not shutil.which("ninja"), reason="needs CMake")
def test_the_board_gets_what_the_guide_says(tmp_path: Path) -> None:
    blocks = blocks_of(GUIDE)
    (toolchain,) = (text for _, name, text in blocks if name == "aarch64.cmake")
    (tmp_path / "board.cmake").write_text(toolchain.replace("aarch64-linux-gnu-", ""))
    configure = next(t for k, _, t in blocks if k == "board" and "cmake" in t).splitlines()[0]
    words = configure.replace("aarch64.cmake", str(tmp_path / "board.cmake")).split()
    words = [str(tmp_path / "build") if word == "build-aarch64" else word for word in words]
    words += [f"-DPython_EXECUTABLE={sys.executable}", f"-DPython3_EXECUTABLE={sys.executable}"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    installed = "".join(p.read_text() for p in tmp_path.rglob("cmake_install.cmake"))
    for name in ("bin/nnadapter_device_test", "libnnadapter.so", "libpaddle_lite_core.so"):
        assert name in installed and Path(name).name in GUIDE
    rules = (tmp_path / "build/build.ninja").read_text()
    assert "device_test/main.cc" in rules
    for text in ("-mavx2", "lite/api/bindings/"):  # neither x86's kernels nor Python
        assert text not in rules, text
