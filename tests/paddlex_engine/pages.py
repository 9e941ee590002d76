"""Pages of text that OCR reads: large ones with turned lines, and small ones for endurance."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

_WORDS = "engine where users already are without rewriting anything at all 2026".split()


def draw_page(seed: int, width: int, height: int, size: int) -> np.ndarray:
    """One page, [height, width, 3] of uint8; every third line upside down."""
    random = np.random.default_rng(seed)
    font = ImageFont.load_default(size)
    page = Image.new("RGB", (width, height), "white")
    for row, top in enumerate(range(size // 3, height - size - 8, 2 * size)):
        words = random.choice(_WORDS, 4 if width > 400 else 1)
        text = f"{' '.join(words)} {random.integers(10**5)}"
        line = Image.new("RGB", (width, size + 8), "white")
        ImageDraw.Draw(line).text((8, 0), text, fill="black", font=font)
        page.paste(line.rotate(180) if row % 3 == 2 else line, (0, top))
    return np.array(page)


def write_pages(folder: Path, count: int, small: bool = False) -> Path:
    """``count`` pages as folder/NN.npy, of several sizes."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(count):
        step = 32 * (seed % 4)
        size = (160 + step, 64 + step // 2, 20) if small else (640 + step, 480 + step, 26)
        np.save(folder / f"{seed:02}.npy", draw_page(seed, *size))
    return folder
