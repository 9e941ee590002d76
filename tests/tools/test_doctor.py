"""lite doctor says what is wrong with copies of the package that are broken here."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

import lite
import lite.tools
from lite.tools.doctor import machine, package, runtime
from lite.tools.doctor.finding import OK, WARNING, WRONG, Finding

from .conftest import Command

SOURCE = Path(lite.__path__[0])
TOOLS = Path(lite.tools.__path__[0])
SETTINGS = ("LITE_", "NNADAPTER_", "PADDLE_", "PROTOCOL_BUFFERS_", "XDG_")
_OUT = ("lite", "paddlelite", "paddle_lite_predictor", "onnxruntime", "openvino")
EXTENSION = f"_core{sysconfig.get_config_var('EXT_SUFFIX')}"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package in a folder of its own, as an installation has it."""
    home = tmp_path / "site" / "lite"
    unwanted = shutil.ignore_patterns("*.cc", "tools")
    shutil.copytree(SOURCE, home, ignore=unwanted)
    shutil.copytree(TOOLS, home / "tools", ignore=unwanted)
    return home


def _others(folder: Path) -> Path:
    """The environment's packages but this one, which would be a second copy, and engines, which
    doctor would start as devices."""
    if not folder.exists():
        folder.mkdir()
        for entry in Path(sysconfig.get_path("platlib")).iterdir():
            if not entry.name.startswith(_OUT):
                (folder / entry.name).symlink_to(entry)
    return folder


def _python(
    home: Path, *words: str, path: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    base = home.parents[1]
    listed = [str(home.parent), *filter(None, [path]), str(_others(base / "others"))]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)}
    own = {**kept, "HOME": str(base), "TMPDIR": str(base)}
    return subprocess.run(
        [sys.executable, "-S", *words],
        capture_output=True,
        text=True,
        cwd=home.parent,
        env={**own, "PYTHONPATH": os.pathsep.join(listed), **variables},
    )


def _doctor(home: Path, path: str = "", **variables: str) -> tuple[int, list[dict[str, Any]]]:
    done = _python(home, "-m", "lite.tools.cli", "doctor", "--json", path=path, **variables)
    assert done.stdout, done.stderr
    report = json.loads(done.stdout)
    states = [finding["state"] for finding in report["findings"]]
    assert (report["wrong"], report["warnings"]) == (states.count(WRONG), states.count(WARNING))
    assert done.returncode == (1 if report["wrong"] else 0)
    return done.returncode, report["findings"]


_PACKAGE = """
import json
from dataclasses import asdict
from lite.tools.doctor import package
print(json.dumps([asdict(finding) for finding in package.findings()]))
"""


def _of_the_package(home: Path, path: str = "") -> list[dict[str, Any]]:
    """Its first checks: those of files and versions, which start no device."""
    done = _python(home, "-c", _PACKAGE, path=path)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def _wrong(findings: list[dict[str, Any]], check: str) -> dict[str, Any]:
    (found,) = [f for f in findings if f["check"] == check and f["state"] == WRONG]
    assert found["do"]
    return found


def test_a_whole_copy(copy: Path) -> None:
    code, findings = _doctor(copy)
    assert code == 0, [f for f in findings if f["state"] == WRONG]
    said = {f["check"]: f["says"] for f in findings}
    assert str(copy) in said["package"] and "right" in said["a model"]
    assert "fake_device" in said["devices"]


def test_a_missing_core(copy: Path) -> None:
    (copy / "libpaddle_lite_core.so").unlink()
    code, findings = _doctor(copy)
    assert code == 1
    assert "libpaddle_lite_core.so" in _wrong(findings, "files")["says"]
    assert "libpaddle_lite_core.so" in _wrong(findings, "core")["says"]
    assert "libnnadapter.so" in json.dumps([f for f in findings if f["check"] == "libraries"])


def test_a_missing_extension(copy: Path) -> None:
    (copy / EXTENSION).unlink()
    code, findings = _doctor(copy)
    assert code == 1 and EXTENSION in _wrong(findings, "interpreter")["says"]
    done = _python(copy, "-c", "import lite; lite.load('m')")
    assert done.stderr.strip().splitlines()[-1].endswith("`lite doctor` says what is wrong here")


def test_an_extension_of_another_python(copy: Path) -> None:
    (copy / EXTENSION).rename(copy / "_core.cpython-399-x86_64-linux-gnu.so")
    says = _wrong(_of_the_package(copy), "interpreter")["says"]
    assert "_core.cpython-399" in says and sys.version.split()[0] in says


def test_libraries_of_another_build(copy: Path) -> None:
    shutil.copy(copy / "libfake_device.so", copy / "libpaddle_lite_core.so")
    findings = _doctor(copy)[1]
    assert "undefined symbol" in _wrong(findings, "core")["says"]


def test_a_cut_library(copy: Path) -> None:
    path = copy / "libnnadapter.so"
    path.write_bytes(path.read_bytes()[:5000])
    broken = [f for f in _doctor(copy)[1] if f["check"] == "libraries"]
    assert any("libnnadapter.so does not load" in f["says"] for f in broken)


def _installed(copy: Path, version: str = lite.__version__) -> Path:
    """What pip writes beside a package."""
    lines = []
    for path in sorted(copy.rglob("*")):
        if path.suffix == ".pyc":  # Python writes these anew, so pip hashes none
            lines.append(f"{path.relative_to(copy.parent)},,")
        elif path.is_file():
            digest = package._digest(path, "sha256")
            lines.append(f"{path.relative_to(copy.parent)},sha256={digest},{path.stat().st_size}")
    info = copy.parent / f"paddle_lite_predictor-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: paddle-lite-predictor\nVersion: {version}\n"
        "Requires-Dist: numpy>=999\nRequires-Dist: protobuf>=3.20\nRequires-Dist: pyyaml>=6\n"
    )
    (info / "RECORD").write_text("\n".join([*lines, f"{info.name}/RECORD,,"]) + "\n")
    return info


def test_files_that_changed_and_an_old_numpy(copy: Path) -> None:
    _installed(copy)
    (copy / "errors.py").write_text((copy / "errors.py").read_text() + "\n")
    (copy / "api" / "loops.py").unlink()
    findings = [f for f in _of_the_package(copy) if f["state"] == WRONG]
    said = " ".join(f["says"] for f in findings)
    assert "not as they were installed: lite/errors.py" in said
    assert "missing: lite/api/loops.py" in said
    assert "999 or newer is needed" in said


def test_another_version_in_pip(copy: Path) -> None:
    _installed(copy, "0.0.9")
    assert "0.0.9" in _wrong(_of_the_package(copy), "package")["says"]


def test_paddle_lites_own_wheel(copy: Path) -> None:
    info = copy.parent / "paddlelite-2.13rc0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: paddlelite\nVersion: 2.13rc0\n")
    assert "2.13rc0" in _wrong(_of_the_package(copy), "paddlelite")["says"]


def test_a_second_copy(copy: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "lite.py").write_text("")
    (other / "lite").write_text("#!/bin/sh")  # a command hides no module
    (found,) = [f for f in _of_the_package(copy, str(other)) if f["check"] == "second copy"]
    assert found["state"] == WARNING
    assert found["says"].startswith(f"{other / 'lite.py'} in the search path")


def test_variables_of_the_environment(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "hals").mkdir()
    (tmp_path / "hals" / "libbad_npu.so").write_bytes(b"\x7fELF and no more NNADAPTER")
    blocked = tmp_path / "file"
    blocked.write_text("")
    findings = _doctor(
        copy,
        LITE_ISA="avx1024",
        LITE_CACHE_DIR=str(blocked / "cache"),
        NNADAPTER_DEVICE_PATH=f"{tmp_path / 'hals'}{os.pathsep}{tmp_path / 'nowhere'}",
    )[1]
    says = {
        state: [f["says"] for f in findings if f["state"] == state] for state in (WRONG, WARNING)
    }
    assert f"NNADAPTER_DEVICE_PATH names {tmp_path / 'nowhere'}" in " ".join(says[WRONG])
    assert f"{blocked / 'cache'} cannot be written" in " ".join(says[WARNING])
    (isa,) = [f for f in findings if f["check"] == "instruction set"]
    assert isa["state"] == WARNING and "avx1024 was not followed" in isa["says"]


def test_limits_of_a_container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, member = tmp_path / "cgroup", tmp_path / "member"
    (root / "pod" / "box").mkdir(parents=True)
    member.write_text("0::/pod/box\n")
    (root / "pod" / "cpu.max").write_text("50000 100000\n")
    (root / "pod" / "box" / "cpu.max").write_text("max 100000\n")
    (root / "pod" / "box" / "memory.max").write_text(f"{100 << 20}\n")
    assert machine.cpu_quota(str(root), str(member)) == 0.5
    assert machine.memory_quota(str(root), str(member)) == 100 << 20
    (root / "cpu" / "pod").mkdir(parents=True)
    (root / "cpu" / "pod" / "cpu.cfs_quota_us").write_text("-1\n")
    (root / "cpu" / "pod" / "cpu.cfs_period_us").write_text("100000\n")
    member.write_text("4:cpu:/pod\n")
    assert machine.cpu_quota(str(root), str(member)) == float("inf")
    monkeypatch.setattr(machine, "cpu_quota", lambda: 0.5)
    monkeypatch.setattr(machine, "memory_quota", lambda: float(100 << 20))
    assert machine._threads().state == WARNING and "threads=1" in machine._threads().do
    assert machine._memory().state == WARNING


def test_a_cpu_without_avx2(tmp_path: Path) -> None:
    info = tmp_path / "cpuinfo"
    info.write_text("model name\t: Old\nflags\t\t: sse2 sse4_2\n")
    assert machine._cpu(str(info), "x86_64").state == WARNING
    info.write_text("model name\t: New\nflags\t\t: avx2 fma\n")
    assert machine._cpu(str(info), "x86_64").state == OK
    assert machine._cpu(str(tmp_path / "none"), "aarch64").state == OK


def test_remedies_fit_the_loaders_words() -> None:
    assert "older" in runtime._remedy("/lib/libc.so.6: version `GLIBC_2.34' not found")
    assert "different builds" in runtime._remedy("undefined symbol: _ZN4lite")


def test_text(cli: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from lite.tools.doctor import command

    listed = [Finding("a", OK, "good"), Finding("b", WRONG, "bad", "mend it")]
    monkeypatch.setattr(command, "examine", lambda: iter(listed))
    done = cli("doctor")
    assert done.returncode == 1
    assert done.stdout == (
        "ok      a: good\nWRONG   b: bad\n        -> mend it\n1 wrong, 0 warnings\n"
    )
