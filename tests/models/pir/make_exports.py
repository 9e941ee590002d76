"""Exports the cases of this folder with paddlepaddle 3 and keeps what Paddle computes.

`python make_exports.py FOLDER [NAME...]` writes, for every case, FOLDER/NAME/inference.json,
inference.pdiparams if there are parameters, and io.npz with the inputs (`0.in.NAME`, `1.in.NAME`
... for the runs in turn) and the outputs (`0.out.0`...) of the layer before it is exported.
`python make_exports.py --pack FOLDER` makes the tests' fixtures from FOLDER.
Each file is run by Paddle's own predictor too, which must agree: the exporter has faults.
"""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import paddle
import paddle.inference

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

import basics  # noqa: F401
import control  # noqa: F401
import forms  # noqa: F401
import functionals  # noqa: F401
import older  # noqa: F401
import text  # noqa: F401
import vision  # noqa: F401
from cases import CASES, Case, Feed, Shape, is_layer
from recipes import sane_weights


def export(case: Case, folder: Path) -> None:
    """Writes one case."""
    folder.mkdir(parents=True, exist_ok=True)
    paddle.seed(1)
    target: Any = case.target
    if case.made:
        target = target()
    elif is_layer(target):
        target = target()
        sane_weights(target, 1)
        target.train() if case.train else target.eval()
    if not case.by_predictor:
        save(case, folder, expected(case, target))
    if case.traced:
        trace(case, folder)
        return
    spec = [
        paddle.static.InputSpec(
            [-1 if d is None else d for d in shape], str(case.runs[0][name].dtype), name
        )
        for name, shape in case.shapes.items()
    ]
    if not isinstance(target, paddle.nn.Layer):
        target = paddle.jit.to_static(target, input_spec=spec, full_graph=True)
        spec = None
    paddle.jit.save(target, str(folder / "inference"), input_spec=spec, **case.options)
    if case.by_predictor:
        inputs = {f"{k}.in.{n}": a for k, run in enumerate(case.runs) for n, a in run.items()}
        save(case, folder, inputs | predicted(folder, inputs))


def save(case: Case, folder: Path, arrays: Feed) -> None:
    np.savez(folder / "io.npz", tol=np.array(case.tol), **arrays)


def pack(root: Path) -> None:
    """Writes the fixtures of the tests, bytewise the same each time."""
    target = Path(__file__).parents[1] / "data" / "pir"
    target.mkdir(exist_ok=True)
    names = [name for name in CASES if not name.startswith("zoo_")]
    for archive in ("functions", "models"):
        with zipfile.ZipFile(target / f"{archive}.zip", "w", zipfile.ZIP_DEFLATED) as made:
            for name in names:
                if name.startswith("fn_") == (archive == "functions"):
                    for file in sorted((root / name).iterdir()):
                        made.writestr(
                            zipfile.ZipInfo(f"{name}/{file.name}"),
                            file.read_bytes(),
                            zipfile.ZIP_DEFLATED,
                            9,
                        )


def expected(case: Case, target: Any) -> Feed:
    """The runs' inputs and what the layer gives for them."""
    arrays: Feed = {}
    for index, run in enumerate(case.runs):
        arrays.update({f"{index}.in.{name}": array for name, array in run.items()})
        with paddle.no_grad():
            results = target(*(paddle.to_tensor(array) for array in run.values()))
        for k, value in enumerate(paddle.utils.flatten(results)):
            arrays[f"{index}.out.{k}"] = value.numpy()
    return arrays


def trace(case: Case, folder: Path) -> None:
    """Exports a function by calling it, with unknown first dimensions if Paddle can."""
    known = {name: list(array.shape) for name, array in case.runs[0].items()}
    try:
        trace_as(case, case.shapes, folder)
    except Exception:
        trace_as(case, known, folder)


def trace_as(case: Case, shapes: dict[str, Shape], folder: Path) -> None:
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
            feeds = [
                paddle.static.data(name, shape, str(case.runs[0][name].dtype))
                for name, shape in shapes.items()
            ]
            results = paddle.utils.flatten(case.target(*feeds))
            executor = paddle.static.Executor(paddle.CPUPlace())
            prefix = str(folder / "inference")
            paddle.static.save_inference_model(prefix, feeds, results, executor)
    finally:
        paddle.disable_static()


def predicted(folder: Path, arrays: Mapping[str, np.ndarray]) -> Feed:
    """What Paddle's predictor computes from the file for the inputs among `arrays`."""
    params = folder / "inference.pdiparams"
    config = paddle.inference.Config(
        str(folder / "inference.json"), str(params) if params.exists() else ""
    )
    config.disable_mkldnn()
    config.disable_glog_info()
    config.switch_ir_optim(False)
    predictor = paddle.inference.create_predictor(config)
    outputs: Feed = {}
    for run in sorted({key.split(".")[0] for key in arrays if ".in." in key}):
        for name in predictor.get_input_names():
            predictor.get_input_handle(name).copy_from_cpu(arrays[f"{run}.in.{name}"])
        predictor.run()
        for k, name in enumerate(predictor.get_output_names()):
            outputs[f"{run}.out.{k}"] = predictor.get_output_handle(name).copy_to_cpu()
    return outputs


def difference(folder: Path) -> str:
    """Where Paddle's predictor computes otherwise from the file than the layer did, or ""."""
    arrays = np.load(folder / "io.npz")
    for key, got in predicted(folder, arrays).items():
        want = arrays[key]
        if got.shape != want.shape or got.dtype != want.dtype:
            return f"{key} is {got.dtype}{got.shape}, {want.dtype}{want.shape}"
        if not np.allclose(got, want, 1e-3, 1e-4 * np.abs(want).max(initial=1), True):
            return f"{key}: {got.ravel()[:8]} for {want.ravel()[:8]}"
    return ""


def main(root: str, names: list[str]) -> int:
    warnings.filterwarnings("ignore")
    failed = []
    for name in names or CASES:
        folder = Path(root) / name
        try:
            with (
                paddle.utils.unique_name.guard(),
                open(os.devnull, "w") as null,
                contextlib.redirect_stdout(null),
            ):
                export(CASES[name], folder)
                said = "" if CASES[name].unchecked else difference(folder)
            assert not said, f"Paddle's predictor differs: {said}"
        except Exception:
            failed.append(name)
            print(f"{name}: {traceback.format_exc(limit=-1)}", flush=True)
    print(f"{len(names or CASES) - len(failed)} exported, failed: {failed}")
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1] == "--pack":
        pack(Path(sys.argv[2]))
    else:
        sys.exit(main(sys.argv[1], sys.argv[2:]))
