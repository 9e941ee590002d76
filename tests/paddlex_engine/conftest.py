"""Models as PaddleX reads them, for all files here."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from client_environments import declared, run_client

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from model_folders import make_folders  # noqa: E402
from paddlex_environments import environment, quiet, with_paddle  # noqa: E402


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("paddlex")


@pytest.fixture(scope="module")
def python() -> Path:
    """Of services and batches; no paddlepaddle is there."""
    return environment("3.7", "paddlex[serving]", *declared("ray"))


@pytest.fixture(scope="module")
def file(python: Path, folders: Path, scratch: Path) -> Path:
    """The OCR pipeline's YAML with local models."""
    target = scratch / "OCR.yaml"
    words = (HERE / "pipelines.py", "yaml", folders, "OCR", target)
    run_client(python, *words, env=quiet(scratch))
    return target


@pytest.fixture(scope="module")
def folders(scratch: Path) -> Path:
    """Model folders as PaddleX reads them."""
    models = os.environ.get("LITE_TEST_MODELS")
    if not models:
        pytest.skip("LITE_TEST_MODELS is not set; run tests/fetch_models.py")
    target = scratch / "models"
    make_folders(Path(models), target)
    run_client(with_paddle(), HERE / "export_detector.py", target)
    return target
