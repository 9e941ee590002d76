"""The parts of compare and bisect: numbers, children, reproductions, commands, control flow."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from api.compare import models

import lite
from lite.api.build import Source
from lite.api.compare import Settings, bisect, compare
from lite.api.compare.child import Runner
from lite.api.compare.difference import Limit, difference
from lite.api.compare.flat import Piece
from lite.api.compare.workbench import Verdict, Workbench
from lite.errors import ConfigError, DeviceError, LiteError
from lite.tools.cli import main

pytestmark = pytest.mark.long
DATA = Path(__file__).parents[2] / "model" / "data"
LOOP = Source(model_file=str(DATA / "loop.pdmodel"))


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as runner:
        yield runner


def _settings(model: str, fault: str = "", device: str = "fake_device", **more: object) -> Settings:
    properties = f"FAKE_DEVICE_FAULT={fault};" if fault else ""
    return Settings(
        (device,),
        [models.inputs(model)],
        properties=properties,
        **more,  # type: ignore[arg-type]
    )


def test_differences() -> None:
    wanted = np.array([1.0, -2.0, 4.0], np.float32)
    same = difference("y", wanted.copy(), wanted)
    assert (same.cosine, same.snr, same.largest) == (pytest.approx(1.0), math.inf, 0.0)
    assert not same.wrong(Limit())
    off = difference("y", wanted + np.float32(0.4), wanted)
    assert off.relative == pytest.approx(0.1) and off.largest == pytest.approx(0.4)
    assert off.snr == pytest.approx(10 * math.log10(21 / 0.48), rel=1e-4)
    assert "0.1 of its largest" in off.wrong(Limit(0.05)) and not off.wrong(Limit(0.2))
    assert not off.wrong(Limit(snr=16)) and "16.4 dB" in off.wrong(Limit(snr=17))
    broken = wanted.copy()
    broken[1] = np.nan
    assert difference("y", broken, wanted).nan == 1
    assert difference("y", broken, broken).nan == 0
    assert "shape [3, 1]" in difference("y", wanted[:, None], wanted).wrong(Limit())
    assert "type float64" in difference("y", wanted.astype(np.float64), wanted).wrong(Limit())
    assert math.isinf(difference("y", wanted, np.zeros_like(wanted)).relative)
    assert difference("y", wanted[:0], wanted[:0]).relative == 0


@pytest.mark.parametrize(
    "fault", ["second_run@average_pool", "cache@convolution/8", "hang@softmax"]
)
def test_a_reproduction_goes_wrong_by_itself(fault: str, runner: Runner, tmp_path: Path) -> None:
    path = models.written("residual", tmp_path)
    settings = _settings("residual", fault, time_limit=1.0 if "hang" in fault else 60.0)
    found = bisect(str(path), settings, folder=str(tmp_path / "found"), runner=runner)
    (first, *_) = found.culprits
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = [sys.executable, str(Path(first.folder, "reproduce.py"))]
    if "hang" in fault:
        with pytest.raises(subprocess.TimeoutExpired):
            subprocess.run(command, env=environment, timeout=3, capture_output=True)
        return
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 1 and " is off by " in done.stdout, done.stdout + done.stderr
    script = Path(first.folder, "reproduce.py")
    script.write_text(script.read_text().replace(settings.properties, ""))
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and " is off by " not in done.stdout, done.stdout + done.stderr
    config = (tmp_path / "found" / "partition.txt").read_text()
    assert config == found.config and config.startswith("# model: residual\n")


def test_operators_in_a_loop_are_found(runner: Runner) -> None:
    x = np.random.default_rng(5).standard_normal((2, 4)).astype(np.float32)
    settings = Settings(
        ("fake_device",), [{"x": x}], properties="FAKE_DEVICE_FAULT=numbers@fully_connected;"
    )
    found = bisect(LOOP, settings, runner=runner)
    assert [culprit.label for culprit in found.culprits] == ["matmul_v2#1/0"], found.table()
    assert found.verified and found.remaining == found.operators - 1
    shown = compare(LOOP, settings, runner=runner)
    assert [op.place.label for op in shown.wrong()] == ["while#4"], shown.table()


@pytest.mark.parametrize("reference", ["onnxruntime", "paddle"])
def test_other_references(reference: str, runner: Runner, tmp_path: Path) -> None:
    pytest.importorskip(reference)
    path = str(models.written("residual", tmp_path))
    shown = compare(path, _settings("residual", reference=reference), runner=runner)
    assert shown.ok and shown.reference == reference
    assert all(op.entire and op.entire.difference for op in shown.operators)


def test_quantised_models_are_judged_by_their_snr(runner: Runner) -> None:
    folder = DATA.parents[1] / "models" / "data" / "quantised" / "qat_convolutions_fake_channels"
    program = Source(str(folder)).read()
    (name,) = program.feed_names()
    shape = [1 if dim < 0 else dim for dim in program.root.vars[name].shape]
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    shown = compare(str(folder), Settings(("builtin_device",), [{name: x}]), runner=runner)
    assert shown.ok and shown.limit == Limit(snr=10.0), shown.table()
    assert shown.json() and len([op for op in shown.operators if op.single]) > 10


def test_prefixes_and_outputs_agree(runner: Runner, tmp_path: Path) -> None:
    path, settings = str(models.written("residual", tmp_path)), _settings("residual", "clip@add/8")
    by_outputs = compare(path, settings, runner=runner)
    by_prefixes = compare(path, settings, prefixes=True, runner=runner)
    assert (by_outputs.how, by_prefixes.how) == ("outputs", "prefixes")
    for a, b in zip(by_outputs.operators, by_prefixes.operators, strict=True):
        if b.entire is not None and a.entire is not None:
            assert bool(a.entire.wrong) == bool(b.entire.wrong), a.place.label


def test_the_first_wrong_prefix_is_found_by_bisection(runner: Runner, tmp_path: Path) -> None:
    path, settings = str(models.written("residual", tmp_path)), _settings("residual", "crash@add/8")
    found = compare(path, settings, runner=runner)
    every = compare(path, settings, prefixes=True, runner=runner)
    assert (found.how, every.how) == ("bisected prefixes", "prefixes")
    rows = [op for op in found.operators if op.on_device]
    tried = [op for op in rows if op.entire is not None]
    assert len(tried) <= 2 + math.log2(len(rows))
    (first, *_) = (op for op in tried if op.entire and op.entire.wrong)
    (expected, *_) = (op for op in every.operators if op.entire and op.entire.wrong)
    assert first.place.label == expected.place.label
    assert first.single is not None and first.single.status == "crash"


def test_what_is_wrong_in_the_model_is_tried_alone_first(
    runner: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, settings = str(models.written("residual", tmp_path)), _settings("residual", "clip@add/8")
    asked: list[list[str]] = []
    test_all = Workbench.test_all

    def noted(bench: Workbench, pieces: Sequence[Piece], **more: Any) -> Iterator[Verdict | None]:
        asked.extend(list(piece.fetches) for piece in pieces)
        return test_all(bench, pieces, **more)

    monkeypatch.setattr(Workbench, "test_all", noted)
    found = compare(path, replace(settings, at_most=1e-9), runner=runner)
    wrong = [op for op in found.operators if op.on_device and op.entire and op.entire.wrong]
    assert wrong
    for row, fetches in zip(wrong, asked, strict=False):
        assert fetches[: len(row.outputs)] == row.outputs
    assert all(op.single is None for op in found.operators)
    (note,) = found.notes
    assert re.match(r"(\d+) operators of \1: not run alone within 1e-09 s; --at_most", note)


def test_a_device_in_python_and_a_config(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "my_bad.py").write_text(
        "import lite.nnadapter as nna\n"
        "from lite.nnadapter.driver.python.device import NumpyHal\n"
        "@nna.register('my_bad')\n"
        "class Bad(NumpyHal):\n"
        "    def build(self, model):\n"
        "        if any(op.type == 'SOFTMAX' for op in model.operations):\n"
        "            raise RuntimeError('no softmax today')\n"
        "        super().build(model)\n"
    )
    path = str(models.written("residual", tmp_path))
    sys.path.insert(0, str(tmp_path))
    try:
        settings = _settings("residual", device="my_bad", modules=("my_bad",))
        with Runner() as fresh:  # a child that knows the folder
            found = bisect(path, settings, runner=fresh)
            assert [culprit.label for culprit in found.culprits] == ["softmax#12"]
            assert "no softmax today" in found.culprits[0].wrong and found.verified
            again = bisect(
                path,
                _settings("residual", device="my_bad", modules=("my_bad",), config=found.config),
                runner=fresh,
            )
        assert again.ok and again.compilations == 1
    finally:
        sys.path.remove(str(tmp_path))


def test_a_device_in_half_precision_that_loses_outputs(tmp_path: Path) -> None:
    """Judged by its SNR; results that it does not give together are asked for apart."""
    (tmp_path / "my_half.py").write_text(
        "import numpy as np, lite.nnadapter as nna\n"
        "from lite.nnadapter.driver.python.device import NumpyHal\n"
        "@nna.register('my_half')\n"
        "class Half(NumpyHal):\n"
        "    precision = 'fp16'\n"
        "    def build(self, model):\n"
        "        if len(model.outputs) > 3:\n"
        "            raise RuntimeError('too many outputs')\n"
        "        super().build(model)\n"
        "    def run(self, inputs):\n"
        "        return [a * np.float32(1.03) for a in super().run(inputs)]\n"
    )
    path = str(models.written("residual", tmp_path))
    sys.path.insert(0, str(tmp_path))
    try:
        settings = _settings("residual", device="my_half", modules=("my_half",))
        with Runner() as fresh:
            found = compare(path, settings, runner=fresh)
            exact = replace(settings, tolerance=1e-2, only="conv2d")
            strict = compare(path, exact, runner=fresh)
            with pytest.raises(ConfigError, match="no operator's name contains 'conv3d'"):
                compare(path, replace(settings, only="conv3d"), runner=fresh)
    finally:
        sys.path.remove(str(tmp_path))
    assert found.limit == Limit(snr=20.0) and found.how == "outputs"
    assert all(op.entire is not None for op in found.operators if op.on_device)
    assert not found.wrong() and not found.whole.wrong
    labels = [op.place.label for op in strict.operators]
    assert labels and all("conv2d" in label for label in labels)
    assert [op.place.label for op in strict.wrong()] == labels


def test_a_type_of_operators_that_is_wrong(runner: Runner, tmp_path: Path) -> None:
    path = str(models.written("widening", tmp_path))
    found = bisect(path, _settings("widening", "numbers@fully_connected"), runner=runner)
    assert [culprit.operators[0].type for culprit in found.culprits] == ["matmul_v2"] * 3
    assert found.verified and found.config.endswith("\nmatmul_v2\n"), found.table()
    assert found.remaining == found.operators - 24 and "every matmul_v2" in found.notes[0]


def test_a_device_that_takes_nothing(runner: Runner, tmp_path: Path) -> None:
    path = str(models.written("twins", tmp_path))
    settings = _settings("twins", config="@cpu type=*\n")
    shown, found = compare(path, settings, runner=runner), bisect(path, settings, runner=runner)
    assert shown.ok and found.ok and not any(op.single for op in shown.operators)
    for notes in (shown.notes, found.notes):
        assert notes == ["no operator of the model is on fake_device; lite partition says why"]


def test_refused_questions(runner: Runner, tmp_path: Path) -> None:
    path = str(models.written("twins", tmp_path))
    for wrong, said in (
        ({"inputs": []}, "no inputs"),
        ({"devices": ()}, "no device"),
        ({"reference": "torch"}, "torch"),
        ({"tolerance": 0.0}, "above 0"),
        ({"tolerance": 0.1, "snr": 3.0}, "both"),
    ):
        given = {"devices": ("fake_device",), "inputs": [models.inputs("twins")], **wrong}
        with pytest.raises(ConfigError, match=said):
            Settings(**given)
    with pytest.raises(KeyError, match="inputs are x"):
        compare(path, Settings(("fake_device",), [{"z": np.zeros(3)}]), runner=runner)
    with pytest.raises(LiteError, match="reference cpu fails"):
        compare(path, Settings(("fake_device",), [{"x": np.zeros(3)}]), runner=runner)
    with pytest.raises(DeviceError, match="nowhere_npu"):
        compare(path, _settings("twins", device="nowhere_npu"), runner=runner)
    predictor = lite.load(path, devices=["fake_device"])
    assert predictor is not None
    with pytest.raises(DeviceError, match="FAKE_DEVICE_FAULT"):
        compare(path, _settings("twins", "nonsense"), runner=runner)


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(models.written("residual", tmp_path))
    common = ["--device=fake_device", "--input=x:2x3x8x8", "--input=x:1x3x8x8"]
    fault = "--properties=FAKE_DEVICE_FAULT=nan@average_pool;"
    files = [f"--{kind}={tmp_path / f'report.{kind}'}" for kind in ("json", "html")]
    assert main(["compare", path, *common]) == 0
    assert "residual on fake_device against cpu: right within 0.01" in capsys.readouterr().out
    assert main(["compare", path, *common, fault, *files]) == 1
    out = capsys.readouterr().out
    assert "wrong alone: pool2d#6" in out and "inputs 2" in out and "WRONG ALONE: t6 has" in out
    report = json.loads((tmp_path / "report.json").read_text())
    (wrong,) = [op for op in report["operators"] if op["single"] and op["single"]["wrong"]]
    assert wrong["label"] == "pool2d#6" and wrong["single"]["difference"]["nan"] == 1
    page = (tmp_path / "report.html").read_text()
    assert "#d62728" in page and "wrong alone" in page
    output = tmp_path / "found"
    words = ["bisect", path, *common, fault, f"--output={output}"]
    assert main(words) == 1
    assert "pool2d:t5:t6" in capsys.readouterr().out
    assert "pool2d:t5:t6" in (output / "partition.txt").read_text()
    fine = [*words, f"--partition={output / 'partition.txt'}"]
    assert main(fine) == 0
    assert "residual on fake_device: right" in capsys.readouterr().out
    assert main(["bisect", path, *common, "--most=0"]) == 1
    assert "--most 0" in capsys.readouterr().err
