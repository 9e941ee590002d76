"""The Windows library under wine: Linux's numbers, paths, damaged files, threads, programs.

LITE_TEST_WINDOWS names the folder that tools/cross/windows.sh wrote.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from sdk import example_models as models
from sdk.conftest import sdk
from sdk.demo_picture import prepare

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SDK = Path(os.environ["LITE_TEST_WINDOWS"]) / "sdk"
COMPILER = ["x86_64-w64-mingw32-g++-posix", "-std=c++11", "-O1", f"-I{SDK / 'include'}"]
LIBRARY = [str(SDK / "lib" / "libpaddle_light_api_shared.dll.a"), "-static"]
WINE = shutil.which("wine64") or "/usr/lib/wine/wine64"
PROGRAMS = [
    *sorted((ROOT / "examples" / "cpp").glob("*.cc")),
    *sorted((HERE.parent / "sdk" / "programs").glob("*.cc")),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program for both systems, the library beside it, a model."""
    folder = tmp_path_factory.mktemp("windows")
    source = str(HERE / "program.cc")
    subprocess.run([*COMPILER, source, *LIBRARY, "-o", str(folder / "program.exe")], check=True)
    linux = ["c++", "-std=c++11", "-O1", source, *sdk("--cflags"), *sdk("--libs"), "-pthread"]
    subprocess.run([*linux, "-o", str(folder / "program")], check=True)
    shutil.copy(SDK / "lib" / "paddle_light_api_shared.dll", folder)
    models.save_nb(models.classifier(), folder / "model.nb")
    return folder


def run(folder: Path, program: str, *ways: tuple[str, str | Path]) -> list[str]:
    """What each way prints."""
    command = [WINE] if program.endswith(".exe") else []
    environment = {"WINEPREFIX": str(folder / "wine"), "WINEDEBUG": "-all"}
    done = subprocess.run(
        [*command, str(folder / program)],
        input="".join(f"{way}\t{path}\n" for way, path in ways).encode(),
        capture_output=True,
        env={**os.environ, **environment},
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    lines = done.stdout.decode().splitlines()
    assert [line.partition(":")[0] for line in lines] == [way for way, _ in ways]
    return [line.partition(": ")[2] for line in lines]


def test_linux_s_numbers(folder: Path) -> None:
    ways = [(way, folder / "model.nb") for way in ("numbers", "two threads")]
    windows = run(folder, "program.exe", *((way, f"Z:{path}") for way, path in ways))
    assert windows == run(folder, "program", *ways)
    assert len(windows[0].split()) == 21


def test_the_ways(folder: Path) -> None:
    path = f"Z:{folder / 'model.nb'}"
    ways = [(way, path) for way in ("damaged", "loop", "clones")]
    assert run(folder, "program.exe", *ways) == ["refused", "done", "0"]


def test_paths(folder: Path, tmp_path: Path) -> None:
    named = tmp_path / "Ein Ordner mit Leerzeichen" / "\u6a21\u578b \U0001f600"
    deep = named / ("x" * 120) / ("y" * 120)
    deep.mkdir(parents=True)
    shutil.copy(folder / "model.nb", deep / "\u6a21\u578b.nb")
    expected = run(folder, "program", ("numbers", folder / "model.nb"))
    found = "Z:" + str(deep / "\u6a21\u578b.nb")
    paths = [found, found.replace("/", "\\")]
    assert len(found) > 260
    assert run(folder, "program.exe", *(("numbers", path) for path in paths)) == expected * 2
    nothing, is_folder = run(
        folder, "program.exe", ("numbers", "Z:\\nothing \u6a21.nb"), ("numbers", "Z:" + str(deep))
    )
    assert "nothing \u6a21.nb': cannot open the file" in nothing
    assert "it is a directory" in is_folder


def test_the_demo_s_picture(folder: Path, tmp_path: Path) -> None:
    """examples/cpp/ocr.cc as a Windows program."""
    demo = prepare(tmp_path)
    source = ROOT / "examples" / "cpp" / "ocr.cc"
    program = folder / "ocr.exe"
    subprocess.run([*COMPILER, str(source), *LIBRARY, "-o", str(program)], check=True)
    words = [f"Z:{path}" for path in (*demo.words, demo.ppm)]
    done = subprocess.run(
        [WINE, str(program), *words], capture_output=True, timeout=600,
        env={**os.environ, "WINEPREFIX": str(folder / "wine"), "WINEDEBUG": "-all"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    demo.check(done.stdout.decode())


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.name)
def test_programs_compile(source: Path, tmp_path: Path) -> None:
    macros = ["-D_USE_MATH_DEFINES"]
    program = str(tmp_path / "program.exe")
    done = subprocess.run(
        [*COMPILER, *macros, str(source), *LIBRARY, "-o", program], capture_output=True, text=True
    )
    full = "CreateCxxPredictor" in done.stderr  # the light library has none
    assert done.returncode == 0 or full, done.stderr[-2000:]


def test_the_library_needs_the_system_s_alone() -> None:
    library = SDK / "lib" / "paddle_light_api_shared.dll"
    command = ["x86_64-w64-mingw32-objdump", "-p", str(library)]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    needed = {line.split()[-1].lower() for line in listed.splitlines() if "DLL Name:" in line}
    assert needed <= {"kernel32.dll", "msvcrt.dll"}, needed
