"""`lite batch --pipeline`: folders of documents, each a part of its own, on Ray."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from lite.errors import ConfigError
from lite.paddlex.documents import SUFFIXES, DocumentReader, write_whole
from lite.paddlex.pipeline import create
from lite.ray.job import Work, files_of

TRIES = 3
"""A document whose workers ended so often is reported as one that cannot be read."""


@dataclass(frozen=True)
class Document:
    """A file, and its place below the input's folder."""

    file: str
    name: str

    def target(self, folder: str | os.PathLike[str]) -> Path:
        """Where its results stand, without a suffix."""
        return Path(folder, self.name)

    def output(self, folder: str | os.PathLike[str]) -> Path:
        """What is written last."""
        return Path(folder, f"{self.name}.json")


@dataclass(frozen=True)
class DocumentJob(Work):
    """What is read by which pipeline: PaddleX's name of it, or the absolute path of its YAML."""

    pipeline: str
    source: str
    output: str
    threads: int = 1
    kind: ClassVar[str] = "documents"
    rows: ClassVar[str] = "pages"

    def parts(self) -> list[Document]:
        """All documents, by their names."""
        if not os.path.exists(self.source):
            raise FileNotFoundError(f"there is no {self.source}")
        top = self.source if os.path.isdir(self.source) else os.path.dirname(self.source)
        files = files_of(self.source, SUFFIXES)
        if not files:
            raise ConfigError(f"{self.source} holds no documents ({', '.join(SUFFIXES)})")
        return [Document(file, os.path.relpath(file, top)) for file in files]

    def state(self) -> dict[str, Any]:
        """The pipeline."""
        yaml = Path(self.pipeline)
        content = hashlib.sha256(yaml.read_bytes()).hexdigest()[:16] if yaml.is_file() else ""
        return {"pipeline": self.pipeline, "content": content}

    def leftovers(self) -> Iterator[Path]:
        """Files that were not completed, and counts of tries."""
        for suffix in ("tmp", "tries"):
            yield from Path(self.output).rglob(f".*.{suffix}")


class DocumentWorker:
    """What runs in an actor: one pipeline, document after document."""

    def __init__(self, job: DocumentJob) -> None:
        self._job = job
        self._reader = DocumentReader(create(job.pipeline, job.threads)[0])

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, list[Any]]:
        """Reads documents; what was done, for the progress."""
        done = [self.run(Document(**json.loads(str(text)))) for text in batch["part"]]
        return {name: [one[name] for one in done] for name in done[0]}

    def run(self, document: Document) -> dict[str, Any]:
        """Reads one, unless its results are there already: a worker may die after the last."""
        started = time.perf_counter()
        output = document.output(self._job.output)
        if not output.exists():
            output.parent.mkdir(parents=True, exist_ok=True)
            tries = output.with_name(f".{output.name}.tries")
            with open(tries, "a+", encoding="utf-8") as file:
                file.write(".")
            if tries.stat().st_size > TRIES:
                said = {"error": f"its worker ended {TRIES} times", "pages": []}
                write_whole(output, json.dumps(said))
            else:
                self._reader.write(document.file, document.target(self._job.output))
            tries.unlink()
        said = json.loads(output.read_text(encoding="utf-8"))
        failed = {f", page {p['page']}": p["error"] for p in said["pages"]} | {"": said["error"]}
        why = [f"{document.name}{place}: {error}" for place, error in failed.items() if error]
        return {
            "part": document.name,
            "rows": len(said["pages"]),
            "failed": len(why),
            "why": "\n".join(why),
            "seconds": time.perf_counter() - started,
        }
