"""What onnxruntime.quantization writes, and what other tools write like it.

ONNX Runtime computes models of QuantizeLinear and DequantizeLinear in floats without its optimizer,
and so exactly; its products of bytes saturate on CPUs without VNNI, so models of integers are
compared with the reference of the onnx package.
"""

from __future__ import annotations

import itertools
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from onnxruntime.quantization import (
    CalibrationDataReader,
    QuantFormat,
    QuantType,
    quantize_dynamic,
    quantize_static,
)

import lite
from lite.api.build import Source

logging.getLogger().setLevel(logging.ERROR)  # of quantize_*, which advise to preprocess models

U8, S8 = QuantType.QUInt8, QuantType.QInt8
Arrays = dict[str, np.ndarray[Any, Any]]

SIZE = 20
A_STEP = 0.02
"""How far a result may be off, of its largest: roundings at a tie may go another way, which moves
what follows by a step of 1/255."""


class Network:
    """A small network that is built node by node."""

    def __init__(self, seed: int) -> None:
        self.nodes: list[Any] = []
        self.params: Arrays = {}
        self.rng = np.random.default_rng(seed)

    def add(self, type: str, *inputs: str, **attrs: Any) -> str:
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(type, inputs, [name], **attrs))
        return name

    def weight(self, *shape: int) -> str:
        name = f"w{len(self.params)}"
        fan = np.prod(shape[1:]) if len(shape) > 1 else 1
        drawn = self.rng.standard_normal(shape) * np.sqrt(2 / fan)
        self.params[name] = drawn.astype(np.float32)
        return name

    def model(self, shape: list[Any], result: str) -> onnx.ModelProto:
        value = helper.make_tensor_value_info
        graph = helper.make_graph(
            self.nodes,
            "network",
            [value("x", TensorProto.FLOAT, shape)],
            [value(result, TensorProto.FLOAT, None)],
            [numpy_helper.from_array(array, name) for name, array in self.params.items()],
        )
        sets = [helper.make_opsetid("", 21)]
        return helper.make_model(graph, opset_imports=sets, ir_version=10)


def convolutions() -> onnx.ModelProto:
    """Plain, depthwise and grouped convolutions, a sum, pooling, both products of matrices."""
    n, c = Network(0), 16
    first = n.add("Conv", "x", n.weight(c, 3, 3, 3), n.weight(c), pads=[1] * 4)
    pooled = n.add("MaxPool", n.add("Relu", first), kernel_shape=[2, 2], strides=[2, 2])
    deep = n.add("Conv", pooled, n.weight(c, 1, 3, 3), n.weight(c), pads=[1] * 4, group=c)
    added = n.add("Add", n.add("Conv", deep, n.weight(c, c, 1, 1)), pooled)
    grouped = {"pads": [1] * 4, "group": 2, "strides": [2, 2]}
    wide = n.add("Relu", n.add("Conv", added, n.weight(2 * c, c // 2, 3, 3), **grouped))
    flat = n.add("Flatten", n.add("GlobalAveragePool", wide))
    rows = n.add("Relu", n.add("Gemm", flat, n.weight(40, 2 * c), n.weight(40), transB=1))
    return n.model(["N", 3, SIZE, SIZE], n.add("MatMul", rows, n.weight(40, 10)))


def products() -> onnx.ModelProto:
    """Products of matrices; the last one has more summands than floats hold exactly."""
    n = Network(1)
    rows = n.add("Relu", n.add("MatMul", "x", n.weight(64, 96)))
    rows = n.add("Relu", n.add("Add", n.add("MatMul", rows, n.weight(96, 2000)), n.weight(2000)))
    return n.model(["N", "S", 64], n.add("MatMul", rows, n.weight(2000, 30)))


def draw(*shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(shape).standard_normal(shape).astype(np.float32)


class Calibration(CalibrationDataReader):
    """Three inputs."""

    def __init__(self) -> None:
        self.inputs: Iterator[Arrays] = iter([{"x": draw(n, 3, SIZE, SIZE)} for n in (1, 2, 3)])

    def get_next(self) -> Arrays | None:
        return next(self.inputs, None)


def products_in_int8(path: Path) -> int:
    """How many operators read a weight in integers."""
    found = 0
    program = Source(model_file=str(path)).optimized()
    for op in program.root.ops:
        found += any(name.endswith("_quant_scale") for name in op.attrs)
        found += op.type == "dynamic_quantize_matmul"
    return found


def run(path: Path, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """What this runtime makes of a model; of the .nb made of it, it makes the same."""
    opt = lite.Opt()
    opt.set_model_file(str(path))
    opt.set_optimize_out(str(path.with_suffix("")))
    opt.set_valid_places("x86")
    opt.run()
    (made,) = lite.load(path).run({"x": x}).values()
    (stored,) = lite.load(path.with_suffix(".nb")).run({"x": x}).values()
    np.testing.assert_array_equal(made, stored)
    return np.asarray(made)


def without_optimizer(path: Path, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    return np.asarray(ort.InferenceSession(path, options).run(None, {"x": x})[0])


def reference(path: Path, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.asarray(ReferenceEvaluator(str(path)).run(None, {"x": x})[0])


def off(made: np.ndarray[Any, Any], expected: np.ndarray[Any, Any]) -> float:
    assert made.shape == expected.shape and made.dtype == expected.dtype
    return float(np.abs(made - expected).max() / np.abs(expected).max())


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


@pytest.mark.parametrize("per_channel", [False, True])
@pytest.mark.parametrize("weight", [S8, U8])
@pytest.mark.parametrize("network", [convolutions, products])
def test_dynamic(tmp_path: Path, network: Any, weight: QuantType, per_channel: bool) -> None:
    plain, path = tmp_path / "plain.onnx", tmp_path / "quantised.onnx"
    onnx.save(network(), plain)
    quantize_dynamic(plain, path, weight_type=weight, per_channel=per_channel)
    x = draw(2, 7, 64) if network is products else draw(2, 3, SIZE, SIZE)
    assert off(run(path, x), reference(path, x)) < (1e-5 if network is products else A_STEP)
    if network is products:
        assert products_in_int8(path) == 3


@pytest.mark.parametrize(
    ("type", "low", "high", "zero"),
    [
        (np.int8, 90, 127, 0),
        (np.int8, -128, -100, 0),
        (np.int8, -128, 127, -100),
        (np.int8, -128, 127, 127),
        (np.uint8, 200, 255, 128),
        (np.uint8, 0, 255, 0),
        (np.uint8, 0, 255, 255),
        (np.uint8, 0, 255, 77),
    ],
)
def test_more_summands_than_floats_hold(
    tmp_path: Path, type: Any, low: int, high: int, zero: int
) -> None:
    """A sum of integers beyond 2^24, to the last digit."""
    rng = np.random.default_rng(3)
    a, b = rng.integers(200, 256, (5, 3000)), rng.integers(low, high + 1, (3000, 7))
    b[0, 0], b[1, 0] = low, high
    node = helper.make_node("MatMulInteger", ["x", "b", "z", "w"], ["y"])
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        [node],
        "one",
        [value("x", TensorProto.UINT8, [5, 3000]), value("z", TensorProto.UINT8, [])],
        [value("y", TensorProto.INT32, None)],
        [
            numpy_helper.from_array(b.astype(type), "b"),
            numpy_helper.from_array(np.asarray(zero, type), "w"),
        ],
    )
    path = tmp_path / "one.onnx"
    sets = [helper.make_opsetid("", 21)]
    onnx.save(helper.make_model(graph, opset_imports=sets, ir_version=10), path)
    feeds = {"x": a.astype(np.uint8), "z": np.array(3, np.uint8)}
    (made,) = lite.load(path).run(feeds).values()
    assert (np.asarray(made) == (a - 3) @ (b - zero)).all()
    assert products_in_int8(path) > 1  # parts of it


def test_fused_by_the_optimizer(tmp_path: Path) -> None:
    """DynamicQuantizeMatMul, as ONNX Runtime's optimizer writes it."""
    paths = [tmp_path / name for name in ("plain.onnx", "quantised.onnx", "fused.onnx")]
    onnx.save(products(), paths[0])
    quantize_dynamic(paths[0], paths[1])
    options = ort.SessionOptions()
    options.optimized_model_filepath = str(paths[2])
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    ort.InferenceSession(paths[1], options)
    assert "DynamicQuantizeMatMul" in {node.op_type for node in onnx.load(paths[2]).graph.node}
    x = draw(2, 7, 64)
    assert off(run(paths[2], x), reference(paths[1], x)) < 1e-5


def dynamic_product(scale: str, point: str, outputs: list[str]) -> bytes:
    """A product of x in the steps of x, and some scale and zero point; y is of 2 x."""
    rng, value = np.random.default_rng(8), helper.make_tensor_value_info
    nodes = [
        helper.make_node("Add", ["x", "x"], ["y"]),
        helper.make_node("DynamicQuantizeLinear", ["x"], ["xq", "xs", "xz"]),
        helper.make_node("DynamicQuantizeLinear", ["y"], ["yq", "ys", "yz"]),
        helper.make_node("MatMulInteger", ["xq", "w", point, "wz"], ["sums"]),
        helper.make_node("Cast", ["sums"], ["real"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [scale, "ws"], ["factor"]),
        helper.make_node("Mul", ["real", "factor"], ["out"]),
    ]
    parts = {
        "w": rng.integers(-60, 60, (40, 9)).astype(np.int8),
        "wz": np.int8(3),
        "ws": np.float32(0.1),
    }
    graph = helper.make_graph(
        nodes,
        "dynamic",
        [value("x", TensorProto.FLOAT, ["n", 40])],
        [helper.make_empty_tensor_value_info(name) for name in outputs],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in parts.items()],
    )
    sets = [helper.make_opsetid("", 21)]
    return bytes(helper.make_model(graph, opset_imports=sets, ir_version=10).SerializeToString())


@pytest.mark.parametrize(
    ("scale", "point", "outputs", "fused"),
    [
        ("xs", "xz", ["out"], True),
        ("xs", "xz", ["out", "sums", "xs", "xz", "xq"], True),
        ("ys", "xz", ["out"], False),
        ("xs", "yz", ["out"], False),
    ],
)
def test_only_steps_of_the_input_itself_are_one_operator(
    tmp_path: Path, scale: str, point: str, outputs: list[str], fused: bool
) -> None:
    data, x = dynamic_product(scale, point, outputs), draw(5, 40) + 1
    (tmp_path / "one.onnx").write_bytes(data)
    program = Source(model_file=str(tmp_path / "one.onnx")).optimized()
    assert fused == any(op.type == "dynamic_quantize_matmul" for op in program.root.ops)
    made = lite.load(data).run({"x": x})
    for name, wanted in zip(outputs, ort.InferenceSession(data).run(None, {"x": x}), strict=True):
        np.testing.assert_allclose(made[name], wanted, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("direction", ["forward", "bidirectional"])
@pytest.mark.parametrize("per_channel", [False, True])
def test_recurrent_layers(tmp_path: Path, direction: str, per_channel: bool) -> None:
    """DynamicQuantizeLSTM: what its weights stand for, with inputs that are not rounded."""
    n, sides = Network(6), 2 if direction == "bidirectional" else 1
    weights = [n.weight(sides, 64, 12), n.weight(sides, 64, 16), n.weight(sides, 128)]
    layer = n.add("LSTM", "x", *weights, hidden_size=16, direction=direction)
    paths = [tmp_path / name for name in ("plain.onnx", "quantised.onnx")]
    onnx.save(n.model(["T", "N", 12], layer), paths[0])
    # Weights of 7 bits: without VNNI, ONNX Runtime's sums of larger ones saturate.
    quantize_dynamic(paths[0], paths[1], per_channel=per_channel, reduce_range=True)
    assert "DynamicQuantizeLSTM" in {node.op_type for node in onnx.load(paths[1]).graph.node}
    x = draw(9, 2, 12)
    ours, (exact, theirs) = run(paths[1], x), (without_optimizer(path, x) for path in paths)
    assert off(ours, theirs) < A_STEP and off(ours, exact) <= off(theirs, exact)


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


@pytest.mark.parametrize("types", TYPES)
@pytest.mark.parametrize(
    ("network", "in_bytes"),
    [
        (bottlenecks, 7),
        (gates, 6),
        (perceptron, 3),
        (joins, 7),
        (column, 2),
        (reshapes, 3),
        (pooled, 14),
    ],
)
def test_what_stays_in_bytes_is_what_floats_hold(
    tmp_path: Path, network: Any, in_bytes: int, types: Any
) -> None:
    plain, path, x = (tmp_path / name for name in ("plain.onnx", "quantised.onnx", "x.npy"))
    onnx.save(network(), plain)
    quantize_static(
        plain, path, Calibration(), activation_type=types[0], weight_type=types[1], per_channel=True
    )
    np.save(x, draw(3, 3, SIZE, SIZE))
    models = [path, in_floats(path)]
    made, counts, roundings = [], [], []
    for has_bytes in "10":
        environment = {**os.environ, "LITE_VNNI": has_bytes}
        command = [sys.executable, "-c", IN_BYTES, *map(str, (x, *models))]
        found = [int(word) for word in subprocess.check_output(command, env=environment).split()]
        counts.append(found[::2])
        roundings.append(found[3])
        made += [np.load(f"{model}.npy") for model in models]
    assert min(roundings) > 0  # folded operators have names
    assert counts == [[in_bytes, 0]] * 2
    for other in made[1:]:
        np.testing.assert_array_equal(made[0], other)
    assert off(made[0], without_optimizer(path, np.load(x))) < A_STEP


def test_steps_of_what_there_is() -> None:
    """DynamicQuantizeLinear to the last bit: another scale moves what lies between two steps."""
    graph = helper.make_graph(
        [helper.make_node("DynamicQuantizeLinear", ["x"], ["y", "scale", "zero"])],
        "dynamic",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n"])],
        [helper.make_empty_tensor_value_info(name) for name in ("y", "scale", "zero")],
    )
    sets = [helper.make_opsetid("", 21)]
    data = helper.make_model(graph, opset_imports=sets, ir_version=10).SerializeToString()
    session, predictor = ort.InferenceSession(data), lite.load(data)
    for seed in range(30):
        x = np.random.default_rng(seed).standard_normal(1000).astype(np.float32)
        made = predictor.run({"x": x})
        for name, wanted in zip(("y", "scale", "zero"), session.run(None, {"x": x}), strict=True):
            np.testing.assert_array_equal(made[name], wanted)
