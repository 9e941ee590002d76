"""Makes the models of the scripts with paddlepaddle 2.6: ``python make_models.py FOLDER``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import paddle
from paddle import static

Values = list[Any]


def classify() -> tuple[Values, Values]:
    """A small convolutional classifier of images of any size."""
    x = static.data("image", [-1, 3, -1, -1], "float32")
    y = static.nn.conv2d(x, 8, 3, stride=2, padding=1, bias_attr=False)
    y = static.nn.batch_norm(y, act="relu", is_test=True)
    y = static.nn.conv2d(y, 16, 3, padding=1, groups=8, act="relu")
    y = paddle.nn.functional.adaptive_avg_pool2d(y, 1)
    return [x], [static.nn.fc(paddle.flatten(y, 1), 10, activation="softmax")]


def tokens() -> tuple[Values, Values]:
    """Token ids and a mask to a score, the best token's id and whether any token counts."""
    ids = static.data("ids", [-1, -1], "int64")
    mask = static.data("mask", [-1, -1], "bool")
    rows = static.nn.embedding(ids, [50, 6])
    kept = rows * paddle.cast(mask, "float32").unsqueeze(-1)
    score = static.nn.fc(kept.sum(1), 4)
    return [ids, mask], [score, paddle.argmax(score, axis=-1), paddle.any(mask, axis=-1)]


def sequence() -> tuple[Values, Values]:
    """Means of sequences of any length (LoD), and the rows with doubled values."""
    x = static.data("words", [-1, 4], "float32", lod_level=1)
    return [x], [static.nn.sequence_pool(x, "average"), x * 2.0]


def detect() -> tuple[Values, Values]:
    """Three inputs as detectors have them; boxes, and how many there are."""
    shape = static.data("im_shape", [-1, 2], "float32")
    image = static.data("image", [-1, 3, -1, -1], "float32")
    factor = static.data("scale_factor", [-1, 2], "float32")
    y = static.nn.conv2d(image, 4, 3, act="relu").mean([2, 3])
    boxes = y * paddle.concat([shape / factor] * 2, axis=-1)
    return [shape, image, factor], [boxes, paddle.shape(boxes)[0:1]]


def pixels() -> tuple[Values, Values]:
    """Bytes in, doubles and integers out."""
    x = static.data("pixels", [-1, 6], "uint8")
    wide = paddle.cast(x, "float64")
    return [x], [wide.mean(-1), paddle.cast(wide.sum(-1), "int32")]


MODELS: list[Callable[[], tuple[Values, Values]]] = [classify, tokens, sequence, detect, pixels]


def save(make: Callable[[], tuple[Values, Values]], root: Path) -> None:
    """One model as ``.pdmodel``; the classifier also in the form before 2.0."""
    main, startup = static.Program(), static.Program()
    paddle.seed(7)
    with static.program_guard(main, startup), paddle.utils.unique_name.guard():
        feeds, fetches = make()
    executor = static.Executor(paddle.CPUPlace())
    executor.run(startup)
    folder = root / make.__name__
    static.save_inference_model(str(folder / "inference"), feeds, fetches, executor, program=main)
    if make is classify:
        old = root / "old"
        old.mkdir()
        (old / "__model__").write_bytes((folder / "inference.pdmodel").read_bytes())
        saved = static.io.normalize_program(main, feeds, fetches)
        variables = [v for v in saved.list_vars() if v.persistable and v.name not in _PLUMBING]
        static.io.save_vars(executor, str(old), main, vars=variables)


_PLUMBING = ("feed", "fetch")

if __name__ == "__main__":
    paddle.enable_static()
    for model in MODELS:
        save(model, Path(sys.argv[1]))
