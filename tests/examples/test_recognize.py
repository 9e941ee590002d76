"""CTC decoding, the list of characters and the inputs of the classifier and the recogniser."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

from examples.ocr.errors import DemoError
from examples.ocr.models import read_characters
from examples.ocr.recognize import decode, scaled_width, to_input

CHARACTERS = ["", "a", "b", "c", " "]


def one_hot(classes: list[int]) -> np.ndarray:
    return np.eye(len(CHARACTERS), dtype=np.float32)[classes]


@pytest.mark.parametrize(
    ("classes", "text"),
    [([0, 1, 1, 0, 1, 2, 2, 0], "aab"), ([0, 0, 0], ""), ([3, 3, 4, 4, 3], "c c"), ([1], "a")],
)
def test_decode(classes: list[int], text: str) -> None:
    assert decode(one_hot(classes), CHARACTERS).text == text


@pytest.mark.parametrize("seed", range(20))
def test_decode_as_groupby_does(seed: int) -> None:
    random = np.random.default_rng(seed)
    probabilities = random.dirichlet(np.full(5, 0.3), 30).astype(np.float32)
    best = [(int(p.argmax()), float(p.max())) for p in probabilities]
    groups = [(key, next(group)[1]) for key, group in groupby(best, key=lambda pair: pair[0])]
    kept = [(key, score) for key, score in groups if key]
    reading = decode(probabilities, CHARACTERS)
    assert reading.text == "".join(CHARACTERS[key] for key, _ in kept)
    assert reading.confidence == pytest.approx(np.mean([score for _, score in kept]), rel=1e-5)


def test_characters(tmp_path: Path) -> None:
    for ending in ("", "\n"):
        (tmp_path / "keys.txt").write_bytes(f"一\n\u3000\n#{ending}".encode())
        assert read_characters(tmp_path / "keys.txt") == ["", "一", "\u3000", "#", " "]
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe")
    for name in ("bad.txt", "absent.txt"):
        with pytest.raises(DemoError, match=name):
            read_characters(tmp_path / name)


@pytest.mark.parametrize(
    ("shape", "width"), [((10, 10), 320), ((48, 321), 352), ((24, 400), 800), ((1, 4000), 3200)]
)
def test_width_of_the_input(shape: tuple[int, int], width: int) -> None:
    assert scaled_width(np.zeros((*shape, 3), np.uint8)) == width


def test_input_is_bgr_padded_with_zeros() -> None:
    line = np.zeros((24, 50, 3), np.uint8)
    line[:] = (255, 0, 51)
    result = to_input(line, 48, 192)
    assert result.shape == (3, 48, 192)
    np.testing.assert_allclose(result[:, 20, 50], [-0.6, -1, 1], atol=1e-6)
    assert (result[:, :, :100] != 0).all() and (result[:, :, 100:] == 0).all()


@pytest.mark.parametrize("shape", [(1, 1), (500, 1), (1, 5000)])
def test_odd_lines_fit_the_input(shape: tuple[int, int]) -> None:
    assert to_input(np.zeros((*shape, 3), np.uint8), 48, 320).shape == (3, 48, 320)
