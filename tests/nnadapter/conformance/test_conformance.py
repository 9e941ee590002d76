"""lite device-test: it passes good devices and finds the faults of bad ones."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from nnadapter.compiling import INCLUDE, LIBRARY, compiled

from lite.errors import DeviceError
from lite.nnadapter.conformance import case, operations, run_suite, suite
from lite.nnadapter.conformance.crash import crash_of
from lite.nnadapter.conformance.suite import matrix, totals
from lite.nnadapter.types import OperationType
from lite.tools import cli

pytestmark = pytest.mark.long

SOURCE = Path(__file__).with_name("bad_device.cc")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    result = tmp_path_factory.mktemp("devices")
    compiled(SOURCE, result / "libbad_device.so", ["-I", str(INCLUDE), *LIBRARY])
    return result


@pytest.fixture(autouse=True)
def search_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NNADAPTER_DEVICE_PATH", str(folder))


def test_cases_cover_the_operations() -> None:
    assert operations.__path__
    every = list(case.all_cases())
    assert {c.operation for c in every} == {o.name for o in OperationType}
    assert len({c.name for c in every}) == len(every) > 1500


@pytest.mark.parametrize("name", ["builtin_device", "fake_device"])
def test_good_devices_pass(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "report.json"
    assert cli.main(["device-test", name, "--json", str(file)]) == 0
    report = json.loads(file.read_text())
    assert report["totals"]["fail"] == report["totals"]["not emitted"] == 0
    assert {"CONV_2D", "SOFTMAX", "MAT_MUL"} <= set(report["operations"])
    printed = capsys.readouterr().out
    assert "CONV_2D" in printed and printed.rstrip().endswith("unsupported")
    behaviour = {c["name"]: c["outcome"] for c in report["checks"] if c["section"] == "behaviour"}
    assert behaviour["caches"] == behaviour["dynamic_shapes"] == "pass"
    assert name == "builtin_device" or behaviour["splits"] == "pass"


@pytest.mark.parametrize(
    ("bad", "text"),
    [
        ("wrong", "expected"),
        ("shape", "dimensions"),
        ("abort", "SIGABRT"),
        ("exit", "ended with code 0"),
    ],
)
def test_faults_are_found_and_the_suite_goes_on(bad: str, text: str) -> None:
    results = run_suite("bad_device", properties=f"BAD={bad}", only="RELU float32")
    assert [r.name for r in results if r.operation == "RELU"] == [
        c.name for c in case.all_cases() if c.operation == "RELU" and c.dtype == "float32"
    ]
    failed = [r for r in results if r.operation == "RELU"]
    assert all(r.outcome == "fail" and text in r.text for r in failed), failed


@pytest.mark.parametrize("bad", ["wrong", "abort"])
def test_forms_that_no_model_of_paddle_gives_are_a_class_of_their_own(
    bad: str, capsys: pytest.CaptureFixture[str]
) -> None:
    outcomes = {}
    for only in ("ADD float32 [4] [2,3,4] 0", "ADD float32 [2,3,4] [2,3,4] 0"):
        (result,) = run_suite("bad_device", properties=f"BAD={bad}", only=only)
        assert result.text.endswith("(operands of two ranks)") == (result.outcome == "not emitted")
        outcomes[result.name] = result.outcome
        words = ["device-test", "bad_device", "--properties", f"BAD={bad}", "--only", only]
        assert cli.main(words) == 1
    assert list(outcomes.values()) == ["not emitted", "fail"]
    assert "not emitted for models of Paddle: ADD" in capsys.readouterr().out


def test_a_crash_in_a_template_is_an_address() -> None:
    begin = "nnadapter crash: execute_program of device npu"
    frame = "/opt/libnpu.so(_ZN3npu3RunILi" + "1ELi" * 99 + "1EEEvv+0x1f)"
    (found,) = crash_of([begin, frame, "nnadapter crash: end"]).stack
    assert found == "0x1f in libnpu.so"


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("foreign")
    source = Path(__file__).parents[1] / "drivers" / "foreign.cc"
    for name, flags in {"foreign": [], "foreign_g": ["-g"]}.items():
        compiled(source, folder / f"lib{name}.so", [f"-DDEVICE={name}", *flags, *LIBRARY])
    return folder


@pytest.mark.parametrize("callback", ["create_program", "execute_program", "create_context"])
@pytest.mark.parametrize("device", ["foreign", "foreign_g"])
def test_a_crash_names_its_callback_and_has_a_stack(
    foreign: Path, monkeypatch: pytest.MonkeyPatch, callback: str, device: str
) -> None:
    monkeypatch.setenv("NNADAPTER_DEVICE_PATH", str(foreign))
    wanted = {"properties": f"FOREIGN=segv_{callback}", "only": "RELU float32 [1,1,1,1,2]"}
    results = [r for r in run_suite(device, **wanted) if r.operation == "RELU"]
    assert results
    for result in results:
        assert result.outcome == "fail"
        assert f"SIGSEGV in {callback}: " in result.text
        assert f"lib{device}.so" in result.text
        if device == "foreign_g" and shutil.which("addr2line"):
            assert "MayCrash" in result.text and "foreign.cc:" in result.text


def test_a_hang_names_its_callback(foreign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NNADAPTER_DEVICE_PATH", str(foreign))
    monkeypatch.setattr(suite, "_TIMEOUT", 6.0)  # imports, too, on a busy machine
    results = run_suite(
        "foreign", properties="FOREIGN=hang_execute_program", only="RELU float32 [1,1,1,1,2]"
    )
    (result,) = (r for r in results if r.operation == "RELU")
    assert "no answer for 6 s in execute_program: " in result.text and "stack: " in result.text


def test_not_taken_is_no_failure(
    foreign: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """foreign has no validate_program, knows four operations and overwrites what it reads."""
    monkeypatch.setenv("NNADAPTER_DEVICE_PATH", str(foreign))
    assert cli.main(["device-test", "foreign", "--only", "EXP "]) == 1  # nothing passed
    assert " not taken, 0 unsupported" in capsys.readouterr().out
    results = run_suite("foreign", properties="FOREIGN=asymmetric", only="RELU float32")
    counts = totals(results)
    assert counts["fail"] == 0 and counts["not taken"] and counts["pass"], results
    assert "not taken" in matrix(results)


def test_a_changed_input_is_found() -> None:
    results = run_suite("bad_device", properties="BAD=change", only="repeats")
    assert totals(results)["fail"] == 1


def test_a_save_that_throws_costs_nothing() -> None:
    results = run_suite("bad_device", properties="BAD=save", only="damaged_caches")
    assert [result.outcome for result in results] == ["pass"], results


def test_a_correct_operation_passes_and_others_are_unsupported() -> None:
    results = run_suite("bad_device", only="RELU")
    assert totals(results)["fail"] == 0
    assert {r.outcome for r in results if r.operation == "RELU6"} == {"unsupported"}
    assert "RELU6" in matrix(results)


def test_a_missing_device_is_an_error() -> None:
    with pytest.raises(DeviceError, match="no_such_device"):
        run_suite("no_such_device")
    assert cli.main(["device-test", "no_such_device"]) == 1


def test_the_command_fails_with_its_device(folder: Path) -> None:
    arguments = ["device-test", "bad_device", "--path", str(folder), "--only", "RELU float32"]
    assert cli.main([*arguments, "--properties", "BAD=wrong"]) == 1
    assert cli.main([*arguments, "--quiet"]) == 0
