"""Runs `.pdmodel` files in whatever Paddle this Python has, against the results of their source.

python run_pdmodels.py FOLDER: of every FOLDER/NAME/{model.pdmodel,io.npz} that gives others, a
line. It ends with 1 where there was one.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import paddle
import paddle.inference


def predictor(model: Path) -> Any:
    """Paddle's own, without its passes."""
    params = model.with_suffix(".pdiparams")
    config = paddle.inference.Config(str(model), str(params) if params.exists() else "")
    config.disable_gpu()
    config.disable_glog_info()
    config.switch_ir_optim(False)
    config.disable_mkldnn()
    return paddle.inference.create_predictor(config)


def differences(model: Path, arrays: dict[str, np.ndarray]) -> list[str]:
    """What Paddle computes otherwise, by run and output."""
    running = predictor(model)
    found = []
    for run in sorted({key.split(".")[0] for key in arrays if ".out." in key}):
        for name in running.get_input_names():
            array = np.array(arrays[f"{run}.in.{name}"], order="C")
            running.get_input_handle(name).copy_from_cpu(array)
        running.run()
        wanted = [arrays[k] for k in _outputs(arrays, run)]
        names = running.get_output_names()
        if len(names) != len(wanted):
            return [f"{len(names)} outputs instead of {len(wanted)}"]
        for index, (name, want) in enumerate(zip(names, wanted, strict=True)):
            handle = running.get_output_handle(name)
            got = handle.copy_to_cpu().reshape(handle.shape())
            error = _difference(got, want, float(arrays.get("tol", 1e-4)))
            found += [f"run {run}, output {index}: {error}"] * bool(error)
    return found


def _outputs(arrays: dict[str, np.ndarray], run: str) -> list[str]:
    count = sum(key.startswith(f"{run}.out.") for key in arrays)
    return [f"{run}.out.{index}" for index in range(count)]


def _difference(got: np.ndarray, want: np.ndarray, tolerance: float) -> str:
    if (got.shape, got.dtype) != (want.shape, want.dtype):
        return f"{got.dtype} {got.shape}, expected {want.dtype} {want.shape}"
    if want.dtype.kind != "f":
        return "" if np.array_equal(got, want) else "other integers"
    finite = np.isfinite(want)
    if not np.array_equal(got[~finite], want[~finite], equal_nan=True):
        return "other infinities"
    largest = max(float(np.abs(want[finite]).max(initial=0)), 1e-30)
    worst = float(np.abs(got[finite].astype("f8") - want[finite]).max(initial=0))
    return "" if worst <= tolerance * largest else f"{worst} of {largest}"


def main(folder: Path) -> int:
    bad = 0
    for model in sorted(folder.glob("*/model.pdmodel")):
        with np.load(model.with_name("io.npz")) as file:
            arrays = dict(file)
        try:
            found = differences(model, arrays)
        except Exception as error:
            found = [" ".join(str(error).split())[-300:]]
        bad += bool(found)
        if found:
            print(f"{model.parent.name}: {'; '.join(found)}", flush=True)
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
