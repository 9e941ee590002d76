"""Documents through a pipeline of PaddleX, page by page: what fails takes no other page with it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from lite.api.serving_options import sentence
from lite.model.atomic import replacing

SUFFIXES = (".pdf", ".tif", ".tiff", ".bmp", ".jpeg", ".jpg", ".png", ".webp")
_SCALE = 2.0
"""Of 72 dots an inch, as PaddleX renders pages."""
_MOST_PIXELS = 178_956_970

Picture = np.ndarray[Any, Any]


@dataclass
class Page:
    """What became of a page; ``error`` says why there is nothing else."""

    number: int
    error: str | None = None
    result: Any = None
    markdown: dict[str, Any] = field(default_factory=dict)


class DocumentReader:
    """Reads documents by a pipeline of PaddleX and writes what they hold."""

    def __init__(self, pipeline: Any) -> None:
        self._pipeline = pipeline

    def pages(self, file: str | os.PathLike[str]) -> Iterator[Page]:
        """A document's pages in order. Raises where it cannot be opened at all."""
        with _opened(Path(file)) as pictures:
            for number, picture in enumerate(pictures, 1):
                try:
                    yield self._page(number, picture())
                except Exception as error:
                    yield Page(number, sentence(error))

    def _page(self, number: int, picture: Picture) -> Page:
        (found,) = self._pipeline.predict(picture)
        result = found.json["res"]
        markdown = getattr(found, "markdown", None)
        if markdown is None and "rec_texts" in result:  # lines of text are Markdown, too
            markdown = {"markdown_texts": "  \n".join(result["rec_texts"])}
        return Page(number, None, result, markdown or {})

    def write(self, file: str | os.PathLike[str], target: Path) -> None:
        """Writes TARGET.json, TARGET.md and TARGET.images/, the first one as the last of all.

        JSON holds each page's number, error and result, and the error of a document that cannot be
        opened; Markdown names its pictures by paths beside it.
        """
        pages: list[Page] = []
        pictures: dict[str, Any] = {}
        text, error = "", None
        images = _beside(target, ".images")
        try:
            pages = list(self.pages(file))
            text, pictures = self._markdown([p for p in pages if p.markdown], images.name)
        except Exception as failure:
            error = sentence(failure)
        shutil.rmtree(images, ignore_errors=True)
        for place, picture in pictures.items():
            Path(target.parent, place).parent.mkdir(parents=True, exist_ok=True)
            _image(picture).save(Path(target.parent, place))
        if text:
            write_whole(_beside(target, ".md"), text + "\n")
        rows = [{"page": p.number, "error": p.error, "result": p.result} for p in pages]
        write_whole(_beside(target, ".json"), json.dumps({"error": error, "pages": rows}, indent=1))

    def _markdown(self, pages: list[Page], folder: str) -> tuple[str, dict[str, Any]]:
        """All pages as one text, and its pictures by their places."""
        texts: list[dict[str, Any]] = []
        pictures: dict[str, Any] = {}
        for page in pages:
            text = page.markdown["markdown_texts"]
            for name, picture in page.markdown.get("markdown_images", {}).items():
                place = f"{folder}/{page.number}/{Path(name).name}"
                pictures[place] = picture
                text = text.replace(name, place)
            texts.append({**page.markdown, "markdown_texts": text})
        join = getattr(self._pipeline, "concatenate_markdown_pages", None)
        if join is None or not texts or "page_continuation_flags" not in texts[0]:
            return "\n\n".join(page["markdown_texts"] for page in texts), pictures
        whole = join(texts)
        return (whole if isinstance(whole, str) else whole["markdown_texts"]), pictures


def _beside(target: Path, suffix: str) -> Path:
    return target.with_name(target.name + suffix)


def write_whole(path: Path, text: str) -> None:
    """Writes a text file that is there whole or not at all."""
    with replacing(path) as file:
        file.write(text.encode())


def _image(picture: Any) -> Image.Image:
    return picture if isinstance(picture, Image.Image) else Image.fromarray(np.asarray(picture))


@contextmanager
def _opened(path: Path) -> Iterator[list[Callable[[], Picture]]]:
    """What renders each page, as [height, width, 3] in BGR."""
    if path.suffix.lower() == ".pdf":
        import pypdfium2

        with pypdfium2.PdfDocument(path) as document:
            document.init_forms()
            yield [_pdf_page(document, number) for number in range(len(document))]
        return
    with Image.open(path) as image:
        yield [_frame(image, number) for number in range(getattr(image, "n_frames", 1))]


def _pdf_page(document: Any, number: int) -> Callable[[], Picture]:
    def render() -> Picture:
        page = document[number]
        try:
            width, height = page.get_size()
            scale = min(_SCALE, (_MOST_PIXELS / max(width * height, 1.0)) ** 0.5)
            return np.array(page.render(scale=scale).to_numpy())
        finally:
            page.close()

    return render


def _frame(image: Image.Image, number: int) -> Callable[[], Picture]:
    def decode() -> Picture:
        image.seek(number)
        return np.ascontiguousarray(np.array(image.convert("RGB"))[:, :, ::-1])

    return decode
