"""The Java library on this JDK: its API, mistakes, loops, the demonstration's picture."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from java.jvm import READER, ROOT, java
from sdk.conftest import converter_script as converter_script
from sdk.demo_picture import Demo, prepare

from lite.errors import ConfigError
from lite.tools import jar
from lite.tools.cli import main


@pytest.mark.parametrize("kind", ["light", "full"])
def test_the_api(folder: Path, kind: str) -> None:
    assert java(folder, kind, "Api", folder) == "all right\n"


def test_predictors_by_the_thousand(folder: Path) -> None:
    assert java(folder, "light", "Loops", folder, 100_000).endswith("flat\n")


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return prepare(tmp_path_factory.mktemp("demo"))


def read_text(path: str, program: str, *arguments: str) -> str:
    """The lines that a program finds in a picture."""
    command = ["java", "-Xcheck:jni", "-Djava.awt.headless=true", "-cp", path, program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-4000:]
    return "\n".join(line for line in done.stdout.splitlines() if line[0].isdigit())


def test_the_demo_s_picture(folder: Path, demo: Demo, tmp_path: Path) -> None:
    """examples/java and the reader of android/, compiled for Java 8 as docs/java.md says."""
    light, program = str(folder / "light.jar"), str(ROOT / "examples" / "java" / "Ocr.java")
    options = ["--release", "8", "-Xlint:all,-try,-options", "-Werror", "-sourcepath", str(READER)]
    command = ["javac", *options, "-cp", light, "-d", str(tmp_path), program]
    subprocess.run(command, check=True)
    path = os.pathsep.join([light, str(tmp_path)])
    demo.check(read_text(path, "Ocr", *demo.words, str(demo.png)))


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_what_a_camera_sees(folder: Path, demo: Demo, rotation: int) -> None:
    path = os.pathsep.join([str(folder / "light.jar"), str(folder / "classes")])
    demo.check(read_text(path, "Frames", *demo.words, str(demo.png), str(rotation)))


def test_the_light_library_says_that_it_is(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"the light library, which runs \.nb files"):
        java(folder, "light", "Optimise", folder / "classifier", tmp_path / "saved")


def test_pages_of_16_kilobytes(folder: Path, tmp_path: Path) -> None:
    for kind in ("light", "full"):
        shutil.unpack_archive(folder / f"{kind}.jar", tmp_path / kind, "zip")
        (library,) = (tmp_path / kind).rglob("libpaddle_lite_jni.so")
        listed = subprocess.run(["readelf", "-lW", library], capture_output=True, text=True)
        loads = [line.split() for line in listed.stdout.splitlines() if " LOAD " in line]
        assert len(loads) >= 2 and all(int(words[-1], 16) >= 0x4000 for words in loads)
        names = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True)
        symbols = [line.split()[-1] for line in names.stdout.decode().splitlines()]
        assert symbols and all(s.startswith("Java_com_baidu_paddle_lite_Native_") for s in symbols)


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(ConfigError, match=r"JAVA_HOME .* has no javac: install a JDK"):
        jar.build_jar(tmp_path / "x.jar", tmp_path, False)


@pytest.mark.parametrize("words", [["--full"], ["--jar", "x.jar", "--native", "x"]])
def test_options_that_are_wrong(words: list[str], tmp_path: Path) -> None:
    path = ["--path"] if "--jar" not in words else []
    assert main(["sdk", *path, *words]) == 1
