"""`python written_documents.py FOLDER`: what is written of documents, with a stand-in."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from PIL import Image

from lite.paddlex.documents import DocumentReader
from lite.tools.document_job import TRIES, Document, DocumentJob, DocumentWorker


class Layout:
    """Finds a figure on each page and fails on dark ones."""

    def predict(self, picture: np.ndarray) -> list[Any]:
        level = int(picture[0, 0, 0])
        if level < 50:
            raise RuntimeError("too dark")
        figure = Image.fromarray(picture[:4, :4])
        markdown = {
            "markdown_texts": f'page {level} <img src="imgs/figure.jpg">',
            "markdown_images": {"imgs/figure.jpg": figure},
            "page_continuation_flags": (True, True),
        }
        return [SimpleNamespace(json={"res": {"level": level}}, markdown=markdown)]

    def concatenate_markdown_pages(self, pages: list[Any]) -> Any:
        return {"markdown_texts": " / ".join(page["markdown_texts"] for page in pages)}


def main(folder: Path) -> None:
    """Fails where something is not as it should be."""
    frames = [Image.new("RGB", (8, 8), (level,) * 3) for level in (100, 10, 200)]
    source = folder / "scan.tif"
    frames[0].save(source, save_all=True, append_images=frames[1:])
    DocumentReader(Layout()).write(source, folder / "scan")
    found = json.loads((folder / "scan.json").read_text())
    assert [page["error"] for page in found["pages"]] == [None, "too dark", None], found
    assert [page["result"] for page in found["pages"]] == [{"level": 100}, None, {"level": 200}]
    first, second = (f"scan.images/{page}/figure.jpg" for page in (1, 3))
    said = (folder / "scan.md").read_text()
    assert said == f'page 100 <img src="{first}"> / page 200 <img src="{second}">\n', said
    assert abs(int(np.array(Image.open(folder / second))[0, 0, 0]) - 200) < 3

    worker = DocumentWorker.__new__(DocumentWorker)
    worker._job = DocumentJob("", str(folder), str(folder / "out"))
    worker._reader = DocumentReader(Layout())
    done = worker.run(Document(str(source), "scan.tif"))
    assert (done["rows"], done["failed"]) == (3, 1), done
    assert done["why"] == "scan.tif, page 2: too dark"
    (folder / "out/.deadly.pdf.json.tries").write_text("." * TRIES)
    done = worker.run(Document("deadly.pdf", "deadly.pdf"))
    assert (done["rows"], done["failed"]) == (0, 1), done
    assert "ended 3 times" in done["why"]


main(Path(sys.argv[1]))
