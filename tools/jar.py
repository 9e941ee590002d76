"""lite sdk --jar: the Java library, made by this machine's compilers for Java and C++."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from lite import __version__
from lite.errors import ConfigError

_GROUP, _ARTIFACT = "com.baidu.paddle", "paddle-lite-predictor"
_RELEASE = 8  # of Java: what Android and old servers take
_NATIVE = "libpaddle_lite_jni.so"
_FULL = ("libpaddle_lite_core.so", "libpaddle_full_api_shared.so")  # as they are loaded
# Android's pages have 4 or 16 KB.
_LINK = ["-shared", "-Wl,-z,max-page-size=16384", "-Wl,-z,defs", "-Wl,--exclude-libs,ALL", "-s"]

_POM = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>{_GROUP}</groupId>
  <artifactId>{_ARTIFACT}</artifactId>
  <version>{__version__}</version>
  <name>Paddle models in Java</name>
</project>
"""


def build_jar(target: Path, sdk: Path, full: bool, natives: Sequence[str] = ()) -> list[str]:
    """Writes a jar, and its pom beside it; the platforms whose native library is inside.

    ``natives`` are further ones, ``linux-aarch64=FILE``. Raises ConfigError where a compiler is
    missing or fails.
    """
    others = dict(_named(text) for text in natives)
    with tempfile.TemporaryDirectory() as scratch:
        classes = Path(scratch) / "classes"
        _compile_java(sdk / "java", classes)
        library = Path(scratch) / _NATIVE
        _compile_native(sdk, full, library)
        ours = f"linux-{platform.machine()}"
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as jar:
            jar.writestr("META-INF/MANIFEST.MF", _manifest())
            jar.writestr(f"META-INF/maven/{_GROUP}/{_ARTIFACT}/pom.xml", _POM)
            for file in sorted(classes.rglob("*.class")):
                jar.write(file, str(file.relative_to(classes)))
            jar.write(library, f"natives/{ours}/{_NATIVE}")
            for name in _FULL if full else ():
                jar.write(_beside(sdk, name), f"natives/{ours}/{name}")
            for name, file in others.items():
                jar.write(file, f"natives/{name}/{_NATIVE}")
    target.with_suffix(".pom").write_text(_POM)
    return [ours, *others]


def native_command(sdk: Path, full: bool, java_include: Path, output: Path) -> list[str]:
    """How the native library is compiled; for another machine with its compiler and SDK."""
    java = sdk / "java"
    includes = [sdk / "include", java_include, java_include / "linux"]
    libraries = ["-lpaddle_api_light_bundled"]
    if full:
        libraries = ["-DLITE_JNI_FULL", "-lpaddle_full_api_shared", "-Wl,-rpath,$ORIGIN"]
    return [
        *(os.environ.get("CXX", "c++"), "-std=c++17", "-O2", "-fPIC", "-fvisibility=hidden"),
        *(f"-I{path}" for path in includes),
        *(str(java / "jni.cc"), f"-L{sdk / 'lib'}", *libraries, "-lpthread", "-ldl", "-lm"),
        *(*_LINK, f"-Wl,--version-script={java / 'exports.map'}", "-o", str(output)),
    ]


def _beside(sdk: Path, name: str) -> Path:
    """A library of the SDK: in its folder (a prefix), or in the package around it."""
    own = sdk / "lib" / name
    return own if own.is_file() else sdk.parent / name


def _compile_java(sources: Path, classes: Path) -> None:
    classes.mkdir()
    files = [str(file) for file in sorted(sources.rglob("*.java"))]
    release = ["--release", str(_RELEASE), "-Xlint:-options"]
    _run([str(_javac()), *release, "-d", str(classes), *files])


def _compile_native(sdk: Path, full: bool, output: Path) -> None:
    include = _javac().resolve().parents[1] / "include"
    if not (include / "jni.h").is_file():
        raise ConfigError(f"{include} has no jni.h: JAVA_HOME must name a JDK")
    _run(native_command(sdk, full, include, output))


def _javac() -> Path:
    home = os.environ.get("JAVA_HOME")
    found = shutil.which(str(Path(home) / "bin" / "javac") if home else "javac")
    if found is None:
        where = f"JAVA_HOME ({home}) has" if home else "there is"
        raise ConfigError(
            f"{where} no javac: install a JDK of Java 9 or newer (Debian: openjdk-17-jdk-headless)"
        )
    return Path(found)


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise ConfigError(f"{command[0]} does not start: {error}") from None
    if done.returncode:
        raise ConfigError(f"{command[0]} fails: {(done.stderr or done.stdout).strip()[-2000:]}")


def _manifest() -> str:
    return (
        "Manifest-Version: 1.0\r\n"
        f"Implementation-Title: {_ARTIFACT}\r\n"
        f"Implementation-Version: {__version__}\r\n"
        "Automatic-Module-Name: com.baidu.paddle.lite\r\n\r\n"
    )


def _named(text: str) -> tuple[str, Path]:
    name, _, file = text.partition("=")
    if not name or not file:
        raise ConfigError(f"--native is {text!r}, expected PLATFORM=FILE, as linux-aarch64=x.so")
    return name, Path(file)
