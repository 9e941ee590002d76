"""Opening pictures of any kind, and writing the result."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from examples.ocr import draw, fonts
from examples.ocr.detect import Box
from examples.ocr.errors import DemoError
from examples.ocr.recognize import Reading


@pytest.mark.parametrize(
    ("mode", "suffix"),
    [("1", "png"), ("L", "png"), ("LA", "png"), ("P", "gif"), ("P", "png"), ("RGB", "jpg"),
     ("RGBA", "png"), ("CMYK", "jpg"), ("I;16", "png"), ("I", "tif"), ("F", "tif"),
     ("RGB", "webp"), ("YCbCr", "jpg"), ("LAB", "tif")],
)  # fmt: skip
def test_every_mode_opens_as_rgb(mode: str, suffix: str, tmp_path: Path) -> None:
    gray = Image.fromarray(np.tile(np.r_[np.zeros(32), np.full(32, 255)].astype(np.uint8), (48, 1)))
    if mode == "LAB":
        picture = Image.merge(
            "LAB", (gray, Image.new("L", gray.size, 128), Image.new("L", gray.size, 128))
        )
    elif mode in ("I;16", "I", "F"):
        values = np.asarray(gray).astype({"I;16": "uint16", "I": "int32", "F": "float32"}[mode])
        picture = Image.fromarray(values * 200)
    else:
        picture = gray.convert("RGB").convert(mode)
    picture.save(tmp_path / f"p.{suffix}")
    opened = draw.open_picture(tmp_path / f"p.{suffix}")
    assert opened.mode == "RGB" and opened.size == (64, 48)
    pixels = np.asarray(opened).astype(int)
    assert pixels[:, 4:28].max() < 24 and pixels[:, 36:60].min() > 231


def test_transparent_is_white(tmp_path: Path) -> None:
    Image.new("RGBA", (8, 8), (0, 0, 0, 0)).save(tmp_path / "p.png")
    assert np.asarray(draw.open_picture(tmp_path / "p.png")).min() == 255


def test_exif_orientation(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 90 degrees clockwise to show
    stored = Image.fromarray(np.repeat(np.arange(0, 256, 4, dtype=np.uint8)[None], 32, axis=0))
    stored.convert("RGB").save(tmp_path / "p.jpg", exif=exif)
    shown = np.asarray(draw.open_picture(tmp_path / "p.jpg")).astype(int)
    assert shown.shape == (64, 32, 3)
    assert shown[2, 16, 0] < 30 and shown[61, 16, 0] > 220


def test_large_pictures_are_scaled_down(tmp_path: Path) -> None:
    Image.new("L", (9000, 100), 200).save(tmp_path / "p.png")
    assert draw.open_picture(tmp_path / "p.png").size == (4000, 44)


@pytest.mark.parametrize("kind", ["absent", "folder", "empty", "text", "cut", "bomb"])
def test_unreadable_pictures(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "picture.png"
    if kind == "folder":
        path.mkdir()
    elif kind in ("empty", "text"):
        path.write_text("" if kind == "empty" else "not a picture")
    elif kind != "absent":
        noise = np.random.default_rng(0).integers(0, 256, (64, 64, 3)).astype(np.uint8)
        Image.fromarray(noise).save(path)
        if kind == "cut":
            path.write_bytes(path.read_bytes()[:2000])
        else:
            monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1000)
    with pytest.raises(DemoError, match=r"picture\.png cannot be read"):
        draw.open_picture(path)


def test_result_shows_boxes_and_text() -> None:
    picture = Image.new("RGB", (200, 100), "black")
    box = Box(np.array([[20.0, 30], [180, 30], [180, 60], [20, 60]]), 1.0)
    wide = np.asarray(draw.result(picture, [box], [Reading("Text 中", 0.9)], fonts.LATIN)).astype(
        int
    )
    assert wide.shape == (100, 400, 3)
    assert (wide[30, 25:175] == (224, 72, 62)).all()  # the box
    right = wide[:, 202:]
    rows, columns = np.nonzero(right.sum(axis=2) < 300)
    assert rows.min() > 30 and rows.max() < 60 and columns.min() >= 17  # the text beside it


def test_standing_text_is_not_clipped() -> None:
    picture = Image.new("RGB", (120, 400), "black")
    box = Box(np.array([[90.0, 20], [118, 20], [118, 380], [90, 380]]), 1.0)
    reading = Reading("Standing text 123", 0.9)
    wide = np.asarray(draw.result(picture, [box], [reading], fonts.LATIN)).astype(int)
    rows, columns = np.nonzero(wide[:, 124:].sum(axis=2) < 300)
    assert rows.max() - rows.min() > 120 and columns.max() - columns.min() < 40
    assert columns.max() < 118 and rows.max() < 398


def test_text_at_the_right_edge_moves_in() -> None:
    picture = Image.new("RGB", (200, 60), "black")
    box = Box(np.array([[120.0, 10], [198, 10], [198, 40], [120, 40]]), 1.0)
    wide = draw.result(picture, [box], [Reading("Edge", 0.9)], fonts.LATIN)
    green = np.asarray(wide).astype(int)[:, 202:]
    notes = np.nonzero((green[..., 1] - green[..., 0] > 40).any(axis=0))[0]
    assert notes.max() < 197 and notes.max() - notes.min() > 15  # the whole confidence


def test_latin_font_marks_what_it_lacks() -> None:
    assert fonts.LATIN.drawable("Text 中文 1.") == "Text ?? 1."
    assert not fonts.covers(fonts.LATIN, "中") and fonts.covers(fonts.LATIN, "ab 1")


def test_font_file_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "f.ttf").write_bytes(b"not a font")
    assert not fonts.covers(fonts.Font(str(tmp_path / "f.ttf")), "a")
