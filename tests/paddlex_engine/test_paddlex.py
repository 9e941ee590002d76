"""Engine ``lite`` by its real clients: every version of PaddleX that is supported.

Needs LITE_TEST_CLIENTS (see client_environments) and the real models (LITE_TEST_MODELS).
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from client_environments import client_env, run_client
from paddlex_environments import VERSIONS, environment, quiet, with_paddle
from pages import write_pages
from PIL import Image

from lite.model.load import load_program
from lite.model.onnx import write_onnx

HERE = Path(__file__).parent

pytestmark = pytest.mark.models


def ask(python: Path, scratch: Path, *words: str | Path) -> Any:
    """The JSON that client.py prints last."""
    env = quiet(scratch)
    printed = run_client(python, HERE / "client.py", *words, env=env, timeout=1800)
    return json.loads(printed.strip().splitlines()[-1])


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("order", ["before", "after"])
def test_registers_in_any_order(version: str, order: str, scratch: Path) -> None:
    python = environment(version)
    found = ask(python, scratch, "register", order)
    assert "lite" in found["engines"]
    assert found["paddleocr"].count("lite") == 1
    assert found["paddle_static"] - found["lite"] <= 1  # one has CUDA operators of its own
    assert found["lite"] > 250
    assert found["config"] == {"threads": 2}
    assert found["heavy"] == []


def test_nothing_is_registered_unasked(scratch: Path) -> None:
    found = ask(environment("3.7"), scratch, "register", "never")
    assert "lite" not in found["engines"]
    assert "lite" not in found["paddleocr"]
    assert found["lite"] == 0


@pytest.fixture(scope="module")
def pages(scratch: Path) -> Path:
    return write_pages(scratch / "pages", 2)


@pytest.fixture(scope="module")
def expected(scratch: Path, folders: Path, pages: Path) -> Any:
    return ask(with_paddle(), scratch, "answers", "paddle_static", folders, pages)


@pytest.mark.parametrize("version", VERSIONS)
def test_answers_as_paddle_does(
    version: str, scratch: Path, folders: Path, pages: Path, expected: Any
) -> None:
    same_answers(ask(environment(version), scratch, "answers", "lite", folders, pages), expected)


def same_answers(found: Any, expected: Any) -> None:
    for models in ("v5", "v4"):
        assert len(found[models]) == 2
        for ours, theirs in zip(found[models], expected[models], strict=True):
            assert len(theirs["texts"]) >= 5
            assert ours["texts"] == theirs["texts"]
            assert ours["angles"] == theirs["angles"]
            np.testing.assert_allclose(ours["scores"], theirs["scores"], atol=1e-3)
            np.testing.assert_allclose(ours["boxes"], theirs["boxes"], atol=1)
    np.testing.assert_allclose(found["classifier"], expected["classifier"], atol=1e-4)
    assert len({tuple(one) for one in expected["classifier"]}) > 1
    for ours, theirs in zip(found["detector"], expected["detector"], strict=True):
        assert len(theirs) > 1
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4)


def test_onnx_models_through_its_engine_for_onnxruntime(
    scratch: Path, folders: Path, pages: Path, expected: Any
) -> None:
    """Where ONNX Runtime is not installed, and one import stands in for it."""
    exported = scratch / "onnx"
    for folder in folders.iterdir():
        target = exported / folder.name
        target.mkdir(parents=True)
        shutil.copy(folder / "inference.yml", target)
        write_onnx(load_program(folder), target / "inference.onnx")
    python = environment("3.7")
    same_answers(ask(python, scratch, "answers", "onnxruntime", exported, pages), expected)


def test_many_threads_share_one_pipeline(scratch: Path, folders: Path) -> None:
    small = write_pages(scratch / "small", 40, small=True)
    found = ask(environment("3.7"), scratch, "soak", folders, small, "1000")
    assert found["wrong"] == []
    memory = found["memory"]
    assert len(memory) == 20
    assert max(memory[-5:]) < 1.1 * max(memory[5:10])  # MB


def test_wrong_configurations_are_told(scratch: Path, folders: Path) -> None:
    said = ask(environment("3.7"), scratch, "refused", folders)
    kinds = [text.split(":")[0] for text in said]
    assert kinds == ["ValueError"] * 4 + ["DeviceError"]
    parts = ("threads", "threads", "cpu_threads", "fp32", "no_such_device")
    assert all(part in text for text, part in zip(said, parts, strict=True))


def test_command_line(scratch: Path, folders: Path, pages: Path) -> None:
    image = scratch / "page.png"
    Image.fromarray(np.load(pages / "00.npy")).save(image)
    words = []
    for kind in ("detection", "recognition"):
        name = f"PP-OCRv5_mobile_{kind[:3]}"
        words += [f"--text_{kind}_model_name={name}", f"--text_{kind}_model_dir={folders / name}"]
    for what in ("doc_orientation_classify", "doc_unwarping", "textline_orientation"):
        words.append(f"--use_{what}=False")
    start = [environment("3.7"), "-m", "lite.paddlex", "paddleocr", "ocr", "-i", image]
    done = subprocess.run(
        [*start, *words, "--engine", "lite"],
        env=client_env(quiet(scratch)),
        cwd=scratch,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "rec_texts" in done.stdout + done.stderr
    assert "'lite')" in done.stdout + done.stderr  # "Creating model: (name, folder, engine)"
