"""Models and `.nb` files between this framework and the real Paddle Lite, with errors measured."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import lite

from .interpreters import Interpreter, run_script

SHAPES: dict[str, tuple[int, ...]] = {
    "mobilenet_v1": (1, 3, 224, 224),
    "resnet18": (2, 3, 224, 224),
    "ch_PP-OCRv4_det_infer": (1, 3, 320, 320),
    "ch_PP-OCRv4_rec_infer": (1, 3, 48, 160),
    "ch_ppocr_mobile_v2_cls_infer": (1, 3, 48, 192),
}
EXPORTED = ("mobilenet_v1", "resnet18")

# The opt of 2.13 crashes on flatten for x86 (SIGSEGV in its own optimiser).
OPT_CRASHES = {("v2.13-rc", "x86", name) for name in EXPORTED}


@dataclass(frozen=True)
class Case:
    """A model with an input and Paddle's outputs for it."""

    name: str
    prefix: str
    input_path: Path
    expected: list[np.ndarray[Any, Any]]


def picture(shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Dark strokes on a light ground with some noise, normalised like a photo."""
    random = np.random.default_rng(11)
    image = np.full(shape, 0.9, np.float32)
    height, width = shape[2:]
    for _ in range(60):
        top, left = random.integers(0, height - 8), random.integers(0, width - 8)
        tall, wide = random.integers(2, 8, 2)
        image[:, :, top : top + tall, left : left + 2 * wide] = random.random() * 0.3
    return ((image + random.normal(0, 0.02, shape) - 0.5) / 0.5).astype(np.float32)


def model_prefix(name: str, exported: Path) -> str | None:
    """The path of a model without its suffix, or None where it is not to be had."""
    if name in EXPORTED:
        return str(exported / name / "inference")
    root = os.environ.get("LITE_TEST_MODELS")
    found = sorted(Path(root).rglob(f"{name}/inference.pdmodel")) if root else []
    return str(found[0].with_suffix("")) if found else None


def make_case(name: str, prefix: str, paddle: Interpreter, folder: Path) -> Case:
    """Asks Paddle for the outputs."""
    input_path, output_path = folder / f"{name}.npy", folder / f"{name}.npz"
    np.save(input_path, picture(SHAPES[name]))
    status = run_script(
        paddle, "paddle_side.py", "infer", prefix, str(input_path), str(output_path)
    )
    assert status == 0, f"Paddle ended with {status}"
    return Case(name, prefix, input_path, _outputs(output_path))


def _outputs(path: Path) -> list[np.ndarray[Any, Any]]:
    with np.load(path) as archive:
        return [archive[f"out{i}"] for i in range(len(archive.files))]


def error(results: list[np.ndarray[Any, Any]], case: Case) -> float:
    """The largest difference, relative to the largest expected output."""
    assert len(results) == len(case.expected)
    worst = 0.0
    for result, expected in zip(results, case.expected, strict=True):
        assert result.shape == expected.shape
        assert np.isfinite(result).all()
        difference = np.abs(result.astype(np.float64) - expected).max()
        worst = max(worst, float(difference / np.abs(expected).max()))
    return worst


def our_nb(case: Case, folder: Path, target: str = "x86") -> str:
    """The model converted by our Opt."""
    opt = lite.Opt()
    opt.set_model_file(f"{case.prefix}.pdmodel")
    opt.set_param_file(f"{case.prefix}.pdiparams")
    opt.set_valid_places(target)
    opt.set_optimize_out(str(folder / f"ours_{case.name}_{target}"))
    opt.run()
    return str(folder / f"ours_{case.name}_{target}.nb")


def real_nb(case: Case, real: Interpreter, target: str, folder: Path) -> str | None:
    """The model converted by a real opt, or None where that crashes."""
    out = folder / f"real_{real.lite_version}_{case.name}_{target}"
    status = run_script(real, "real_lite_side.py", "opt", case.prefix, str(out), target)
    return f"{out}.nb" if status == 0 else None


def run_real(nb: str, case: Case, real: Interpreter, folder: Path) -> list[np.ndarray[Any, Any]]:
    """What a real light predictor computes. AssertionError where it dies."""
    out = folder / "real_out.npz"
    out.unlink(missing_ok=True)
    status = run_script(real, "real_lite_side.py", "run", nb, str(case.input_path), str(out))
    assert status == 0, f"real Paddle Lite {real.lite_version} ended with {status}"
    return _outputs(out)


def run_ours(nb: str, case: Case) -> list[np.ndarray[Any, Any]]:
    """What our light predictor computes."""
    config = lite.MobileConfig()
    config.set_model_from_file(nb)
    predictor = lite.create_paddle_predictor(config)
    predictor.get_input(0).from_numpy(np.load(case.input_path))
    predictor.run()
    return [predictor.get_output(i).numpy() for i in range(len(case.expected))]
