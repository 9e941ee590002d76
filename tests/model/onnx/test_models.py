"""Whole models through onnxruntime against Paddle 2.6.2: those of tests/models, and real ones.

Written as `.pdmodel` again, Paddle makes the same of them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import paddle_oracle
import pytest
from model.onnx.onnx_runs import session, worst_difference
from models import test_real

import lite
from lite.errors import UnsupportedOperatorError
from lite.model.load import load_program
from lite.model.onnx import export_model
from lite.model.save import write_pdmodel_files

sys.path.insert(0, str(Path(__file__).parents[2] / "models"))

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
    "rewritten_sentiment_lstm": ["lstm", "sequence_pool"],
    "word_ranking": ["crf_decoding", "gru", "lod_reset", "sequence_pool"],
    "rewritten_word_ranking": ["crf_decoding", "gru", "lod_reset", "sequence_pool"],
    "fused_layers": ["gru", "lstm", "sequence_pool"],
    "dynamic_rnn": ["lod_rank_table", "lod_tensor_to_array", "shrink_rnn_memory"],
    "crnn_fluid": ["ctc_align", "gru", "im2sequence"],
    "empty_sequences": ["gru", "lstm", "sequence_pool"],
}
"""The models with operators that ONNX cannot hold, and these."""

OLD_ROUNDING = ("qat_convolutions_fake", "ptq_convolutions_fake", "ptq_attention_fake")
"""Paddle's older form rounds halves away from zero and has no -128, as QuantizeLinear has."""

QUANTISED = ("qat_", "ptq_")
"""Multiplied in floats by onnxruntime: its products of bytes saturate on some CPUs."""

FUSED = ("rewritten_", "fused_")
"""Written as the operators before Paddle fused them, which round elsewhere."""

ANOTHER = {
    "edge_special_pool": "onnxruntime's largest of NaN and a number is the number",
}


def assert_same(
    again: list[make_models.Outputs], expected: list[make_models.Outputs], limit: float
) -> None:
    """What Paddle makes of a program that was read and written again; a limit of 0: every bit."""
    for one, other in zip(again, expected, strict=True):
        for (array, lod), (wanted, levels) in zip(one.values(), other.values(), strict=True):
            if limit:
                assert worst_difference([array], [wanted]) <= limit
            else:
                np.testing.assert_array_equal(array, wanted)
            assert lod == levels


@pytest.mark.paddle
@needs_paddle
@pytest.mark.parametrize("name", NAMES)
def test_model(name: str, tmp_path: Path) -> None:
    recipe = RECIPES[name]
    folder, feeds = make_models.make(recipe, str(tmp_path)), recipe.feeds()
    program = load_program(folder)
    expected = make_models.oracle(folder, feeds)
    (tmp_path / "again").mkdir()
    write_pdmodel_files(program, str(tmp_path / "again" / "model.pdmodel"))
    written = make_models.oracle(str(tmp_path / "again"), feeds)
    assert_same(written, expected, 1e-5 if name.startswith(FUSED) else 0)
    if name in REFUSED:
        with pytest.raises(UnsupportedOperatorError) as refused:
            export_model(program)
        assert all(f" {type}" in str(refused.value) for type in REFUSED[name])
        assert "\n" not in str(refused.value)
        return
    model = export_model(program)
    assert [info.name for info in model.graph.input] == program.feed_names()
    running = session(model, optimized=not name.startswith(QUANTISED))
    for feed, results in zip(feeds, expected, strict=True):
        plain = {k: v[0] if isinstance(v, tuple) else v for k, v in feed.items()}
        wanted = [array for array, _ in results.values()]
        worst = worst_difference(running.run(None, plain), wanted)
        limit = 5e-3 if name.startswith(OLD_ROUNDING) else max(recipe.tol, 1e-4)
        assert worst <= limit or name in ANOTHER


@pytest.mark.models
@pytest.mark.parametrize("name", test_real.OCR)
def test_real_model(name: str) -> None:
    folder = test_real.find(name)
    program = load_program(folder)
    predictor = lite.load(folder)
    (x,) = program.feed_names()
    running = session(export_model(program))
    for seed, shape in enumerate(test_real.OCR[name]):
        array = test_real.picture(shape, seed)
        wanted = list(predictor.run({x: array}).values())
        # onnxruntime's Sigmoid is right within 1e-7 of 1, which these outputs may be far below.
        assert worst_difference(running.run(None, {x: array}), wanted, floor=1e-2) <= 1e-4
