"""lite shapes: a few shapes for many."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from lite.api.buckets import Bucket, propose
from lite.errors import ConfigError
from lite.tools.cli import main

CONV = Path(__file__).parents[1] / "model" / "data" / "conv.pdmodel"


def widths(*sizes: int) -> list[dict[str, tuple[int, ...]]]:
    return [{"x": (1, 3, 48, size)} for size in sizes]


def waste(buckets: list[Bucket]) -> float:
    """Elements that are padding."""
    elements = [bucket.sets * np.prod(bucket.shapes["x"], dtype=float) for bucket in buckets]
    return sum(e * b.padding for e, b in zip(elements, buckets, strict=True))


@pytest.mark.parametrize("seed", range(20))
def test_one_axis_has_no_better_buckets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = [int(size) for size in rng.integers(8, 60, 40)]
    most = int(rng.integers(1, 5))
    found = propose(widths(*sizes), {"x": [3]}, most)
    assert len(found) <= most and sum(bucket.sets for bucket in found) == len(sizes)
    counts = Counter(sizes)
    least = min(
        sum(
            count * 144 * (min(end for end in (*ends, max(counts)) if end >= size) - size)
            for size, count in counts.items()
        )
        for ends in combinations(counts, min(most, len(counts)) - 1)
    )
    assert waste(found) == pytest.approx(least)


def test_multiples_and_counts() -> None:
    found = propose(widths(10, 31, 32, 33, 33, 90), {"x": [3]}, 2, multiple=32)
    assert [(bucket.shapes["x"][3], bucket.sets) for bucket in found] == [(32, 3), (96, 3)]
    assert found[1].padding == pytest.approx(1 - 156 / 288)


def test_two_axes_and_others() -> None:
    """Every shape fits; what is not padded stays apart."""
    rng = np.random.default_rng(0)
    seen = [
        {"x": (int(batch), 3, int(h), int(w)), "n": (int(batch), 2)}
        for batch, h, w in zip(
            rng.integers(1, 3, 300), *rng.integers(50, 500, (2, 300)), strict=True
        )
    ]
    found = propose(seen, {"x": [2, 3]}, 5, 32)
    assert len(found) <= 5 and sum(bucket.sets for bucket in found) == 300
    assert {bucket.shapes["x"][0] for bucket in found} == {1, 2}
    for some in seen:
        assert any(
            bucket.shapes["n"] == some["n"]
            and bucket.shapes["x"][:2] == some["x"][:2]
            and bucket.shapes["x"][2] >= some["x"][2]
            and bucket.shapes["x"][3] >= some["x"][3]
            for bucket in found
        )
    assert sum(bucket.padding * bucket.sets for bucket in found) < 0.65 * 300
    with pytest.raises(ConfigError, match="in 2 ways, which is more than 1"):
        propose(seen, {"x": [2, 3]}, 1)


@pytest.mark.parametrize(
    ("seen", "most", "said"),
    [
        ([], 1, "one set of inputs or more"),
        (widths(1), 0, "one set of inputs or more"),
        ([*widths(1), {"y": (1,)}], 1, "not every set of inputs has x"),
    ],
)
def test_what_cannot_be_proposed(
    seen: list[dict[str, tuple[int, ...]]], most: int, said: str
) -> None:
    with pytest.raises(ConfigError, match=said):
        propose(seen, {"x": [3]}, most)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its last line is lite build's."""
    (tmp_path / "seen").mkdir()
    np.save(tmp_path / "seen" / "a.npy", np.zeros((1, 3, 8, 8), np.float32))
    np.savez(tmp_path / "seen" / "b.npz", x=np.zeros((3, 3, 8, 8), np.float32))
    (tmp_path / "seen" / "c.txt").write_text("x:4x3x8x8\n\n2x3x8x8\n")
    words = ["shapes", str(CONV), "--input", str(tmp_path / "seen"), "--pad", "x:0", "--most", "2"]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "4 sets of inputs of 4 shapes, padded to 2:"
    assert lines[-1] == "lite build: --shape x:2x3x8x8 --shape x:4x3x8x8 --pad x:0"
    assert main([*words, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [(some["sets"], some["padding"]) for some in said] == [(2, 0.25), (2, 0.125)]
    for bad, error in (("x=a.npy", "is no shape"), ("y:1x2", "names no input of the model")):
        (tmp_path / "bad.txt").write_text(bad)
        assert main(["shapes", str(CONV), "--input", str(tmp_path / "bad.txt")]) == 1
        assert error in capsys.readouterr().err
    (tmp_path / "none").mkdir()
    assert main(["shapes", str(CONV), "--input", str(tmp_path / "none")]) == 1
    assert "none has no .npy, .npz or .txt files" in capsys.readouterr().err
