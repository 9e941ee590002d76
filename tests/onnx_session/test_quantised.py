"""What onnxruntime.quantization writes of calibrated networks, and what tools write like it."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from onnx_session.quantised_networks import (
    A_STEP,
    S8,
    SIZE,
    U8,
    Calibration,
    Network,
    convolutions,
    draw,
    off,
    products_in_int8,
    reference,
    run,
    without_optimizer,
)
from onnxruntime.quantization import QuantFormat, quantize_static

import lite
from lite.api.build import Source
from lite.model.onnx import export_model

TYPES = [(U8, S8), (U8, U8), (S8, S8)]
CASES = list(itertools.product(TYPES, (False, True), (False, True)))


@pytest.mark.parametrize(("types", "per_channel", "symmetric"), CASES)
@pytest.mark.parametrize("format", list(QuantFormat))
def test_static(
    tmp_path: Path, format: QuantFormat, types: Any, per_channel: bool, symmetric: bool
) -> None:
    plain, path = tmp_path / "plain.onnx", tmp_path / "quantised.onnx"
    onnx.save(convolutions(), plain)
    integers = format is QuantFormat.QOperator
    quantize_static(
        plain,
        path,
        Calibration(),
        quant_format=format,
        op_types_to_quantize=["Conv", "MatMul", "MaxPool"] if integers else None,
        activation_type=types[0],
        weight_type=types[1],
        per_channel=per_channel,
        extra_options={"ActivationSymmetric": symmetric},
    )
    x = draw(4, 3, SIZE, SIZE)
    expected = (reference if integers else without_optimizer)(path, x)
    assert off(run(path, x), expected) < A_STEP
    # Weights without sign are not symmetric: their steps are moved into 8 bits, but for groups.
    found = products_in_int8(path)
    assert found == (5 if integers else 6) if types[1] is S8 else found >= 4


@pytest.mark.parametrize("types", TYPES)
def test_written_again(tmp_path: Path, types: Any) -> None:
    plain, again = tmp_path / "plain.onnx", tmp_path / "again.onnx"
    onnx.save(head(), plain)
    path = quantised(plain, tmp_path / "as_int8", types)
    model = export_model(Source(model_file=str(path)).read())
    onnx.save(model, again)
    # ONNX Runtime multiplies in integers where a convolution has its bias itself.
    with_bias = [len(node.input) == 3 for node in model.graph.node if node.op_type == "Conv"]
    assert (len(with_bias), sum(with_bias)) == (8, 7)
    assert products_in_int8(again) == products_in_int8(path) == 8
    x = draw(4, 3, SIZE, SIZE)
    assert off(run(again, x), run(path, x)) < A_STEP
    assert off(without_optimizer(again, x), without_optimizer(path, x)) < A_STEP


def test_a_large_weight_stays_in_integers(tmp_path: Path) -> None:
    n, size = Network(4), 4200  # 70 MB of floats
    n.params |= {
        "w": n.rng.integers(-127, 128, (size, size), np.int8),
        "scale": np.array(0.01, np.float32),
        "zero": np.array(0, np.int8),
    }
    rows = n.add("DequantizeLinear", n.add("QuantizeLinear", "x", "scale", "zero"), "scale", "zero")
    result = n.add("MatMul", rows, n.add("DequantizeLinear", "w", "scale", "zero"))
    path, x = tmp_path / "large.onnx", np.clip(draw(3, size), -1, 1)
    onnx.save(n.model(["N", size], result), path)
    assert products_in_int8(path) == 1
    (made,) = lite.load(path).run({"x": x}).values()
    integers = np.rint(x / np.float32(0.01)).astype(np.int64) @ n.params["w"].astype(np.int64)
    np.testing.assert_allclose(made, integers * 1e-4, rtol=1e-5)


def bottlenecks() -> onnx.ModelProto:
    """Two blocks that are added to what they read, one of them with a convolution in each channel;
    their widths and the picture's leave rests in every instruction set."""
    n, c = Network(2), 20
    x = n.add("Relu", n.add("Conv", "x", n.weight(c, 3, 3, 3), n.weight(c), pads=[1] * 4))
    for group in (1, 24):
        narrow = n.add("Relu", n.add("Conv", x, n.weight(24, c, 1, 1), n.weight(24)))
        weight = n.weight(24, 24 // group, 3, 3)
        deep = n.add("Relu", n.add("Conv", narrow, weight, pads=[1] * 4, group=group))
        wide = n.add("Conv", deep, n.weight(c, 24, 1, 1), n.weight(c))
        x = n.add("Relu", n.add("Add", wide, x))
    return n.model(["N", 3, SIZE, SIZE], n.add("Conv", x, n.weight(7, c, 1, 1), strides=[2, 2]))


def gates() -> onnx.ModelProto:
    """Functions of one value between convolutions, joined, pooled and scaled by channel."""
    n, c = Network(3), 20
    n.params |= {"a": np.array([0.7], np.float32), "b": np.array([0.1], np.float32)}
    x = n.add("Conv", "x", n.weight(c, 3, 3, 3), n.weight(c), pads=[1] * 4)
    hard = n.add("Mul", x, n.add("HardSigmoid", x, alpha=1 / 6))
    hard = n.add("Add", n.add("Mul", hard, "a"), "b")
    x = n.add("Conv", hard, n.weight(c, 1, 5, 5), pads=[2] * 4, group=c)
    smooth = n.add("Mul", n.add("Sigmoid", x), x)
    deep = n.add("Conv", smooth, n.weight(c, 1, 3, 3), n.weight(c), pads=[1] * 4, group=c)
    wide = n.add("Conv", deep, n.weight(c, c, 1, 1))
    gate = n.add("Mul", wide, n.add("HardSigmoid", wide))
    x = n.add("Conv", n.add("Concat", deep, gate, axis=1), n.weight(c, 2 * c, 1, 1))
    scale = n.add("Conv", n.add("GlobalAveragePool", x), n.weight(c, c, 1, 1))
    x = n.add("Mul", x, n.add("HardSigmoid", scale))
    return n.model(["N", 3, SIZE, SIZE], n.add("Conv", x, n.weight(7, c, 1, 1), strides=[2, 2]))


def joins() -> onnx.ModelProto:
    """Parts of several scales, one of them in floats, to one picture."""
    n, c = Network(6), 20
    x = n.add("Relu", n.add("Conv", "x", n.weight(c, 3, 3, 3), n.weight(c), pads=[1] * 4))
    parts = [
        n.add("Relu", n.add("Conv", x, n.weight(70, c, 1, 1))),
        n.add("Conv", x, n.weight(9, c, 3, 3), n.weight(9), pads=[1] * 4),
    ]
    parts.append(n.add("Relu", n.add("Conv", parts[0], n.weight(33, 70, 1, 1))))
    scale = n.add("Conv", n.add("GlobalAveragePool", parts[1]), n.weight(c, 9, 1, 1))
    x = n.add("Conv", n.add("Concat", *parts, axis=1), n.weight(c, 112, 1, 1), n.weight(c))
    x = n.add("Mul", x, n.add("HardSigmoid", scale))
    return n.model(["N", 3, SIZE, SIZE], n.add("Conv", x, n.weight(7, c, 1, 1), strides=[2, 2]))


def perceptron() -> onnx.ModelProto:
    """GELU as exporters write it, of two functions of one value, between products of matrices."""
    n = Network(5)
    n.params |= {"half": np.float32([0.5]), "one": np.float32([1]), "root": np.float32([2**0.5])}
    x = n.add("Add", n.add("MatMul", "x", n.weight(SIZE, 90)), n.weight(90))
    erf = n.add("Add", n.add("Erf", n.add("Div", x, "root")), "one")
    gelu = n.add("Mul", n.add("Mul", x, "half"), erf)
    rows = n.add("MatMul", gelu, n.weight(90, 50))
    rows = n.add("MatMul", n.add("Sigmoid", rows), n.weight(50, 7))
    return n.model(["N", 3, SIZE, SIZE], rows)


def head() -> onnx.ModelProto:
    """Levels of a detector, whose convolutions have the same weights."""
    n, c = Network(10), 20
    x = n.add("Relu", n.add("Conv", "x", n.weight(c, 3, 3, 3), n.weight(c), pads=[1] * 4))
    weights = [n.weight(c, c, 3, 3), n.weight(c, 1, 3, 3), n.weight(9, c, 1, 1)]
    biases = [n.weight(c), n.weight(c), n.weight(9)]
    levels = []
    for _ in range(2):
        deep = n.add("Relu", n.add("Conv", x, weights[0], biases[0], pads=[1] * 4))
        deep = n.add("Relu", n.add("Conv", deep, weights[1], biases[1], pads=[1] * 4, group=c))
        levels.append(n.add("Conv", deep, weights[2], biases[2]))
        x = n.add("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
    scale = n.add("HardSigmoid", n.add("GlobalAveragePool", levels[1]))
    x = n.add("Mul", levels[0], scale)
    return n.model(["N", 3, SIZE, SIZE], n.add("Conv", x, n.weight(7, 9, 1, 1)))


def column() -> onnx.ModelProto:
    """A gate between products of one column, whose elements are rows."""
    n = Network(7)
    x = n.add("MatMul", "x", n.weight(SIZE, 1))
    x = n.add("Mul", x, n.add("HardSigmoid", x))
    return n.model(["N", 3, SIZE, SIZE], n.add("MatMul", x, n.weight(1, 7)))


def reshapes() -> onnx.ModelProto:
    """GELU between reshapes, behind each of which exporters round once more."""
    n = Network(8)
    n.params |= {
        "half": np.float32([0.5]), "one": np.float32([1]), "root": np.float32([2**0.5]),
        "flat": np.array([-1, SIZE]), "wide": np.array([-1, 3, 90]), "deep": np.array([-1, 90]),
        "back": np.array([-1, 3, SIZE, 7]),
    }  # fmt: skip
    x = n.add("Gemm", n.add("Reshape", "x", "flat"), n.weight(SIZE, 90), n.weight(90))
    x = n.add("Reshape", x, "wide")
    erf = n.add("Add", n.add("Erf", n.add("Div", x, "root")), "one")
    gelu = n.add("Mul", n.add("Mul", x, "half"), erf)
    rows = n.add("Gemm", n.add("Reshape", gelu, "deep"), n.weight(90, 7))
    return n.model(["N", 3, SIZE, SIZE], n.add("Reshape", rows, "back"))


def pooled() -> onnx.ModelProto:
    """What is joined and then pooled, or gone through a function, for two convolutions."""
    n, c = Network(9), 20
    x = n.add("Relu", n.add("Conv", "x", n.weight(c, 3, 3, 3), n.weight(c), pads=[1] * 4))
    for _ in range(2):
        parts = [
            n.add("Relu", n.add("Conv", x, n.weight(17, c, 1, 1), n.weight(17))),
            n.add("Relu", n.add("Conv", x, n.weight(40, c, 3, 3), n.weight(40), pads=[1] * 4)),
        ]
        x = n.add("MaxPool", n.add("Concat", *parts, axis=1), kernel_shape=[2, 2], strides=[2, 2])
        x = n.add("Conv", x, n.weight(c, 57, 1, 1))
    hard = n.add("Concat", x, n.add("Conv", x, n.weight(c, c, 1, 1)), axis=1)
    hard = n.add("Mul", hard, n.add("HardSigmoid", hard))
    return n.model(["N", 3, SIZE, SIZE], n.add("Conv", hard, n.weight(7, 2 * c, 1, 1)))


IN_BYTES = """
import sys, numpy, lite
x = numpy.load(sys.argv[1])
for model in sys.argv[2:]:
    predictor = lite.load(model, threads=2)
    for _ in range(2):
        y = next(iter(predictor.run({"x": x}).values()))
    numpy.save(model + ".npy", y)
    operators = predictor.profile({"x": x}, runs=1).operators
    print(sum("uint8" in op.kernel for op in operators))
    print(sum("fake_quantize_per_tensor_affine" in op.steps for op in operators))
"""


def in_floats(path: Path) -> Path:
    """The model with all that is rounded as outputs, which are floats."""
    model = onnx.load(path)
    there = {value.name for value in (*model.graph.input, *model.graph.output)}
    rounded = {node.input[0] for node in model.graph.node if node.op_type == "QuantizeLinear"}
    results = (name for node in model.graph.node for name in node.output)
    shown = [name for name in results if name in rounded - there]
    model.graph.output.extend(
        helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in shown
    )
    onnx.save(model, path.with_name("in_floats.onnx"))
    return path.with_name("in_floats.onnx")


def quantised(plain: Path, folder: Path, types: tuple[Any, Any]) -> Path:
    """The network with these types of activations and weights, in the folder."""
    folder.mkdir()
    path = folder / "quantised.onnx"
    quantize_static(
        plain, path, Calibration(), activation_type=types[0], weight_type=types[1], per_channel=True
    )
    return path


@pytest.mark.parametrize(
    ("network", "in_bytes"),
    [
        (bottlenecks, 7),
        (gates, 6),
        (perceptron, 3),
        (joins, 7),
        (head, 8),
        (column, 2),
        (reshapes, 3),
        (pooled, 14),
    ],
)
def test_what_stays_in_bytes_is_what_floats_hold(
    tmp_path: Path, network: Any, in_bytes: int
) -> None:
    plain, x = tmp_path / "plain.onnx", tmp_path / "x.npy"
    onnx.save(network(), plain)
    np.save(x, draw(3, 3, SIZE, SIZE))
    paths = [quantised(plain, tmp_path / str(at), types) for at, types in enumerate(TYPES)]
    models = [model for path in paths for model in (path, in_floats(path))]
    made: list[list[np.ndarray[Any, Any]]] = []
    for has_bytes in "10":
        environment = {**os.environ, "LITE_VNNI": has_bytes}
        command = [sys.executable, "-c", IN_BYTES, *map(str, (x, *models))]
        found = [int(word) for word in subprocess.check_output(command, env=environment).split()]
        assert found[::2] == [in_bytes, 0] * len(TYPES)
        assert min(found[3::4]) > 0  # folded operators have names
        made.append([np.load(f"{model}.npy") for model in models])
    for at, path in enumerate(paths):
        first, *others = (results[2 * at + floats] for results in made for floats in (0, 1))
        for other in others:
            np.testing.assert_array_equal(first, other)
        assert off(first, without_optimizer(path, np.load(x))) < A_STEP
