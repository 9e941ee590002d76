"""Draws the pages that the clients read: ``python pages.py FOLDER``."""

import sys
from pathlib import Path

import cv2
import numpy as np

LINES = [
    ["Invoice No. 20240328", "Total: 1,234.56 EUR", "Thank you for your order"],
    ["the quick brown fox", "JUMPS OVER", "13 lazy dogs & 7 cats"],
    ["one line"],
]


def page(lines: list, width: int, turned: bool) -> np.ndarray:
    """Lines of several sizes, a little noise; the last line upside down where asked for."""
    random = np.random.RandomState(width)
    image = np.full((80 * len(lines) + 40, width, 3), 250, np.uint8)
    for row, text in enumerate(lines):
        font = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX)[row % 2]
        cv2.putText(image, text, (30, 70 + 80 * row), font, 1.0 + 0.2 * row, (20, 30, 90), 2, 16)
    if turned:
        image[-120:] = image[-120:][::-1, ::-1]
    return np.clip(image + random.normal(0, 4, image.shape), 0, 255).astype(np.uint8)


if __name__ == "__main__":
    for number, lines in enumerate(LINES):
        path = Path(sys.argv[1], f"page{number}.png")
        cv2.imwrite(str(path), page(lines, 480 + 120 * number, turned=number == 1))
