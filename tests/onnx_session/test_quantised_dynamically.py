"""Networks whose activations are rounded by what they hold in a run, and products of integers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx_session.quantised_networks import (
    A_STEP,
    S8,
    SIZE,
    U8,
    Network,
    convolutions,
    draw,
    off,
    products,
    products_in_int8,
    reference,
    run,
    without_optimizer,
)
from onnxruntime.quantization import QuantType, quantize_dynamic

import lite
from lite.api.build import Source
from lite.model.onnx import export_model


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
    elif weight is S8:
        assert products_in_int8(path) == 6
    else:
        assert products_in_int8(path) >= 6  # some with the windows' own sums beside them


@pytest.mark.parametrize(("channels", "group"), [(1, 1), (20, 1), (6, 6), (12, 6), (9, 3)])
@pytest.mark.parametrize("zero", [0, 77, 128, 255])
def test_filters_of_bytes_without_sign(
    tmp_path: Path, channels: int, group: int, zero: int
) -> None:
    """Beyond 8 bits less the zero point; padding counts as nothing."""
    n = Network(3)
    n.params = {
        "w": n.rng.integers(0, 256, (channels, 6 // group, 3, 2)).astype(np.uint8),
        "wz": np.array(zero, np.uint8),
        "ws": np.array(0.01, np.float32),
    }
    window = {"pads": [1, 2, 0, 1], "strides": [2, 1], "dilations": [1, 2], "group": group}
    n.nodes = [
        helper.make_node("DynamicQuantizeLinear", ["x"], ["xq", "xs", "xz"]),
        helper.make_node("ConvInteger", ["xq", "w", "xz", "wz"], ["sums"], **window),
        helper.make_node("Cast", ["sums"], ["real"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["xs", "ws"], ["factor"]),
        helper.make_node("Mul", ["real", "factor"], ["out"]),
    ]
    path = tmp_path / "one.onnx"
    x = draw(2, 6, 9, 11)
    for _ in range(2):
        onnx.save(n.model([2, 6, 9, 11], "out"), path)
        assert off(run(path, x), reference(path, x)) < 1e-5
        assert products_in_int8(path) == (1 if zero == 128 else 0 if group == 3 else 2)
        # Then with a bias in integers, as older quantisers have it.
        n.params["b"] = n.rng.random((1, channels, 1, 1), np.float32) * 30
        n.nodes[2:] = [
            helper.make_node("Mul", ["xs", "ws"], ["factor"]),
            helper.make_node("Div", ["b", "factor"], ["steps"]),
            helper.make_node("Floor", ["steps"], ["whole"]),
            helper.make_node("Cast", ["whole"], ["bias"], to=TensorProto.INT32),
            helper.make_node("Add", ["sums", "bias"], ["all"]),
            helper.make_node("Cast", ["all"], ["real"], to=TensorProto.FLOAT),
            helper.make_node("Mul", ["real", "factor"], ["out"]),
        ]


def test_batch_norms_and_lines(tmp_path: Path) -> None:
    """What follows a convolution for each channel goes into it; convolutions of one axis."""
    n, plain, path = Network(9), tmp_path / "plain.onnx", tmp_path / "quantised.onnx"
    n.params = {"variance": n.rng.random(24, np.float32) + 1, "axes": np.array([3])}
    made = n.add("Conv", "x", n.weight(24, 3, 3, 3), pads=[1] * 4)
    numbers = [n.weight(24) for _ in range(3)]
    made = n.add("Relu", n.add("BatchNormalization", made, *numbers, "variance"))
    made = n.add("Conv", n.add("ReduceMean", made, "axes", keepdims=0), n.weight(32, 24, 5))
    made = n.add("Conv", n.add("Relu", made), n.weight(32, 1, 3), n.weight(32), group=32)
    onnx.save(n.model(["N", 3, SIZE, SIZE], made), plain)
    quantize_dynamic(plain, path)
    x = draw(2, 3, SIZE, SIZE)
    assert off(run(path, x), reference(path, x)) < A_STEP
    types = [op.type for op in Source(model_file=str(path)).optimized().root.ops]
    assert types.count("dynamic_quantize_conv2d") == 3 and "batch_norm" not in types


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


@pytest.mark.parametrize("summands", [3, 258, 259, 700, None])
def test_both_operands_are_computed(tmp_path: Path, summands: int | None) -> None:
    """As attention's are: to the last integer, in fp32 where it holds them all."""
    k = summands or 300
    rng = np.random.default_rng(k)
    x, y = (rng.integers(0, 2, s).astype(np.uint8) * 255 for s in ((2, 5, k), (2, k, 4)))
    x[:, 0], y[..., 0] = 255, 0
    types = {"x": (2, 5, summands), "y": (2, summands, 4), "zx": (), "zy": ()}
    inputs = [helper.make_tensor_value_info(n, TensorProto.UINT8, s) for n, s in types.items()]
    node = helper.make_node("MatMulInteger", ["x", "y", "zx", "zy"], ["z"])
    out = helper.make_tensor_value_info("z", TensorProto.INT32, [2, 5, 4])
    graph = helper.make_graph([node], "g", inputs, [out])
    path = tmp_path / "integers.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)
    feeds = {"x": x, "y": y, "zx": np.uint8(0), "zy": np.uint8(255)}
    (z,) = lite.load(path).run(feeds).values()
    np.testing.assert_array_equal(z, x.astype(np.int64) @ (y.astype(np.int64) - 255))


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


def dynamic_product(scale: str, point: str) -> onnx.ModelProto:
    """A product of x in the steps of x, and some scale and zero point; y is of 2 x."""
    n = Network(8)
    n.params = {
        "w": n.rng.integers(-60, 60, (40, 9)).astype(np.int8),
        "wz": np.array(3, np.int8),
        "ws": np.array(0.1, np.float32),
    }
    n.nodes = [
        helper.make_node("Add", ["x", "x"], ["y"]),
        helper.make_node("DynamicQuantizeLinear", ["x"], ["xq", "xs", "xz"]),
        helper.make_node("DynamicQuantizeLinear", ["y"], ["yq", "ys", "yz"]),
        helper.make_node("MatMulInteger", ["xq", "w", point, "wz"], ["sums"]),
        helper.make_node("Cast", ["sums"], ["real"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [scale, "ws"], ["factor"]),
        helper.make_node("Mul", ["real", "factor"], ["out"]),
    ]
    return n.model(["n", 40], "out")


@pytest.mark.parametrize(
    ("scale", "point", "shown", "fused"),
    [
        ("xs", "xz", [], True),
        ("xs", "xz", ["sums", "xs", "xz", "xq"], True),
        ("ys", "xz", [], False),
        ("xs", "yz", [], False),
    ],
)
def test_only_steps_of_the_input_itself_are_one_operator(
    tmp_path: Path, scale: str, point: str, shown: list[str], fused: bool
) -> None:
    model, path, x = dynamic_product(scale, point), tmp_path / "one.onnx", draw(5, 40) + 1
    model.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in shown)
    onnx.save(model, path)
    program = Source(model_file=str(path)).optimized()
    assert fused == any(op.type == "dynamic_quantize_matmul" for op in program.root.ops)
    made, wanted = lite.load(path).run({"x": x}), ort.InferenceSession(path).run(None, {"x": x})
    for name, array in zip(["out", *shown], wanted, strict=True):
        np.testing.assert_allclose(made[name], array, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("direction", ["forward", "bidirectional"])
@pytest.mark.parametrize("per_channel", [False, True])
@pytest.mark.parametrize("weight", [S8, U8])
def test_recurrent_layers(
    tmp_path: Path, direction: str, weight: QuantType, per_channel: bool
) -> None:
    """DynamicQuantizeLSTM: the inputs of its products are rounded, too; also when written again."""
    n, sides = Network(6), 2 if direction == "bidirectional" else 1
    weights = [n.weight(sides, 64, 12), n.weight(sides, 64, 16), n.weight(sides, 128)]
    layer = n.add("LSTM", "x", *weights, hidden_size=16, direction=direction)
    paths = [tmp_path / name for name in ("plain.onnx", "quantised.onnx", "again.onnx")]
    onnx.save(n.model(["T", "N", 12], layer), paths[0])
    # Weights of 7 bits: without VNNI, ONNX Runtime's sums of larger ones saturate.
    quantize_dynamic(
        paths[0], paths[1], weight_type=weight, per_channel=per_channel, reduce_range=True
    )
    paths[2].write_bytes(export_model(Source(model_file=str(paths[1])).read()).SerializeToString())
    for path in paths[1:]:
        assert "DynamicQuantizeLSTM" in {node.op_type for node in onnx.load(path).graph.node}
    for batch, most in ((1, 1e-4), (2, A_STEP)):  # theirs depends on the number of threads
        x = draw(9, batch, 12)
        exact, theirs, again = (without_optimizer(path, x) for path in paths)
        assert off(run(paths[1], x), theirs) < most and off(theirs, exact) > 1e-3
        assert off(again, theirs) < most


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
