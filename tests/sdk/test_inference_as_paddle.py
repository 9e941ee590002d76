"""The C++ API of Paddle Inference beside Paddle's own predictor, on the models of its scripts."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from .conftest import compiled, sdk
from .inference_program import TOOL, Case, run_case

pytestmark = pytest.mark.paddle
MAKER = Path(__file__).parents[1] / "inference" / "make_models.py"
RANDOM = np.random.RandomState(5)
IMAGES = RANDOM.rand(2, 3, 17, 20).astype(np.float32)
CASES: dict[str, tuple[Mapping[str, np.ndarray], Mapping[str, list[int]]]] = {
    "classify": ({"image": IMAGES}, {}),
    "tokens": (
        {"ids": RANDOM.randint(0, 50, (2, 7)), "mask": RANDOM.rand(2, 7) > 0.4},
        {},
    ),
    "sequence": ({"words": RANDOM.rand(6, 4).astype(np.float32)}, {"words": [0, 1, 4, 6]}),
    "detect": (
        {
            "image": IMAGES,
            "im_shape": np.array([[17, 20], [34, 40]], np.float32),
            "scale_factor": np.array([[0.5, 0.5], [2, 2]], np.float32),
        },
        {},
    ),
    "pixels": ({"pixels": RANDOM.randint(0, 256, (3, 6)).astype(np.uint8)}, {}),
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("tool") / "inference_tool"
    return compiled(output, [TOOL], *sdk("--libs", "inference"))


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("paddle") is None:
        pytest.skip("needs paddlepaddle")
    root = tmp_path_factory.mktemp("models")
    subprocess.run([sys.executable, str(MAKER), str(root)], check=True, capture_output=True)
    return root


@pytest.mark.parametrize("name", CASES)
@pytest.mark.usefixtures("converter")
def test_as_paddle(name: str, program: Path, models: Path, tmp_path: Path) -> None:
    from paddle.inference import Config, create_predictor

    program_file, params = (models / name / f"inference.{end}" for end in ("pdmodel", "pdiparams"))
    files = [str(program_file), str(params) if params.exists() else ""]
    inputs, lods = CASES[name]
    config = Config(*files)
    config.disable_glog_info()
    predictor = create_predictor(config)
    for key, array in inputs.items():
        predictor.get_input_handle(key).copy_from_cpu(array)
        if key in lods:
            predictor.get_input_handle(key).set_lod([lods[key]])
    predictor.run()
    expected = [
        predictor.get_output_handle(output).copy_to_cpu() for output in predictor.get_output_names()
    ]
    words = [f"model={files[0]}", f"params={files[1]}"]
    found, _ = run_case(program, Case(words, inputs, lods), tmp_path / "run")
    assert len(found) == len(expected)
    for ours, real in zip(found, expected, strict=True):
        assert (ours.shape, ours.dtype) == (real.shape, real.dtype)
        np.testing.assert_allclose(ours, real, 2e-5, 2e-5)
