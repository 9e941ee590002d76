"""nnadapter_device_test: the exported cases on a device, without Python."""

from __future__ import annotations

import random
import struct
import subprocess
import zlib
from pathlib import Path

import pytest
from nnadapter.compiling import INCLUDE, LIBRARY, ROOT, SANITIZED, compiled

import lite
from lite.nnadapter.conformance import case
from lite.tools import cli

pytestmark = pytest.mark.long

HERE = Path(__file__).parent
SOURCES = ROOT / "lite/nnadapter/device_test"
PACKAGE = Path(lite.__file__).parent
FLAGS = ["-I", str(ROOT), "-I", str(INCLUDE)]


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As CMake builds it, linked with libnnadapter only."""
    output = tmp_path_factory.mktemp("tool") / "nnadapter_device_test"
    others = [str(path) for path in sorted(SOURCES.glob("*.cc")) if path.name != "main.cc"]
    link = [f"-L{PACKAGE}", "-lnnadapter", f"-Wl,-rpath,{PACKAGE}", "-ldl"]
    return compiled(SOURCES / "main.cc", output, [*FLAGS, *others, *link])


@pytest.fixture(scope="module")
def devices(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with devices that have faults."""
    folder = tmp_path_factory.mktemp("devices")
    bad = HERE.parent / "conformance/bad_device.cc"
    compiled(bad, folder / "libbad_device.so", ["-I", str(INCLUDE), *LIBRARY])
    compiled(HERE / "rude_device.cc", folder / "librude_device.so", ["-I", str(INCLUDE), *LIBRARY])
    return folder


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("cases") / "cases.bin"
    assert cli.main(["device-test", "--export", str(file)]) == 0
    return file


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=600)


def rows(text: str) -> dict[str, tuple[int, int, int]]:
    """Passed, failed and not taken, by operation."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("operation"))
    words = (line.split() for line in lines[start + 1 : -1])
    return {w[0]: (int(w[1]), int(w[2]), int(w[3])) for w in words}


def test_every_case_passes_on_the_cpu(tool: Path, cases: Path) -> None:
    done = run(tool, cases, "builtin_device")
    assert done.returncode == 0, done.stdout
    every = list(case.all_cases())
    assert done.stdout.splitlines()[-1] == f"{len(every)} passed, 0 failed, 0 not taken"
    found = rows(done.stdout)
    assert {name: sum(counts) for name, counts in found.items()} == {
        name: sum(c.operation == name for c in every) for name in {c.operation for c in every}
    }
    listed = run(tool, cases, "--list", "--only", "conv_2d float32")
    wanted = [c.name for c in every if "CONV_2D float32" in c.name]
    assert listed.stdout.splitlines() == wanted and len(wanted) > 10


def test_what_is_not_taken_is_no_failure(tool: Path, cases: Path) -> None:
    done = run(tool, cases, "fake_device", "--chunk", 7, "--only", "SOFTMAX")
    assert done.returncode == 0
    assert rows(done.stdout)["LOG_SOFTMAX"][:2] == (0, 0)
    assert "computes FLOAT32, not FLOAT64" in done.stdout
    done = run(tool, cases, "fake_device", "--only", "LOG_SOFTMAX", "--quiet")
    assert done.returncode == 1 and done.stdout.startswith("0 passed, 0 failed, ")


@pytest.mark.parametrize(
    ("device", "fault", "text"),
    [
        ("bad_device", "wrong", "expected"),
        ("bad_device", "shape", "dimensions"),
        ("bad_device", "abort", "died of Aborted when it ran (execute_program)"),
        ("bad_device", "exit", "the process ended with code 0 when it ran (execute_program)"),
        ("rude_device", "second", "second run: "),
        ("rude_device", "overwrites", "it wrote to its input 0"),
        ("rude_device", "nothing", "expected"),
        ("rude_device", "hangs", "no answer for 1 s when it compiled (create_program)"),
        ("rude_device", "crashes", "died of Segmentation fault when it compiled (create_program)"),
        ("rude_device", "asks", "died of Segmentation fault when it was asked (validate_program)"),
        ("rude_device", "releases", "when it released the program (destroy_program)"),
        ("rude_device", "garbles", "it wrote to a file that is not its own"),
    ],
)
def test_faults_are_found(
    tool: Path, cases: Path, devices: Path, device: str, fault: str, text: str
) -> None:
    # Each case that hangs takes a second.
    only = "RELU float32 [1]" if fault == "hangs" else "RELU float32"
    options = [
        "--properties",
        f"BAD={fault}",
        "--timeout",
        1 if fault == "hangs" else 10,
        "--only",
        only,
    ]
    done = run(tool, cases, device, "--path", devices, *options)
    assert done.returncode == 1
    wanted = [c.name for c in case.all_cases() if only in c.name]
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAIL RELU ")]
    names = [name for name in wanted if name.startswith("RELU ")]
    assert [line[5 : 5 + len(name)] for line, name in zip(failed, names, strict=True)] == names
    assert all(text in line for line in failed), done.stdout
    assert sum(map(sum, rows(done.stdout).values())) == len(wanted)


def test_a_device_that_cannot_be_asked_says_no_by_its_compiler(
    tool: Path, cases: Path, devices: Path
) -> None:
    flags = ["-I", str(INCLUDE), *LIBRARY, "-DMUTE"]
    compiled(HERE / "rude_device.cc", devices / "libmute_device.so", flags)
    done = run(tool, cases, "mute_device", "--path", devices, "--only", "RELU")
    assert done.returncode == 0, done.stdout
    found = rows(done.stdout)
    floats = [c for c in case.all_cases() if c.operation == "RELU" and c.dtype == "float32"]
    assert found["RELU"][:2] == (len(floats), 0) and found["RELU6"][:2] == (0, 0)
    assert "DEVICE_INTERNAL_ERROR" in done.stdout  # why RELU6 is not taken


@pytest.mark.parametrize("fault", ["opens", "closes"])
def test_what_belongs_to_no_case(tool: Path, cases: Path, devices: Path, fault: str) -> None:
    options = ["--path", devices, "--properties", f"BAD={fault}", "--only", "RELU float32"]
    done = run(tool, cases, "rude_device", *options)
    if fault == "opens":
        assert done.returncode == 2 and "when it was loaded (open_device" in done.stderr
    else:
        assert done.returncode == 0 and "when it was closed (destroy_context" in done.stderr


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["{cases}"], "a file of cases and the name of a device"),
        (["{cases}", "x", "--timeout"], "--timeout takes a value"),
        (["{cases}", "x", "--timeout", "0"], "from 1 to 1000000"),
        (["{cases}", "x", "--speed"], "unknown option --speed"),
        (["missing.bin", "x"], "missing.bin: No such file"),
        (["/tmp", "x"], "/tmp: Is a directory"),
        (["{cases}", "x", "--only", "no such"], "no case of 'no such'"),
        (["{cases}", "no_device"], "DEVICE_NOT_FOUND"),
    ],
)
def test_mistakes(tool: Path, cases: Path, words: list[str], text: str) -> None:
    done = run(tool, *(word.format(cases=cases) for word in words))
    assert done.returncode == 2 and text in done.stderr


def small(tmp_path: Path) -> bytes:
    file = tmp_path / "small.bin"
    assert cli.main(["device-test", "--export", str(file), "--only", "quant int8"]) == 0
    return file.read_bytes()


@pytest.mark.sanitized
def test_damaged_files_are_refused(tmp_path: Path) -> None:
    small(tmp_path)
    reader = [str(SOURCES / name) for name in ("case_file.cc", "elements.cc")]
    source = HERE / "fuzz_case_file.cc"
    fuzz = compiled(source, tmp_path / "fuzz", [*FLAGS, *SANITIZED, "-O1", *reader])
    rounds = 4000 if SANITIZED else 1000
    done = run(fuzz, tmp_path / "small.bin", rounds)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[0]) > rounds / 4


def test_damaged_cases_kill_nothing(tool: Path, tmp_path: Path) -> None:
    whole = small(tmp_path)
    generator, read = random.Random(5), 0
    for _ in range(30):
        body = bytearray(whole[16:])
        for _ in range(2):
            at = generator.randrange(4, len(body))
            body[at] = generator.choice([0, 1, 127, 128, 255, generator.randrange(256)])
        (tmp_path / "bad.bin").write_bytes(
            whole[:12] + struct.pack("<I", zlib.crc32(body)) + bytes(body)
        )
        done = run(tool, tmp_path / "bad.bin", "builtin_device", "--timeout", 60)
        assert done.returncode in (0, 1, 2), done.stderr
        assert " died " not in done.stdout + done.stderr, done.stdout
        read += done.returncode < 2
    assert read > 3


def test_a_damaged_file_is_named(tool: Path, tmp_path: Path) -> None:
    whole = small(tmp_path)
    for data, text in (
        (whole[:-1], "the sum of the file is wrong"),
        (b"", "not a file of cases"),
        (whole[:8] + b"\x02" + whole[9:], "cases of version 2"),
    ):
        (tmp_path / "bad.bin").write_bytes(data)
        done = run(tool, tmp_path / "bad.bin", "builtin_device")
        assert done.returncode == 2 and text in done.stderr
        assert str(tmp_path / "bad.bin") in done.stderr


def test_export_says_what_it_lacks(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.main(["device-test"]) == 1
    assert cli.main(["device-test", "--export", str(tmp_path / "c"), "--only", "no such"]) == 1
    assert cli.main(["device-test", "--export", str(tmp_path / "no/such/folder")]) == 1
    said = capsys.readouterr().err
    assert "takes the name of a device" in said and "'no such'" in said and "no/such" in said
