"""Real trained models against Paddle Inference, shape after shape in one predictor.

LITE_TEST_MODELS names the folder that tests/fetch_models.py fills; needs paddlepaddle 2.6.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lite
from lite import CxxConfig, MobileConfig, create_paddle_predictor
from lite.api.build import Source

pytestmark = [pytest.mark.models, pytest.mark.paddle]
TOLERANCE = 1e-4

# name -> shapes of one input each
OCR = {
    "ch_PP-OCRv4_det_infer": [(1, 3, 160, 224), (2, 3, 64, 96), (1, 3, 320, 96)],
    "ch_PP-OCRv4_rec_infer": [(1, 3, 48, 160), (3, 3, 48, 100), (1, 3, 48, 320)],
    "ch_ppocr_mobile_v2_cls_infer": [(1, 3, 48, 192), (4, 3, 48, 192), (1, 3, 48, 100)],
    "ch_PP-OCRv3_det_infer": [(1, 3, 160, 224), (2, 3, 64, 96), (1, 3, 320, 96)],
    "ch_PP-OCRv3_rec_infer": [(1, 3, 48, 160), (3, 3, 48, 100), (1, 3, 48, 320)],
    "uci_housing_model": [(1, 13), (7, 13), (2, 13)],
}


def find(name: str) -> Path:
    """The model's folder. Missing models fail in CI and skip elsewhere."""
    folder = os.environ.get("LITE_TEST_MODELS")
    found = sorted(Path(folder).rglob(name)) if folder else []
    if not found:
        message = f"LITE_TEST_MODELS ({folder}) has no {name}; run tests/fetch_models.py"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return found[0]


def picture(shape: tuple[int, ...], seed: int) -> np.ndarray:
    """Dark strokes on white for images (noise alone leaves detectors' outputs at zero)."""
    rng = np.random.default_rng(seed)
    if len(shape) != 4:
        return rng.standard_normal(shape, dtype=np.float32)
    x = np.ones(shape, np.float32)
    for _ in range(10):
        top, left = rng.integers(0, shape[2] - 12), rng.integers(0, max(1, shape[3] - 40))
        x[:, :, top : top + 10, left : left + 36] = rng.choice([-1.5, 0.2])
    return x + 0.05 * rng.standard_normal(shape, dtype=np.float32)


def paddle_predictor(folder: Path) -> Any:
    """Paddle Inference without its own optimisations."""
    inference = pytest.importorskip("paddle.inference")
    programs = [p for p in folder.glob("*.pdmodel") if not p.name.startswith("._")]
    if programs:
        config = inference.Config(str(programs[0]), str(programs[0].with_suffix(".pdiparams")))
    else:
        config = inference.Config(str(folder))
    config.disable_gpu()
    config.disable_glog_info()
    config.switch_ir_optim(False)
    return inference.create_predictor(config)


def expected(predictor: Any, x: np.ndarray) -> list[np.ndarray]:
    """Paddle's outputs for one input."""
    predictor.get_input_handle(predictor.get_input_names()[0]).copy_from_cpu(x)
    predictor.run()
    names = predictor.get_output_names()
    return [predictor.get_output_handle(name).copy_to_cpu() for name in names]


def predictors(folder: Path, scratch: Path) -> list[Any]:
    """The same model through CxxConfig and through paddle_lite_opt and MobileConfig."""
    cxx, mobile = CxxConfig(), MobileConfig()
    cxx.set_model_dir(str(folder))
    source = Source(model_dir=str(folder))
    mobile.set_model_from_file(source.save_naive_buffer(str(scratch / "model.nb")))
    return [create_paddle_predictor(cxx), create_paddle_predictor(mobile)]


@pytest.mark.parametrize("name", OCR)
def test_back_and_forth(name: str, tmp_path: Path) -> None:
    folder = find(name)
    paddle = paddle_predictor(folder)
    inputs = [picture(shape, seed) for seed, shape in enumerate(OCR[name])]
    results = [expected(paddle, x) for x in inputs]
    for predictor in predictors(folder, tmp_path):
        for index in (0, 1, 2, 1, 0, 2):
            predictor.get_input(0).from_numpy(inputs[index])
            predictor.run()
            for output, reference in enumerate(results[index]):
                ours = predictor.get_output(output).numpy()
                assert ours.shape == reference.shape
                assert ours.dtype == reference.dtype
                worst = np.abs(ours - reference).max() / np.abs(reference).max()
                assert worst <= TOLERANCE, f"{name} at {inputs[index].shape}: {worst:.2e}"


def test_the_packaged_sample_of_uci_housing() -> None:
    sample = [0.0137, -0.1136, 0.2553, -0.0692, 0.0582, -0.0727, -0.1583,
              -0.0584, 0.6283, 0.4919, 0.1856, 0.0795, -0.0332]  # fmt: skip
    (price,) = lite.load(find("uci_housing_model")).run([np.array([sample], np.float32)]).values()
    assert price[0, 0] == pytest.approx(18.901152, rel=1e-5)
