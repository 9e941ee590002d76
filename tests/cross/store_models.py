"""Stores models and what Paddle computes, for run_models.py on another machine.

python store_models.py FOLDER NAME... writes FOLDER/NAME.nb, converted for arm, and FOLDER/NAME.npz
with the feeds and Paddle's outputs. A name is one of tests/models/recipes.py, or with a slash and
the shape of its input a network's of benchmarks/export_models.py, whose outputs Paddle computes in
float64 (mobilenet_v1/1,3,64,64), or a real model's (LITE_TEST_MODELS):
ch_PP-OCRv4_rec_infer/1,3,48,160.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from lite.api.build import Source

ROOT = Path(__file__).resolve().parents[2]
sys.path[1:1] = [str(ROOT / name) for name in ("tests/models", "tests/kernels", "benchmarks")]
import export_models  # noqa: E402
import make_models  # noqa: E402
import test_real  # noqa: E402
from recipes import RECIPES  # noqa: E402


def main(target: Path, names: list[str]) -> None:
    """Stores the models."""
    target.mkdir(parents=True, exist_ok=True)
    for name in names:
        with TemporaryDirectory() as scratch:
            name, *dims = name.split("/")
            shape = [int(dim) for dim in "".join(dims).split(",") if dim]
            outputs = None
            if name in export_models.NAMES:
                folder = scratch
                export_models.export_named(name, shape, Path(folder))
                x, *arrays = np.load(f"{folder}/reference.npz").values()
                feeds: list[Any] = [{"x": x}]
                outputs = [{f"{i}:{y}": a for i, (y, a) in enumerate(_outputs(folder, arrays))}]
            elif shape:
                folder = str(test_real.find(name))
                feeds = [{_input(folder): test_real.picture(tuple(shape), 0)}]
            else:
                folder = make_models.make(RECIPES[name], scratch)
                feeds = RECIPES[name].feeds()
            store(target, name, folder, feeds, outputs or make_models.oracle(folder, feeds))


def _input(folder: str) -> str:
    (name,) = test_real.paddle_predictor(Path(folder)).get_input_names()
    return str(name)


def _outputs(folder: str, arrays: list[np.ndarray]) -> list[tuple[str, np.ndarray]]:
    names = test_real.paddle_predictor(Path(folder)).get_output_names()
    return [(n, a.astype(np.float32)) for n, a in zip(names, arrays, strict=True)]


def store(target: Path, name: str, folder: str, feeds: list[Any], results: list[Any]) -> None:
    """Converts one model and writes its runs."""
    Source(model_dir=folder, targets=("arm",)).save_naive_buffer(str(target / name))
    arrays: dict[str, np.ndarray] = {}
    runs = []
    for feed, outputs in zip(feeds, results, strict=True):
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
