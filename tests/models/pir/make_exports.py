"""Exports the cases of this folder with paddlepaddle 3 and keeps what Paddle computes.

`python make_exports.py FOLDER [NAME...]` writes, for every case, FOLDER/NAME/inference.json,
inference.pdiparams if there are parameters, and io.npz with the inputs (`0.in.NAME`, `1.in.NAME`
... for the runs in turn) and the outputs (`0.out.0`...) of the layer before it is exported.
"""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

os.environ.setdefault("FLAGS_use_mkldnn", "0")
os.environ.setdefault("GLOG_minloglevel", "3")
warnings.filterwarnings("ignore")

import numpy as np
import paddle

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

import basics  # noqa: F401
import control  # noqa: F401
import forms  # noqa: F401
from cases import CASES, Case, Feed, is_layer
from recipes import sane_weights


def export(case: Case, folder: Path) -> None:
    """Writes one case."""
    folder.mkdir(parents=True, exist_ok=True)
    paddle.seed(1)
    target: Any = case.target
    if is_layer(target):
        target = target()
        sane_weights(target, 1)
        target.train() if case.train else target.eval()
    arrays: Feed = {}
    for index, run in enumerate(case.runs):
        arrays.update({f"{index}.in.{name}": array for name, array in run.items()})
        with paddle.no_grad():
            results = target(*(paddle.to_tensor(array) for array in run.values()))
        for k, value in enumerate(paddle.utils.flatten(results)):
            arrays[f"{index}.out.{k}"] = value.numpy()
    spec = [
        paddle.static.InputSpec(shape, str(case.runs[0][name].dtype), name)
        for name, shape in case.shapes.items()
    ]
    if not is_layer(case.target):
        target = paddle.jit.to_static(target, input_spec=spec, full_graph=True)
        spec = None
    paddle.jit.save(target, str(folder / "inference"), input_spec=spec, **case.options)
    np.savez_compressed(folder / "io.npz", **arrays)


def main(root: str, names: list[str]) -> int:
    failed = []
    for name in names or CASES:
        try:
            with (
                paddle.utils.unique_name.guard(),
                open(os.devnull, "w") as null,
                contextlib.redirect_stdout(null),
            ):
                export(CASES[name], Path(root) / name)
        except Exception:
            failed.append(name)
            print(f"{name}: {traceback.format_exc(limit=-3)}", flush=True)
    print(f"{len(names or CASES) - len(failed)} exported, failed: {failed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
