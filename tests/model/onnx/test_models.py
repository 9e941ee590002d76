"""Whole models through onnxruntime against Paddle 2.6.2: those of tests/models, and real ones."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import paddle_oracle
import pytest

import lite
from lite.errors import UnsupportedOperatorError
from lite.model.load import load_program
from lite.model.onnx import export_model

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "models")]

from onnx_runs import export_and_run, session, worst_difference

if TYPE_CHECKING or paddle_oracle.available():
    import make_models
    from recipes import RECIPES

    NAMES = [name for name, recipe in RECIPES.items() if not recipe.slow]
else:
    NAMES = ["needs paddlepaddle 2.6"]

needs_paddle = pytest.mark.skipif(not paddle_oracle.available(), reason="needs paddlepaddle 2.6")

REFUSED = {
    "yolov3": ["multiclass_nms3"],  # nms_eta
    "edge_old_nms": ["multiclass_nms"],
    "sentiment_lstm": ["lstm", "sequence_pool"],
    "sentiment_unpad": ["lstm", "sequence_pool", "sequence_unpad"],
    "word_ranking": ["crf_decoding", "gru", "lod_reset", "sequence_pool"],
    "crnn_fluid": ["ctc_align", "gru", "im2sequence"],
    "empty_sequences": ["gru", "lstm", "sequence_pool"],
}
"""The models with operators that ONNX cannot hold, and these."""

ANOTHER = {
    "edge_special_pool": "onnxruntime's largest of NaN and a number is the number",
}


@pytest.mark.paddle
@needs_paddle
@pytest.mark.parametrize("name", NAMES)
def test_model(name: str, tmp_path: Path) -> None:
    recipe = RECIPES[name]
    folder, feeds = make_models.make(recipe, str(tmp_path)), recipe.feeds()
    program = load_program(folder)
    if name in REFUSED:
        with pytest.raises(UnsupportedOperatorError) as refused:
            export_model(program)
        assert all(f" {type}" in str(refused.value) for type in REFUSED[name])
        assert "\n" not in str(refused.value)
        return
    expected = make_models.oracle(folder, feeds)
    model = export_model(program)
    assert [info.name for info in model.graph.input] == program.feed_names()
    running = session(model)
    for feed, results in zip(feeds, expected, strict=True):
        plain = {k: v[0] if isinstance(v, tuple) else v for k, v in feed.items()}
        wanted = [array for array, _ in results.values()]
        worst = worst_difference(running.run(None, plain), wanted)
        assert worst <= max(recipe.tol, 1e-4) or name in ANOTHER


@pytest.mark.models
@pytest.mark.parametrize(
    ("model", "shapes"),
    [
        ("ch_PP-OCRv4_det_infer", [(1, 3, 64, 96), (1, 3, 96, 64)]),
        ("ch_PP-OCRv4_rec_infer", [(1, 3, 48, 80), (2, 3, 48, 160)]),
        ("ch_ppocr_mobile_v2.0_cls_infer", [(1, 3, 48, 192), (3, 3, 48, 192)]),
    ],
)
def test_real_model(model: str, shapes: list[tuple[int, ...]]) -> None:
    root = os.environ.get("LITE_TEST_MODELS")
    if not root:
        pytest.skip("LITE_TEST_MODELS is not set")
    found = sorted(Path(root).rglob(f"{model}/*.pdmodel"))
    assert found, f"{root} has no {model}"
    program = load_program(found[0])
    predictor = lite.load(found[0])
    (name,) = program.feed_names()
    for seed, shape in enumerate(shapes):
        x = np.random.default_rng(seed).standard_normal(shape, np.float32)
        wanted = list(predictor.run({name: x}).values())
        assert worst_difference(export_and_run(program, {name: x}), wanted) <= 1e-4
