"""Pictures: the sample that is drawn, a file that is opened, the result that is written."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageOps

from examples.ocr import geometry
from examples.ocr.detect import Box
from examples.ocr.errors import DemoError
from examples.ocr.fonts import Font
from examples.ocr.recognize import Reading

LONGEST_SIDE = 4000  # pixels; larger pictures are scaled down


@dataclass(frozen=True)
class Line:
    """A line of the sample; size in pixels, angle in degrees counter-clockwise."""

    text: str
    size: int
    angle: float = 0
    ink: str = "#1d1d1f"
    paper: str | None = None


# Chosen so that the models read them in every font of fonts.FILES: they tend to miss narrow spaces.
CHINESE = (
    Line("飞桨轻量级推理框架", 54, ink="#12375c"),
    Line("Reads Chinese and English text", 40),
    Line("中文识别准确率高速度快", 32, ink="#ffffff", paper="#2a5d8f"),
    Line("上下颠倒的文字也能识别", 34, angle=180, ink="#7a1f1f"),
    Line("倾斜五度的一行文字", 34, angle=5, ink="#1f5c2e"),
    Line("订单编号20240315", 28),
    Line("合计金额1280.50元", 28),
    Line("小号字体同样清晰可读", 20),
)
ENGLISH = (
    Line("Paddle models on any CPU", 54, ink="#12375c"),
    Line("Reads text in pictures", 36),
    Line("Light text on a dark bar", 40, ink="#ffffff", paper="#2a5d8f"),
    Line("This line stands upside down", 40, angle=180, ink="#7a1f1f"),
    Line("Invoice-20240315-A7", 34, angle=5, ink="#1f5c2e"),
    Line("1280.50", 28),
    Line("Small print", 24),
)
_WIDTH, _MARGIN, _GAP = 680, 48, 26


def sample(lines: tuple[Line, ...], font: Font) -> Image.Image:
    """A picture of the lines, one below the other."""
    layers = [_render(line, font) for line in lines]
    height = 2 * _MARGIN + sum(layer.height + _GAP for layer in layers) - _GAP
    width = max(_WIDTH, 2 * _MARGIN + max(layer.width for layer in layers))
    picture = Image.new("RGB", (width, height), "#f7f5ef")
    y = _MARGIN
    for layer in layers:
        picture.paste(layer, (_MARGIN, y), layer)
        y += layer.height + _GAP
    return picture


def _render(line: Line, font: Font) -> Image.Image:
    chosen = font.at(line.size)
    left, top, right, bottom = (round(side) for side in chosen.getbbox(line.text))
    pad = line.size // 3 if line.paper else 0
    layer = Image.new(
        "RGBA", (right - left + 2 * pad, bottom - top + 2 * pad), line.paper or line.ink
    )
    if line.paper is None:
        layer.putalpha(0)  # transparent, but of the ink's colour: rotation mixes no other in
    ImageDraw.Draw(layer).text((pad - left, pad - top), line.text, fill=line.ink, font=chosen)
    return layer.rotate(line.angle, Image.Resampling.BICUBIC, expand=True) if line.angle else layer


def open_picture(path: Path) -> Image.Image:
    """A picture file as RGB, turned as its EXIF data says; transparent parts become white.

    Raises DemoError where it is missing, damaged or too large.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path) as file:
                if file.format == "JPEG":
                    file.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
                picture = _to_rgb(ImageOps.exif_transpose(file))
    except Exception as error:  # decoders raise nearly anything on damaged files
        raise DemoError(f"{path} cannot be read as a picture: {error}") from error
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    return picture


def _to_rgb(picture: Image.Image) -> Image.Image:
    if picture.mode.startswith(("I", "F")):
        values = np.nan_to_num(np.asarray(picture).astype(np.float64))
        low, high = values.min(), values.max()
        scaled = (values - low) * (255 / (high - low) if high > low else 0)
        return Image.fromarray(scaled.astype(np.uint8)).convert("RGB")
    if "A" in picture.mode or "transparency" in picture.info:
        layer = picture.convert("RGBA")
        paper = Image.new("RGBA", layer.size, "white")
        return Image.alpha_composite(paper, layer).convert("RGB")
    return picture.convert("RGB")


def result(
    picture: Image.Image, boxes: list[Box], readings: list[Reading], font: Font
) -> Image.Image:
    """The picture with its boxes, and beside it what was read, at the same places."""
    width, height = picture.size
    wide = Image.new("RGB", (2 * width, height), "white")
    wide.paste(picture, (0, 0))
    pen = ImageDraw.Draw(wide)
    stroke = max(2, round(max(width, height) / 500))
    for box, reading in zip(boxes, readings, strict=True):
        outline = [(float(x), float(y)) for x, y in (*box.corners, box.corners[0])]
        pen.line(outline, fill="#e0483e", width=stroke, joint="curve")
        _write(wide, width, box.corners, font, reading)
    pen.line([(width, 0), (width, height)], fill="#c8c8c8", width=stroke)
    return wide


def _write(
    wide: Image.Image, shift: int, corners: np.ndarray, font: Font, reading: Reading
) -> None:
    """The text, as large as fits the box's width and height, and its confidence after it.

    Text that stands is written from top to bottom; nothing leaves the picture where it has room.
    """
    text = font.drawable(reading.text)
    long, short = sorted(geometry.size(corners), reverse=True)
    size = max(8, int(0.75 * short))
    size = max(8, min(size, int(size * long / max(1.0, font.at(size).getlength(text)))))
    label = _label(text, f"{reading.confidence:.3f}", size, font)
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    if bottom - top > 1.5 * (right - left):
        label = label.rotate(-90, expand=True)
        x, y = shift + (left + right - label.width) / 2, float(top)
    else:
        x, y = shift + float(left), (top + bottom - label.height) / 2
    x = max(shift, min(round(x), wide.width - label.width))
    y = max(0, min(round(y), wide.height - label.height))
    wide.paste(label, (x, y), label)


def _label(text: str, note: str, size: int, font: Font) -> Image.Image:
    """A line of text and a small note after it, on nothing."""
    large, small = font.at(size), font.at(max(8, size // 2))
    after = large.getlength(text) + size / 2
    label = Image.new("RGBA", (round(after + small.getlength(note)) + 2, 2 * size), (0, 0, 0, 0))
    pen = ImageDraw.Draw(label)
    pen.text((0, size), text, fill="#1d1d1f", font=large, anchor="lm")
    pen.text((after, size), note, fill="#3a8f4c", font=small, anchor="lm")
    return label
