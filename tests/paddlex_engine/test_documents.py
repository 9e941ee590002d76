"""`lite batch --pipeline`: folders of documents to JSON and Markdown."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from client_environments import client_env, run_client
from paddlex_environments import quiet
from pages import draw_page
from PIL import Image

HERE = Path(__file__).parent
DOCUMENTS, PAGES = 6, 9
pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def documents(scratch: Path) -> Path:
    """PDF files of one to three pages, pictures, and two files that are neither."""
    folder = scratch / "documents"
    (folder / "below").mkdir(parents=True)
    for number, (name, count) in enumerate((("a.pdf", 3), ("below/b.pdf", 2), ("c.PDF", 1))):
        pages = [Image.fromarray(draw_page(9 * number + k, 320, 200, 26)) for k in range(count)]
        pages[0].save(folder / name, "PDF", save_all=True, append_images=pages[1:])
    frames = [Image.fromarray(draw_page(50 + k, 320, 200, 26)) for k in range(2)]
    frames[0].save(folder / "d.tif", save_all=True, append_images=frames[1:])
    frames[1].save(folder / "below/e.png")
    (folder / "below/broken.pdf").write_bytes(b"%PDF-1.4 and nothing else")
    return folder


def batch(python: Path, file: Path, documents: Path, output: Path, scratch: Path) -> Any:
    words = ["batch", "--pipeline", file, "--input", documents, "--output", output, "--workers=2"]
    return subprocess.Popen(
        [python, "-m", "lite.tools.cli", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, cwd=python.parent, env=client_env(quiet(scratch)), start_new_session=True,
    )  # fmt: skip


def finish(job: Any) -> str:
    """What it prints; one document of them fails."""
    said, errors = job.communicate(timeout=600)
    assert job.returncode == 1, errors
    return str(said)


def test_what_the_pipeline_says(python: Path, file: Path, documents: Path, scratch: Path) -> None:
    output = scratch / "read"
    said = finish(batch(python, file, documents, output, scratch))
    assert f"{PAGES} pages in {DOCUMENTS} documents, 1 failed" in said
    assert "failed: below/broken.pdf: " in said
    printed = run_client(python, HERE / "pipelines.py", "read", file, documents, env=quiet(scratch))
    expected = json.loads(printed.splitlines()[-1])
    found = json.loads((output / "a.pdf.json").read_text())
    assert found["error"] is None
    assert [page["page"] for page in found["pages"]] == [1, 2, 3]
    for page, want in zip(found["pages"], expected, strict=True):
        for name in ("rec_texts", "rec_scores", "rec_polys"):
            assert page["result"][name] == want[name]
    text = (output / "a.pdf.md").read_text().split()
    assert text == [word for one in expected for line in one["rec_texts"] for word in line.split()]
    for name, count in (("below/b.pdf", 2), ("c.PDF", 1), ("d.tif", 2), ("below/e.png", 1)):
        assert len(json.loads((output / f"{name}.json").read_text())["pages"]) == count
    assert json.loads((output / "below/broken.pdf.json").read_text())["error"]
    assert not list(output.rglob(".*.tmp")) and not list(output.rglob(".*.tries"))


def test_goes_on_where_it_was(python: Path, file: Path, documents: Path, scratch: Path) -> None:
    output = scratch / "stopped"
    job = batch(python, file, documents, output, scratch)
    limit = time.monotonic() + 120
    while len(done := list(output.rglob("*.pdf.json"))) < 2:
        assert time.monotonic() < limit and job.poll() is None
        time.sleep(0.02)
    os.killpg(job.pid, signal.SIGKILL)
    job.communicate()
    before = {one: one.stat().st_mtime_ns for one in done}
    said, errors = batch(python, file, documents, output, scratch).communicate(timeout=600)
    assert f"of {DOCUMENTS} documents are there already" in said, errors
    assert all(one.stat().st_mtime_ns == time for one, time in before.items())
    assert len(list(output.rglob("*.json"))) == DOCUMENTS + 1  # and the job's own


def test_writing(python: Path, scratch: Path) -> None:
    """Markdown with pictures, pages that fail, documents that end their workers."""
    folder = scratch / "writing"
    folder.mkdir()
    run_client(python, HERE / "written_documents.py", folder)
