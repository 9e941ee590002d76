"""Networks to be quantised, how they are run, and how far results may be off.

ONNX Runtime computes models of QuantizeLinear and DequantizeLinear in floats without its optimizer,
and so exactly; its products of bytes saturate on CPUs without VNNI, so models of integers are
compared with the reference of the onnx package.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from onnxruntime.quantization import CalibrationDataReader, QuantType

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
        found += op.type in ("dynamic_quantize_matmul", "dynamic_quantize_conv2d")
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
