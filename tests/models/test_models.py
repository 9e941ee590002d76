"""Whole models and random programs against Paddle 2.6.2, made here: see make_models.py.

Each runs at several shapes and batches in turn, there and back, in one predictor: loaded as it is,
through a `.nb` file with two threads, without the optimizer, and on builtin_device.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import paddle_oracle
import pytest

import lite
from lite._core import operator_table
from lite.api.build import Source

sys.path.insert(0, str(Path(__file__).parent))

if TYPE_CHECKING or paddle_oracle.available():
    import make_models
    from random_programs import random_program
    from recipes import RECIPES, Feed, Recipe

    KNOWN = {entry["type"] for entry in operator_table()}
    NAMES = [
        pytest.param(
            name,
            marks=pytest.mark.skipif(
                not recipe.needs <= KNOWN, reason=f"not yet: {', '.join(recipe.needs - KNOWN)}"
            ),
        )
        for name, recipe in RECIPES.items()
        if not recipe.slow
    ]
else:
    NAMES = ["needs paddlepaddle 2.6"]

pytestmark = [
    pytest.mark.paddle,
    pytest.mark.skipif(not paddle_oracle.available(), reason="needs paddlepaddle 2.6"),
]


@pytest.mark.parametrize("name", NAMES)
def test_model(name: str, tmp_path: Path) -> None:
    compare(RECIPES[name], str(tmp_path))


@pytest.mark.parametrize("seed", range(24))
def test_random_program(seed: int, tmp_path: Path) -> None:
    """Programs of random wiring; random_programs.py runs as many more as one likes."""
    build, feeds = random_program(seed)
    compare(Recipe(f"random_{seed}", build, lambda: feeds), str(tmp_path))


def compare(recipe: Recipe, root: str) -> None:
    """Makes the model under `root` and runs it with Paddle and with ours, each way."""
    folder, feeds = make_models.make(recipe, root), recipe.feeds()
    expected = make_models.oracle(folder, feeds)
    nb = Source(model_dir=folder).save_naive_buffer(root + "/model.nb")
    predictors = {
        "loaded": lite.load(folder),
        ".nb, two threads": lite.load(nb, threads=2),
        "not optimised": lite.load(folder, passes=["static_kernel_pick_pass"]),
    }
    if not recipe.name.startswith(("ptq_", "qat_")):  # those are computed in integers there
        predictors["on builtin_device"] = lite.load(folder, devices=["builtin_device"])
    there_and_back = [*range(len(feeds)), *reversed(range(len(feeds)))]
    for kind, predictor in predictors.items():
        for step, index in enumerate(there_and_back):
            check(
                predictor,
                feeds[index],
                expected[index],
                recipe.tol,
                f"{recipe.name}, {kind}, run {step} (feed {index})",
            )


def check(
    predictor: lite.Predictor, feed: Feed, expected: make_models.Outputs, tol: float, where: str
) -> None:
    """One run: names in order, shapes, dtypes and LoD equal, numbers within the tolerance."""
    predictor.run(feed)
    names = [f"{i}:{info.name}" for i, info in enumerate(predictor.outputs)]
    assert names == list(expected), where
    for index, (name, (want, lod)) in enumerate(expected.items()):
        at = f"{where}, output {name}"
        got = predictor._core.copy_output(index)
        assert (got.shape, got.dtype) == (want.shape, want.dtype), at
        assert [list(level) for level in predictor._core.output_meta(index)[2]] == lod, at
        if want.dtype.kind != "f":
            np.testing.assert_array_equal(got, want, at)
            continue
        finite = np.isfinite(want)
        np.testing.assert_array_equal(got[~finite], want[~finite], at)
        if finite.any():
            largest = float(np.abs(want[finite]).max())
            error = float(np.abs(got[finite].astype("f8") - want[finite]).max())
            assert error <= tol * max(largest, 1e-30), f"{at}: {error} of {largest}"
