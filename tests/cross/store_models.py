"""Stores models and what Paddle computes, for run_models.py on another machine.

python store_models.py FOLDER NAME... writes FOLDER/NAME.nb, converted for arm, and FOLDER/NAME.npz
with the feeds and Paddle's outputs. A name is one of tests/models/recipes.py, or a real model's
(LITE_TEST_MODELS) with a slash and the shape of its input: ch_PP-OCRv4_rec_infer/1,3,48,160.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from lite.api.build import Source

sys.path[1:1] = [str(Path(__file__).resolve().parents[1] / name) for name in ("models", "kernels")]
import make_models  # noqa: E402
import test_real  # noqa: E402
from recipes import RECIPES  # noqa: E402


def main(target: Path, names: list[str]) -> None:
    """Stores the models."""
    target.mkdir(parents=True, exist_ok=True)
    for name in names:
        with TemporaryDirectory() as scratch:
            if "/" in name:
                name, dims = name.split("/")
                folder = str(test_real.find(name))
                picture = test_real.picture(tuple(map(int, dims.split(","))), 0)
                feeds: list[Any] = [{_input(folder): picture}]
            else:
                folder = make_models.make(RECIPES[name], scratch)
                feeds = RECIPES[name].feeds()
            store(target, name, folder, feeds)


def _input(folder: str) -> str:
    (name,) = test_real.paddle_predictor(Path(folder)).get_input_names()
    return str(name)


def store(target: Path, name: str, folder: str, feeds: list[Any]) -> None:
    """Converts one model and writes its runs."""
    Source(model_dir=folder, targets=("arm",)).save_naive_buffer(str(target / name))
    arrays: dict[str, np.ndarray] = {}
    runs = []
    for feed, outputs in zip(feeds, make_models.oracle(folder, feeds), strict=True):
        run: dict[str, list[Any]] = {"feed": [], "outputs": []}
        for kind, values in (("feed", feed), ("outputs", outputs)):
            for variable, value in values.items():
                array, lod = value if isinstance(value, tuple) else (value, [])
                run[kind].append([variable, f"array{len(arrays)}", lod])
                arrays[f"array{len(arrays)}"] = array
        runs.append(run)
    np.savez(target / f"{name}.npz", runs=np.array(json.dumps(runs)), **arrays)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
