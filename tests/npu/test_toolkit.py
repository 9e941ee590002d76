"""Devices over a toolkit in a process of its own: one that refuses, dies, hangs and babbles."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from npu.test_compiled import chain

import lite
import lite.nnadapter as nna
from lite.api.devices import DeviceOptions
from lite.errors import DeviceError
from lite.nnadapter import capi
from lite.nnadapter.driver.compiled import Limits, Toolkit, ToolkitHal, hal, toolkit_hal
from lite.nnadapter.model import Model
from lite.tools.cli import main

DEVICE = "fake_npu"
X = np.float32([[1, -2, 3], [-4, 5, -6]])


class Fake(ToolkitHal):
    """Over fake_tool.py, in this interpreter."""

    toolkit = Toolkit(DEVICE, "numpy", (), (), Path(__file__).with_name("fake_tool.py"))
    limits = Limits(frozenset({"float32"}))
    seconds = 1
    chip: ClassVar[str] = "x1"

    def arguments(self) -> dict[str, str]:
        return {"chip": self.chip}


@pytest.fixture(autouse=True)
def device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("FAKE_NPU_PYTHON", sys.executable)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    nna.register(DEVICE, Fake)
    hal._answers.clear()
    yield
    nna.unregister(DEVICE)
    for worker in toolkit_hal._workers.values():
        worker.stop()


def answers(model: capi.Model) -> tuple[list[bool], list[str | None]]:
    context = capi.Context([DEVICE])
    return [bool(one) for one in model.supported(context)], model.refusals(context)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("COS", "cannot parse Cos"),
        ("SIN", "it died of SIGABRT; its last words: compiling ...\nAssertion failed"),
        ("LOG", "it was silent for 1 s; its last words: compiling ..."),
        ("FLOOR", "what it answered is no message; its last words: compiling ..."),
    ],
)
def test_what_ends_the_toolkit_is_refused(bad: str, said: str) -> None:
    """Alone, with a reason; the rest is asked in a new process."""
    taken, reasons = answers(chain("RELU", bad, "ABS"))
    assert taken == [True, False, True]
    assert reasons[1] == f"{Fake.graph.library} refuses it: {said}"
    assert answers(chain("ABS"))[0] == [True]


def test_programs_run() -> None:
    model = chain("RELU", "ABS")
    for _ in range(2):
        np.testing.assert_array_equal(capi.run(model, [DEVICE], [X])[0], np.maximum(X, 0))


def test_a_run_that_ends_the_toolkit_is_an_error_and_the_next_builds_again() -> None:
    program = _program("ABS")
    for _ in range(2):
        np.testing.assert_array_equal(program.run([X])[0], np.abs(X))
        with pytest.raises(DeviceError, match="numpy: it died of SIGSEGV"):
            program.run([np.where(X == 1, np.float32(13), X)])


def _program(*kinds: str) -> capi.Execution:
    context = capi.Context([DEVICE])
    return capi.Execution(capi.Compilation(chain(*kinds), context).finish())


def test_an_output_of_another_shape_is_an_error() -> None:
    with pytest.raises(DeviceError, match=r"shape|dimensions"):
        capi.run(chain("ABS"), [DEVICE], [np.where(X == 1, np.float32(14), X)])


def test_programs_that_nobody_uses_are_released() -> None:
    first = _made()
    assert b"x1 1\n" in first.save()
    second = _made()
    assert b"x1 2\n" in second.save()
    del first
    gc.collect()
    assert b"x1 2\n" in _made().save()


def _made() -> Fake:
    made = Fake()
    made.build(_relu())
    return made


def _relu() -> Any:
    kept: list[Any] = []

    class Keeping(Fake):
        def build(self, model: nna.Model) -> None:
            kept.append(model)
            super().build(model)

    nna.register(DEVICE, Keeping)
    capi.run(chain("RELU"), [DEVICE], [X])
    nna.register(DEVICE, Fake)
    return kept[0]


def test_what_is_saved_is_built_again_for_the_same_chip(monkeypatch: pytest.MonkeyPatch) -> None:
    saved = _made().save()
    restored = Fake()
    restored.load(saved)
    np.testing.assert_array_equal(restored.run([X])[0], np.maximum(X, 0))
    with pytest.raises(DeviceError, match="ends too early"):
        Fake().load(saved[: len(Fake().version()) + 60])
    monkeypatch.setattr(Fake, "chip", "x2")
    with pytest.raises(DeviceError, match=r"compiled with numpy .* chip x1, this is .* chip x2"):
        Fake().load(saved)


def test_answers_that_took_long_are_in_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(hal, "_QUICK", 0.0)
    model = chain("RELU", "COS")
    taken = answers(model)
    files = [
        path for path in (tmp_path / "cache" / "paddle-lite-predictor").rglob("*") if path.is_file()
    ]
    assert len(files) == 3  # the pair, and each alone
    asked: list[bytes] = []
    monkeypatch.setattr(Fake, "left", lambda self, model: asked.append(model) or {})
    hal._answers.clear()
    assert answers(model) == taken and not asked
    hal._answers.clear()
    newer = tmp_path / "newer.py"
    newer.write_text(Fake.toolkit.tool.read_text() + "# knows a way around\n")
    monkeypatch.setattr(Fake, "toolkit", replace(Fake.toolkit, tool=newer))
    assert answers(model) == ([True, True], ["", ""]) and len(asked) == 1
    hal._answers.clear()
    for path in files:
        path.write_text("[1]")
    monkeypatch.undo()
    monkeypatch.setenv("FAKE_NPU_PYTHON", sys.executable)
    assert answers(model) == taken


def test_a_user_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless(cls: type[Path]) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", classmethod(homeless))
    assert answers(chain("RELU", "COS"))[0] == [True, False]


SCRIPT = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
import numpy as np
import lite.nnadapter as nna
from lite.nnadapter import capi
from npu.test_toolkit import DEVICE, Fake, X, _program
nna.register(DEVICE, Fake)
program = _program("ABS")
program.run([X])
{}
"""


def _script(body: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SCRIPT.format(body), str(Path(__file__).parents[1])]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_no_process_outlives_ours() -> None:
    body = """
from lite.nnadapter.driver.compiled.toolkit_hal import _workers
print([worker._process.pid for worker in _workers.values()][0], flush=True)
time.sleep(60)
"""
    with _script(body) as process:
        assert process.stdout is not None
        over = int(process.stdout.readline())
        children = Path(f"/proc/{over}/task/{over}/children").read_text().split()
        assert len(children) == 1
        process.send_signal(signal.SIGKILL)
    pids = [over, *map(int, children)]
    deadline = time.monotonic() + 20
    while any(_runs(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(_runs(pid) for pid in pids)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_forked_child_has_a_process_of_its_own() -> None:
    body = """
pid = os.fork()
if pid == 0:
    np.testing.assert_array_equal(program.run([X])[0], np.abs(X))
    os._exit(0)
assert os.waitpid(pid, 0)[1] == 0
np.testing.assert_array_equal(program.run([X])[0], np.abs(X))
print("both")
"""
    with _script(body) as process:
        assert process.communicate(timeout=60)[0].strip() == "both"


def test_without_the_toolkit_the_command_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("FAKE_NPU_PYTHON")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with pytest.raises(DeviceError, match="here is no numpy; run lite device setup fake_npu"):
        capi.Context([DEVICE])
    with pytest.raises(DeviceError, match=r"/none/python has no numpy"):
        capi.Context([DEVICE], properties="FAKE_NPU_PYTHON=/none/python")


@pytest.mark.long
def test_set_up_makes_an_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = tmp_path / "npu_kit-1.5-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        info = "npu_kit-1.5.dist-info"
        file.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: npu-kit\nVersion: 1.5\n")
        file.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        file.writestr(f"{info}/RECORD", "")
    minor = sys.version_info[1]
    kit = replace(
        Fake.toolkit, package="npu-kit", requirements=("--no-index", str(wheel)), minors=(minor,)
    )
    monkeypatch.setattr(Fake, "toolkit", kit)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert main(["device", "setup", DEVICE]) == 0
    assert "npu-kit 1.5 is there" in capsys.readouterr().out
    assert kit.version(kit.python()) == "npu-kit 1.5"
    monkeypatch.setattr(Fake, "toolkit", replace(kit, requirements=("--no-index", "npu-none")))
    assert main(["device", "setup", DEVICE]) == 1
    assert "No matching distribution found for npu-none" in capsys.readouterr().err
    assert not os.path.exists(kit.folder)
    assert main(["device", "setup", "python"]) == 1
    assert "has no toolkit of its own" in capsys.readouterr().err


class Picky(Fake):
    """Refuses a batch of three."""

    def build(self, model: Model) -> None:
        if model.inputs[0].shape[0] == 3:
            raise DeviceError("three are too many")
        super().build(model)


def test_each_of_several_declared_shapes_is_compiled() -> None:
    """A device that knows no open sizes compiles each shape when it is met; one that it refuses
    does not take the others with it."""
    nna.register(DEVICE, Picky)
    model = Path(__file__).parents[1] / "model" / "data" / "conv.pdmodel"
    given = {"x": [[batch, 3, 8, 8] for batch in (1, 2, 3)]}
    predictor = lite.load(model, devices=DeviceOptions((DEVICE,), dynamic_shapes=given))
    for batch in (3, 1, 2, 3, 1):
        predictor.run([np.ones((batch, 3, 8, 8), np.float32)])
        info = predictor.placement().subgraphs[0]
        assert info.devices == (["builtin_device"] if batch == 3 else [DEVICE])
        assert ("three are too many" in info.fallback) == (batch == 3)
