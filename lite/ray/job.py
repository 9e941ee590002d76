"""`lite batch`: a job as parts; each becomes one file, which is there whole or not at all."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import platform
import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol

from lite.errors import ConfigError
from lite.ray.images import ImageOptions

SUFFIXES = (".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp")
MANIFEST = "job.json"
LOCK = ".job.lock"


@dataclass(frozen=True)
class Part:
    """Images, or row groups of one parquet file: what one output file is made from."""

    number: int
    files: tuple[str, ...]
    row_groups: tuple[int, ...] = ()

    @staticmethod
    def of(text: str) -> Part:
        """From JSON, as dataclasses.asdict says it."""
        said = json.loads(text)
        return Part(said["number"], tuple(said["files"]), tuple(said["row_groups"]))

    def output(self, folder: str | os.PathLike[str]) -> Path:
        """The file with the part's results."""
        return Path(folder, f"part-{self.number:06}.parquet")


class AnyPart(Protocol):
    """What one file is made from; a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def output(self, folder: str | os.PathLike[str]) -> Path:
        """The file with the part's results."""
        ...


class Work(ABC):
    """Parts, each of which becomes a file in the folder ``output``."""

    output: str
    threads: int
    kind: ClassVar[str] = "parts"
    rows: ClassVar[str] = "rows"
    """What parts and what they hold are called."""

    @abstractmethod
    def parts(self) -> Sequence[AnyPart]:
        """All parts in order. Raises ConfigError where there is nothing to do."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """What decides the results beside the parts; threads do not."""

    @abstractmethod
    def leftovers(self) -> Iterator[Path]:
        """What workers leave that are killed."""

    def pending(self) -> list[AnyPart]:
        """The parts without results; begins the job, or checks that it is the one begun here.

        For who is ``alone()``. Raises ConfigError where the folder holds another job's results.
        """
        parts = self.parts()
        folder = Path(self.output)
        folder.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256(repr([asdict(part) for part in parts]).encode())
        state = {"parts": len(parts), "digest": digest.hexdigest()[:16]} | self.state()
        said = json.dumps(state, indent=2) + "\n"
        manifest = folder / MANIFEST
        if manifest.exists() and manifest.read_text() != said:
            raise ConfigError(
                f"{folder} holds results of another job (other input, model or options, see "
                f"{manifest}): give another --output or empty it"
            )
        self.tidy()
        manifest.write_text(said)
        return [part for part in parts if not part.output(folder).exists()]

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Keeps other processes from working on the output folder, on this machine or, where its
        file system says so to all, on others. The lock goes with the process, however it ends.

        Raises ConfigError where another one is at work there; it names that.
        """
        folder = Path(self.output)
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / LOCK, "a+", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                raise ConfigError(
                    f"another job writes to {folder}: {file.read().strip() or 'just started'}; "
                    "wait for its end, or give another --output"
                ) from None
            except OSError as error:  # file systems without locks
                warnings.warn(
                    f"{folder} cannot be locked ({error}): start no second job on it", stacklevel=3
                )
            file.truncate(0)
            file.write(f"process {os.getpid()} on {platform.node()}, since {time.ctime()}\n")
            file.flush()
            yield

    def tidy(self) -> None:
        """Removes what workers left that were killed: for when none is at work."""
        for left in self.leftovers():
            left.unlink(missing_ok=True)


@dataclass(frozen=True)
class Job(Work):
    """What is run over what, and how. ``columns`` maps inputs to columns of other names."""

    model: str
    source: str
    output: str
    threads: int = 1
    batch_rows: int = 32
    part_rows: int = 1000
    devices: tuple[str, ...] = ()
    columns: dict[str, str] = field(default_factory=dict)
    images: ImageOptions = field(default_factory=ImageOptions)

    def parts(self) -> list[Part]:
        """All parts in order. Raises ConfigError where there is nothing to do."""
        if not os.path.exists(self.source):
            raise FileNotFoundError(f"there is no {self.source}")
        parquet = files_of(self.source, (".parquet",))
        found = list(self._of_parquet(parquet)) if parquet else list(self._of_images())
        if not found:
            raise ConfigError(
                f"{self.source} holds neither parquet files nor images ({', '.join(SUFFIXES)})"
            )
        return found

    def leftovers(self) -> Iterator[Path]:
        """Parts that were not completed."""
        yield from Path(self.output).glob(".part-*.tmp")

    def state(self) -> dict[str, Any]:
        """The model's files and how rows become inputs."""
        model = [f"{path} {os.stat(path).st_size}" for path in files_of(self.model, ())]
        return {"model": model, "columns": self.columns, "images": asdict(self.images)}

    def _of_images(self) -> Iterator[Part]:
        files = files_of(self.source, SUFFIXES)
        for number, start in enumerate(range(0, len(files), self.part_rows)):
            yield Part(number, tuple(files[start : start + self.part_rows]))

    def _of_parquet(self, files: Sequence[str]) -> Iterator[Part]:
        import pyarrow.parquet as pq

        number = 0
        for file in files:
            metadata = pq.ParquetFile(file).metadata
            groups: list[int] = []
            rows = 0
            for group in range(metadata.num_row_groups):
                groups.append(group)
                rows += metadata.row_group(group).num_rows
                if rows >= self.part_rows or group + 1 == metadata.num_row_groups:
                    yield Part(number, (file,), tuple(groups))
                    number, groups, rows = number + 1, [], 0


def files_of(path: str, suffixes: Sequence[str]) -> list[str]:
    """The files of these suffixes (any, where none is named) at or below a path, sorted."""
    whole = os.path.abspath(path)
    found = [whole] if os.path.isfile(whole) else [
        os.path.join(folder, name) for folder, _, names in os.walk(whole) for name in names
    ]  # fmt: skip
    return sorted(
        file
        for file in found
        if (not suffixes or file.lower().endswith(tuple(suffixes)))
        and not os.path.basename(file).startswith(".")
    )
