"""Exports the cases of this folder with paddlepaddle 3 and keeps what Paddle computes.

`python make_exports.py FOLDER [NAME...]` writes, for every case, FOLDER/NAME/inference.json,
inference.pdiparams if there are parameters, and io.npz with the inputs (`0.in.NAME`, `1.in.NAME`
... for the runs in turn) and the outputs (`0.out.0`...) of the layer before it is exported.
Versions before 3.3.1 do so for a few of the cases.
`python make_exports.py --pack FOLDER` makes the tests' fixtures from FOLDER, `--real MODELS FOLDER`
adds the published models that tests/fetch_models.py put into MODELS.
Each file is run by Paddle's own predictor too, which must agree: the exporter has faults.
"""

from __future__ import annotations

import contextlib
import os
import shutil
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
import dense  # noqa: F401
import detectors  # noqa: F401
import encoders  # noqa: F401
import forms  # noqa: F401
import functionals  # noqa: F401
import older  # noqa: F401
import regions  # noqa: F401
import rewritten  # noqa: F401
import series  # noqa: F401
import spectral  # noqa: F401
import text  # noqa: F401
import variants  # noqa: F401
import vision  # noqa: F401
from cases import CASES, Case, Feed, Shape, is_layer
from recipes import sane_weights

NEWEST = "3.3.1"
if paddle.__version__ == NEWEST:  # older ones lack some of the names
    import operators  # noqa: F401

OLDER = """tiny_cnn upsample paddings norms if_nested greedy_decode list_append slanet
    fn_f_leaky_relu2 fn_f_softplus2 fn_p_pad3d fn_f_group_norm fn_expand_as
    fn_kthvalue fn_repeat_interleave fn_p_bilinear fn_p_norm fn_p_avg_pool3d fn_p_lp_pool2d
    fn_logit""".split()
"""What older versions export for the tests: operators that changed, and some models."""

FAMILIES = ("dense", "detectors", "encoders", "regions", "series")
"""Modules of networks that PaddleX publishes, a fixture of their own."""


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
    else:
        save_layer(case, target, folder)
    if case.after:
        case.after(folder)
    if case.by_predictor:
        inputs = {f"{k}.in.{n}": a for k, run in enumerate(case.runs) for n, a in run.items()}
        save(case, folder, inputs | predicted(folder, inputs))


def save_layer(case: Case, target: Any, folder: Path) -> None:
    """What paddle.jit.save writes."""
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


def save(case: Case, folder: Path, arrays: Feed) -> None:
    np.savez(folder / "io.npz", tol=np.array(case.tol), **arrays)


def pack(root: Path) -> None:
    """Writes the fixtures of the tests, bytewise the same each time."""
    target = Path(__file__).parents[1] / "data" / "pir"
    target.mkdir(exist_ok=True)
    if paddle.__version__ != NEWEST:
        write_zip(target / f"{paddle.__version__}.zip", root, OLDER, f"{paddle.__version__}_")
        return
    names = [name for name in CASES if not name.startswith("zoo_")]
    functions = [name for name in names if name.startswith("fn_")]
    complex_numbers = [name for name in names if name.startswith("z_")]
    families = [name for name in names if CASES[name].target.__module__ in FAMILIES]
    models = [name for name in names if name not in (*functions, *complex_numbers, *families)]
    for kind, found in (
        ("functions", functions),
        ("families", families),
        ("spectral", complex_numbers),
        ("models", models),
    ):
        write_zip(target / f"{kind}.zip", root, found)


def write_zip(path: Path, root: Path, names: list[str], prefix: str = "") -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            for file in sorted((root / name).iterdir()):
                entry = zipfile.ZipInfo(f"{prefix}{name}/{file.name}")
                archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED, 9)


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
            executor.run(paddle.static.default_startup_program())
            prefix = str(folder / "inference")
            paddle.static.save_inference_model(prefix, feeds, results, executor, **case.options)
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
    if paddle.__version__ == "3.0.0" and not (folder / "inference.pdiparams").exists():
        return ""  # that version's predictor demands parameters
    arrays = np.load(folder / "io.npz")
    for key, got in predicted(folder, arrays).items():
        want = arrays[key]
        if got.shape != want.shape or got.dtype != want.dtype:
            return f"{key} is {got.dtype}{got.shape}, {want.dtype}{want.shape}"
        if not np.allclose(got, want, 1e-3, 1e-4 * np.abs(want).max(initial=1), True):
            return f"{key}: {got.ravel()[:8]} for {want.ravel()[:8]}"
    return ""


REAL = {
    "PP-OCRv5_mobile_det": [(1, 3, 96, 128), (1, 3, 160, 64)],
    "PP-OCRv5_mobile_rec": [(1, 3, 48, 160), (2, 3, 48, 320)],
}


def lines_of_glyphs(shape: tuple[int, int, int, int], seed: int) -> np.ndarray:
    """Dark glyphs of random dots on white, in lines: what a detector of text answers with ones."""
    glyph = np.ones((3, 2))
    pictures = np.ones(shape, np.float32)
    random = np.random.default_rng(seed)
    for top in range(shape[2] // 6, shape[2] - 16, 32):
        for left in range(8, shape[3] - 16, 10):
            dots = np.where(random.random((4, 3)) < 0.55, -1.0, 1.0)
            pictures[..., top : top + 12, left : left + 6] = np.kron(dots, glyph)
    return pictures


def real(models: Path, root: Path) -> None:
    """Copies the published models below `models`, with what Paddle's predictor computes."""
    for name, shapes in REAL.items():
        (program,) = models.rglob(f"{name}/inference.json")
        folder = root / f"real_{name}"
        folder.mkdir(parents=True, exist_ok=True)
        for file in (program, program.with_suffix(".pdiparams")):
            shutil.copy(file, folder)
        inputs = {f"{run}.in.x": lines_of_glyphs(shape, run) for run, shape in enumerate(shapes)}
        np.savez(folder / "io.npz", **inputs, **predicted(folder, inputs))


def main(root: str, names: list[str]) -> int:
    warnings.filterwarnings("ignore")
    failed = []
    names = names or list(CASES if paddle.__version__ == NEWEST else OLDER)
    for name in names:
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
    print(f"{len(names) - len(failed)} exported, failed: {failed}")
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1] == "--pack":
        pack(Path(sys.argv[2]))
    elif sys.argv[1] == "--real":
        real(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        sys.exit(main(sys.argv[1], sys.argv[2:]))
