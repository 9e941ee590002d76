"""A model whose weights are worth packing."""

from __future__ import annotations

import itertools

import numpy as np
from api import tiny_models

from lite.model.program import OpDesc, Program

WIDTHS = (512, 768, 640, 512)


def deep(seed: int = 0) -> Program:
    """Products with more weights than the 4 MB from which on parts of a file are released."""
    rng = np.random.RandomState(seed)  # whose numbers are the same in every version
    ops, params, x = [], {}, "x"
    for i, (k, n) in enumerate(itertools.pairwise(WIDTHS)):
        params[f"w{i}"] = (rng.normal(size=(k, n)) / np.sqrt(k)).astype(np.float32)
        ops.append(tiny_models._op("matmul_v2", {"X": x, "Y": f"w{i}"}, f"y{i}",
                                   trans_x=False, trans_y=False))  # fmt: skip
        x = f"y{i}"
    return tiny_models._program({"x": ("float32", (-1, WIDTHS[0]))}, ops, [x], params)


def convolutions() -> Program:
    """A convolution of every kind that is packed by itself."""
    rng = np.random.RandomState(0)
    ops, params, x = [], {}, "x"
    for i, (oc, ic, kernel) in enumerate([(32, 16, 3), (32, 1, 3), (24, 32, 1), (2, 24, 3)]):
        limit = np.sqrt(ic * kernel * kernel)
        params[f"w{i}"] = (rng.normal(size=(oc, ic, kernel, kernel)) / limit).astype(np.float32)
        groups = 32 if ic == 1 else 1
        conv = tiny_models._op("conv2d", {"Input": x, "Filter": f"w{i}"}, f"y{i}", groups=groups)
        ops.append(OpDesc(conv.type, conv.inputs, {"Output": [f"y{i}"]}, conv.attrs))
        x = f"y{i}"
    return tiny_models._program({"x": ("float32", (-1, 16, 16, 16))}, ops, [x], params)


def integers() -> Program:
    """Products of bytes: weights of a normal distribution, and even ones up to 127."""
    rng = np.random.RandomState(0)
    weights = [
        np.clip(np.rint(rng.normal(0, 28, (96, 80))), -127, 127),
        rng.randint(-127, 128, (80, 40)),
    ]
    ops, params, x = [], {}, "x"
    for i, weight in enumerate(weights):
        params[f"w{i}"], params[f"s{i}"] = weight.astype(np.int8), np.full(1, 0.01, np.float32)
        inputs = {"X": x, "Y": f"w{i}", "Scales": f"s{i}"}
        ops.append(tiny_models._op("dynamic_quantize_matmul", inputs, f"y{i}"))
        x = f"y{i}"
    return tiny_models._program({"x": ("float32", (-1, 96))}, ops, [x], params)
