"""Operators of ONNX Runtime's own domain, one by one, against ONNX Runtime."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import helper, numpy_helper
from onnx_session.contrib import Arrays, Case, check, rand

import lite.onnxruntime as lrt
from lite.errors import LiteError, UnsupportedOperatorError

B, S, H, N = 2, 5, 12, 3
IMAGE, FILTER = rand(2, 4, 7, 6), rand(5, 4, 3, 3)
TOKENS = rand(B, S, H)
LENGTHS = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], np.int32)
IDS = np.array([[3, 1, 0, 5, 2], [4, 4, 6, 1, 0]], np.int32)
QKV, QKV_BIAS = rand(H, 3 * H, seed=1), rand(3 * H)
TABLES = [rand(7, H), rand(8, H, seed=2), rand(2, H)]
GAMMA, BETA = rand(H), rand(H, seed=3)
EARLIER = [rand(B, N, 2, H // N, seed=i) for i in (4, 5)]


def convolution(name: str, params: list[float], other: bool = False) -> Case:
    attrs = {"activation": name, "pads": [1, 1, 1, 1], "strides": [2, 1]}
    attrs |= {"activation_params": params} if params else {}
    z = rand(2, 5, 4, 6) if other else None
    inputs = [IMAGE, FILTER, rand(5), *([z] if other else [])]
    return Case("FusedConv", inputs, attrs, constant=(1, 2))


CASES = [
    convolution("Relu", []),
    convolution("Relu", [], other=True),
    convolution("Tanh", []),
    convolution("Sigmoid", []),
    convolution("LeakyRelu", [0.2]),
    convolution("Clip", [-0.5, 2.0]),
    convolution("HardSigmoid", [0.3, 0.4]),
    Case("FusedGemm", [rand(3, 4), rand(4, 5), rand(5)], {"activation": "Relu", "alpha": 0.5}),
    Case(
        "FusedGemm",
        [rand(3, 4), rand(5, 4), rand(5)],
        {"activation": "LeakyRelu", "activation_alpha": 0.3, "transB": 1},
    ),
    Case("FusedMatMul", [rand(2, 3, 4), rand(2, 5, 4)], {"transB": 1, "alpha": 0.25}),
    Case("FusedMatMul", [rand(2, 4, 3), rand(4, 5)], {"transA": 1}),
    Case("Gelu", [rand(3, 4)]),
    Case("FastGelu", [rand(3, 4), rand(4)]),
    Case("BiasGelu", [rand(3, 4), rand(4)]),
    Case("QuickGelu", [rand(3, 4)], {"alpha": 1.5}),
    Case("SkipLayerNormalization", [TOKENS, TOKENS[::-1].copy(), GAMMA, BETA, rand(H, seed=6)]),
    Case("SkipLayerNormalization", [TOKENS, TOKENS[::-1].copy(), GAMMA], constant=(2,)),
    Case("SkipSimplifiedLayerNormalization", [TOKENS, TOKENS[::-1].copy(), GAMMA]),
    Case("SimplifiedLayerNormalization", [TOKENS, GAMMA], {"epsilon": 1e-3}, domain=""),
    Case(
        "EmbedLayerNormalization",
        [IDS, IDS % 2, *TABLES, GAMMA, BETA, LENGTHS],
        outputs=2,
        constant=(2, 3, 4, 5, 6),
    ),
    Case(
        "EmbedLayerNormalization",
        [IDS, None, *TABLES[:2], None, GAMMA, BETA],
        outputs=2,
        constant=(2, 3, 5, 6),
    ),
    Case("Attention", [TOKENS, QKV, QKV_BIAS], {"num_heads": N}, constant=(1, 2)),
    Case("Attention", [TOKENS, QKV, QKV_BIAS, LENGTHS], {"num_heads": N}),
    Case("Attention", [TOKENS, QKV, QKV_BIAS], {"num_heads": N, "unidirectional": 1}),
    Case("Attention", [TOKENS, QKV, QKV_BIAS], {"num_heads": N, "scale": 0.3}),
    Case(
        "Attention",
        [TOKENS, QKV, QKV_BIAS, None, np.stack(EARLIER)],
        {"num_heads": N, "unidirectional": 1},
        outputs=2,
    ),
    Case("MultiHeadAttention", [TOKENS, rand(B, 7, H), rand(B, 7, H, seed=7)], {"num_heads": N}),
    Case(
        "MultiHeadAttention",
        [TOKENS, TOKENS * 2, TOKENS + 1, QKV_BIAS, LENGTHS, rand(B, N, S, S)],
        {"num_heads": N},
    ),
    Case(
        "MultiHeadAttention",
        [TOKENS, TOKENS * 2, TOKENS + 1, None, None, None, *EARLIER],
        {"num_heads": N},
        outputs=3,
    ),
]


CASES += [
    Case("Attention", [TOKENS, QKV, QKV_BIAS, np.array([2, 5], np.int32)], {"num_heads": N}),
    Case(
        "MultiHeadAttention",
        [TOKENS, rand(B, 7, H), rand(B, 7, H, seed=7), None, np.array([4, 7], np.int32)],
        {"num_heads": N},
    ),
    Case("FusedMatMul", [rand(3, 2, 4), rand(2, 4, 5)], {"transBatchA": 1}),
    Case("FusedMatMul", [rand(2, 3, 4), rand(5, 2, 4)], {"transBatchB": 1, "transB": 1}),
    Case("TransposeMatMul", [rand(4, 3), rand(4, 5)], {"transA": 1, "alpha": 2.0}),
    Case("Inverse", [rand(2, 4, 4) + 3 * np.eye(4, dtype=np.float32)]),
    Case("Trilu", [rand(2, 4, 5), np.array([1])], {"upper": 0}, constant=(1,)),
    Case("ExpandDims", [rand(2, 4, 5), np.array(1, np.int32)], constant=(1,)),
    Case("GatherND", [rand(3, 4), np.array([[0, 1], [2, 3]])]),
    Case("Pad", [rand(3, 4), np.array([0, 1, 2, 0])], constant=(1,)),
    Case("GridSample", [rand(1, 2, 4, 5), rand(1, 3, 3, 2)], {"align_corners": 1}),
    Case(
        "LinearAttention",
        [rand(2, 5, 12), rand(2, 5, 12), rand(2, 5, 20), None, -abs(rand(2, 5, 4))],
        {"q_num_heads": 2, "kv_num_heads": 4, "update_rule": "gated"},
        outputs=2,
    ),
    Case(
        "LinearAttention",
        [rand(2, 5, 24), rand(2, 5, 12), rand(2, 5, 10), rand(2, 2, 6, 5), -abs(rand(2, 5, 2))],
        {"q_num_heads": 4, "kv_num_heads": 2, "update_rule": "gated"},
        outputs=2,
    ),
    Case(
        "CausalConvWithState",
        [rand(2, 9, 4), rand(9, 1, 3), rand(9), rand(2, 9, 4)],
        {"activation": "silu", "dilation": 2},
        constant=(1, 2),
        outputs=2,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.type)
def test_against_onnxruntime(case: Case) -> None:
    check(case)


def test_channels_side_by_side() -> None:
    """ONNX Runtime has no kernel for these on x86-64."""
    fused = convolution("Relu", [], other=True)
    (wanted,) = lrt.InferenceSession(fused.model()[0]).run(None, fused.model()[1])
    image, weights, bias, other = fused.inputs
    turned = [x.transpose(0, 2, 3, 1).copy() for x in (image, other)]
    inputs = [turned[0], weights, bias, turned[1]]
    case = Case("NhwcFusedConv", inputs, fused.attrs, constant=(1, 2))
    (made,) = lrt.InferenceSession(case.model()[0]).run(None, case.model()[1])
    np.testing.assert_allclose(made.transpose(0, 3, 1, 2), wanted, atol=1e-5)


@pytest.mark.parametrize(
    ("case", "why"),
    [
        (convolution("Softplus", []), "activation Softplus"),
        (
            Case("MultiHeadAttention", [rand(B, S, N, 3, H // N)], {"num_heads": N}),
            "packed queries",
        ),
        (
            Case("Attention", [TOKENS, QKV, QKV_BIAS], {"num_heads": N, "do_rotary": 1}),
            "do_rotary",
        ),
    ],
)
def test_refused_by_name(case: Case, why: str) -> None:
    with pytest.raises(UnsupportedOperatorError, match=f"com.microsoft.{case.type}.*{why}"):
        lrt.InferenceSession(case.model()[0])


def test_lists_of_other_meanings_are_refused() -> None:
    """mask_index [2 * batch] has ends and begins."""
    case = Case(
        "Attention", [TOKENS[:1], QKV, QKV_BIAS, np.array([4, 1], np.int32)], {"num_heads": N}
    )
    data, feeds = case.model()
    with pytest.raises(LiteError, match="does not fit shape"):
        lrt.InferenceSession(data).run(None, feeds)


def test_what_onnxruntime_s_optimizer_writes(tmp_path: Any) -> None:
    """A model that it fused by itself."""
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("Reshape", ["r", "flat"], ["f"]),
        helper.make_node("MatMul", ["f", "m"], ["p"]),
        helper.make_node("Add", ["p", "bias"], ["a"]),
        helper.make_node("Div", ["a", "root"], ["d"]),
        helper.make_node("Erf", ["d"], ["e"]),
        helper.make_node("Add", ["e", "one"], ["o"]),
        helper.make_node("Mul", ["a", "o"], ["t"]),
        helper.make_node("Mul", ["t", "half"], ["y"]),
    ]
    constants: Arrays = {
        "w": FILTER, "flat": np.array([0, 5, -1]), "m": rand(42, 6), "bias": rand(6),
        "root": np.float32(2**0.5), "one": np.float32(1), "half": np.float32(0.5),
    }  # fmt: skip
    graph = helper.make_graph(
        nodes,
        "made",
        [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, ["n", 4, 7, 6])],
        [helper.make_empty_tensor_value_info("y")],
        [numpy_helper.from_array(np.asarray(v), k) for k, v in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(tmp_path / "fused.onnx")
    (wanted,) = ort.InferenceSession(model.SerializeToString(), options).run(None, {"x": IMAGE})
    types = {node.op_type for node in onnx.load(tmp_path / "fused.onnx").graph.node}
    assert {"FusedConv", "BiasGelu"} <= types
    (made,) = lrt.InferenceSession(tmp_path / "fused.onnx").run(None, {"x": IMAGE})
    np.testing.assert_allclose(made, wanted, atol=1e-4)
