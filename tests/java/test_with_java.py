"""The Java library on this JDK: its API, mistakes, loops, programs in the public manner."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from sdk import example_models as models
from sdk.conftest import converter_script as converter_script
from sdk.demo_picture import Demo, prepare

import lite
from lite.errors import ConfigError
from lite.tools import jar
from lite.tools.cli import main

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
READER = ROOT / "android" / "src" / "main" / "java"
NAMES = ("classifier", "integers", "words", "detector", "sounds", "wave")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Models, jars, and the programs' classes in classes/."""
    folder = tmp_path_factory.mktemp("java")
    for name in NAMES:
        models.save_nb(getattr(models, name)(), folder / f"{name}.nb")
    models.save_folder(models.classifier(), folder / "classifier")
    assert main(["sdk", "--jar", str(folder / "light.jar")]) == 0
    assert main(["sdk", "--jar", str(folder / "full.jar"), "--full"]) == 0
    sources = [str(path) for path in sorted(HERE.rglob("*.java"))]
    options = ["-Xlint:all,-try", "-Werror", "-cp", str(folder / "light.jar")]
    options += ["-sourcepath", str(READER)]
    subprocess.run(["javac", *options, "-d", str(folder / "classes"), *sources], check=True)
    return folder


def java(folder: Path, kind: str, program: str, *arguments: object, **environment: str) -> str:
    path = os.pathsep.join([str(folder / f"{kind}.jar"), str(folder / "classes")])
    command = ["java", "-Xmx64m", "-Xcheck:jni", "-cp", path, program, *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=600
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert not done.stderr and "WARNING" not in done.stdout, done.stderr + done.stdout
    return done.stdout


def numbers(text: str) -> np.ndarray:
    return np.array([float(line) for line in text.split()], np.float32)


def picture(side: int) -> np.ndarray:
    return np.float32(np.arange(3 * side * side) % 5 / 5 - 0.4).reshape(1, 3, side, side)


def first(model: Path, *arrays: np.ndarray) -> np.ndarray:
    return next(iter(lite.load(model).run(list(arrays)).values())).ravel()


@pytest.mark.parametrize("kind", ["light", "full"])
def test_the_api(folder: Path, kind: str) -> None:
    assert java(folder, kind, "Api", folder) == "all right\n"


def test_predictors_by_the_thousand(folder: Path) -> None:
    assert java(folder, "light", "Loops", folder, 100_000).endswith("flat\n")


def test_a_classifier(folder: Path) -> None:
    found = numbers(java(folder, "light", "Classify", folder / "classifier.nb", 24, 40))
    expected = [first(folder / "classifier.nb", picture(side)) for side in (24, 40)]
    np.testing.assert_allclose(found, np.concatenate(expected), rtol=1e-5)


def test_a_detector(folder: Path) -> None:
    y, x = np.meshgrid(np.arange(64), np.arange(64), indexing="ij")
    image = np.float32(np.where((y > 20) & (x > 30), 2, -1))
    found = numbers(java(folder, "light", "Detect", folder / "detector.nb"))
    pixels = np.broadcast_to(image, (1, 3, 64, 64)).copy()
    expected = first(folder / "detector.nb", pixels, np.float32([[0.5, 2]]))
    assert expected.size >= 6
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_sentences(folder: Path) -> None:
    found = numbers(java(folder, "light", "Tags", folder / "words.nb"))
    lines = [(7 * np.arange(length) + length) % 20 for length in (3, 1, 6)]
    words = np.concatenate(lines).reshape(-1, 1)
    np.testing.assert_allclose(found, first(folder / "words.nb", words), rtol=1e-5)


def test_speech(folder: Path) -> None:
    phones = [3, 1, 4, 1, 5, 9, 2, 6]
    expected = []
    for some in (phones, phones[:4]):
        sounds = first(folder / "sounds.nb", np.array(some)).reshape(-1, 8)
        expected.append(first(folder / "wave.nb", sounds))
    found = numbers(
        java(folder, "light", "Speech", folder / "sounds.nb", folder / "wave.nb", *phones)
    )
    np.testing.assert_allclose(found, np.concatenate(expected), rtol=1e-5)


def test_a_server(folder: Path) -> None:
    found = numbers(java(folder, "light", "Server", folder / "classifier.nb", 100))
    answers = [first(folder / "classifier.nb", picture(20 + i)) for i in range(7)]
    expected = [answers[i % 7] for i in range(100)]
    np.testing.assert_allclose(found, np.concatenate(expected), rtol=1e-5)


def test_integers_by_name(folder: Path) -> None:
    found = java(folder, "light", "Numbers", folder / "integers.nb").split()
    assert found == ["0", "3", "100", "255"] * 3


def test_assets_and_bitmaps(folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "classifier.nb", folder / "classes")
    found = numbers(java(folder, "light", "Assets", tmp_path)).reshape(-1, 14)
    at = np.arange(32 * 32)
    mean, deviation = np.reshape([0.485, 0.456, 0.406, 0.229, 0.224, 0.225], (2, 3, 1))
    parts = [(at * 7 % 256, at * 3 % 256, (at + image) % 256) for image in range(2)]
    pixels = (np.array(parts) / 255 - mean) / deviation
    batch = pixels.reshape(2, 3, 32, 32).astype(np.float32)
    expected = first(folder / "classifier.nb", batch)
    assert len(found) > 3 and (found == found[0]).all()
    np.testing.assert_allclose(found[0], expected, rtol=1e-4)


def test_a_model_is_optimised(folder: Path, converter_script: Path, tmp_path: Path) -> None:
    arguments = (folder / "classifier", tmp_path / "saved")
    found = numbers(java(folder, "full", "Optimise", *arguments, LITE_OPT=str(converter_script)))
    expected = first(folder / "classifier.nb", picture(24))
    np.testing.assert_allclose(found.reshape(2, -1), [expected, expected], rtol=1e-5)


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


def test_kotlin(folder: Path, tmp_path: Path) -> None:
    light, program = folder / "light.jar", tmp_path / "use.jar"
    command = ["kotlinc", HERE / "programs" / "Use.kt", "-cp", light, "-include-runtime"]
    done = subprocess.run([*command, "-d", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    path = os.pathsep.join([str(light), str(program)])
    run = ["java", "-cp", path, "UseKt", str(folder / "classifier.nb")]
    found = numbers(subprocess.run(run, check=True, capture_output=True, text=True).stdout)
    np.testing.assert_allclose(found, first(folder / "classifier.nb", picture(24)), rtol=1e-5)
