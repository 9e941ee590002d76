"""Runs the models that store_models.py stored and compares with Paddle's numbers.

python run_models.py FOLDER NAME... prints each model's largest error as a share of its largest
value; a shape, type or LoD that differs, or an error over 1e-4, ends it with 1.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

import lite

TOLERANCE = 1e-4


def error_of(predictor: lite.Predictor, run: dict[str, Any], arrays: Any) -> float:
    """The largest error of one run's outputs; infinite where it is not one of rounding."""
    feed = {name: (arrays[key], lod) if lod else arrays[key] for name, key, lod in run["feed"]}
    predictor.run(feed)
    worst = 0.0
    for index, (name, key, lod) in enumerate(run["outputs"]):
        want, got = arrays[key], predictor._core.copy_output(index)
        assert name == f"{index}:{predictor.outputs[index].name}", name
        if (got.shape, got.dtype) != (want.shape, want.dtype):
            return float("inf")
        if [list(level) for level in predictor._core.output_meta(index)[2]] != lod:
            return float("inf")
        finite = np.isfinite(want)
        exact = ~finite if want.dtype.kind == "f" else np.ones_like(finite)
        if not np.array_equal(got[exact], want[exact]):
            return float("inf")
        if want.dtype.kind == "f" and finite.any():
            largest = max(float(np.abs(want[finite]).max()), 1e-30)
            difference = np.abs(got[finite].astype("f8") - want[finite])
            worst = float(np.maximum(worst, difference.max() / largest))
    return worst


def main(folder: Path, names: list[str]) -> int:
    """The exit status."""
    bad = 0
    for name in names:
        arrays = np.load(folder / f"{name}.npz")
        runs = json.loads(str(arrays["runs"]))
        predictor = lite.load(str(folder / f"{name}.nb"), threads=2)
        worst = max(error_of(predictor, run, arrays) for run in [*runs, *runs[:1]])
        print(f"{name} {worst:.1e}", flush=True)
        bad += not worst <= TOLERANCE
    return 1 if bad or not names else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
