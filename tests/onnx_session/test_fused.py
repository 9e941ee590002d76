"""Operators of ONNX Runtime's own domain, one by one, against ONNX Runtime."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import helper, numpy_helper

import lite
import lite.onnxruntime as lrt
from lite.api.build import Source
from lite.errors import UnsupportedOperatorError
from lite.model.onnx import export_model

Arrays = dict[str, np.ndarray[Any, Any]]


def rand(*shape: int, seed: int = 0) -> np.ndarray[Any, Any]:
    return np.random.default_rng((seed, *shape)).standard_normal(shape).astype(np.float32)


@dataclass
class Case:
    """One node: its inputs in order, None where absent, and how many outputs it has."""

    type: str
    inputs: list[Any]
    attrs: dict[str, Any] = field(default_factory=dict)
    outputs: int = 1
    domain: str = "com.microsoft"
    constant: tuple[int, ...] = ()
    rows: tuple[int, ...] = ()
    """Of each of a batch, how many rows of what has four dimensions are defined."""

    def model(self) -> tuple[bytes, Arrays]:
        """The model, its first dimensions free, and what it is fed with."""
        names = ["" if x is None else f"x{i}" for i, x in enumerate(self.inputs)]
        arrays = {n: x for n, x in zip(names, self.inputs, strict=True) if n}
        fixed = {names[i] for i in self.constant}
        made = [f"y{i}" for i in range(self.outputs)]
        graph = helper.make_graph(
            [helper.make_node(self.type, names, made, domain=self.domain, **self.attrs)],
            "one",
            [
                helper.make_tensor_value_info(
                    n, helper.np_dtype_to_tensor_dtype(x.dtype), [f"{n}_first", *x.shape[1:]]
                )
                for n, x in arrays.items()
                if n not in fixed
            ],
            [helper.make_empty_tensor_value_info(n) for n in made],
            [numpy_helper.from_array(arrays[n], n) for n in sorted(fixed)],
        )
        sets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
        model = helper.make_model(graph, opset_imports=sets, ir_version=8)
        feeds = {n: x for n, x in arrays.items() if n not in fixed}
        return model.SerializeToString(), feeds


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


def integers(*shape: int, below: int = 256) -> np.ndarray[Any, Any]:
    return np.random.default_rng(shape).integers(0, below, shape).astype(np.uint8)


def blocks() -> list[Case]:
    """Products with weights in blocks of few bits, and tables of them."""
    made = []
    for bits, block in ((4, 16), (4, 32), (8, 32), (4, 128)):
        k, n, each = 80, 6, -(-80 // block)
        weights = [integers(n, each, block * bits // 8), 0.1 * rand(n * each)]
        attrs = {"K": k, "N": n, "bits": bits, "block_size": block}
        zeros = integers(n * -(-each * bits // 8))
        for rest in ([], [zeros], [None, None, rand(n)], [zeros, None, rand(n)]):
            inputs = [rand(3, 2, k), *weights, *rest]
            constant = tuple(i for i, x in enumerate(inputs) if i and x is not None)
            made += [Case("MatMulNBits", inputs, attrs, constant=constant)]
        order = np.random.default_rng(0).permutation(np.arange(k) // block).astype(np.int32)
        if bits == 4:  # ONNX Runtime reads no zero points then, though the definition has them
            inputs = [rand(2, k), *weights, None, order]
            made += [Case("MatMulNBits", inputs, attrs, constant=(1, 2, 4))]
        real = integers(n, each, below=1 << bits).astype(np.float32) + np.float32(0.25)
        inputs = [rand(2, k), *weights, real.reshape(-1)]
        made += [Case("MatMulNBits", inputs, attrs, constant=(1, 2, 3))] if bits == 4 else []
        table = [integers(9, 96 * bits // 8), IDS.astype(np.int64), 0.1 * rand(9, 96 // block)]
        attrs = {"block_size": block, "bits": bits, "quantize_axis": 1}
        if 96 % block:
            continue
        zeros = integers(9, -(-(96 // block) * bits // 8))
        made += [Case("GatherBlockQuantized", table, attrs, constant=(0, 2))]
        made += [Case("GatherBlockQuantized", [*table, zeros], attrs, constant=(0, 2, 3))]
    return made


def grouped(
    count: int, lengths: list[int], rows: int, *more: Any, packed: bool = False, **attrs: Any
) -> Case:
    """``count`` new tokens behind ``lengths`` earlier ones in a cache of ``rows``; 4 heads of 16
    numbers share 2 of keys. ``more`` are cos_cache and what follows."""
    batch, total = len(lengths), max(max(lengths) + count, 1)
    parts = [rand(batch, count, heads * 16, seed=i) for i, heads in enumerate((4, 2, 2))]
    cache = [rand(batch, 2, rows, 16, seed=i) for i in (3, 4)]
    inputs = [np.concatenate(parts, 2), None, None] if packed else parts
    whole = [np.array(lengths, np.int32) + count - 1, np.array([total], np.int32)]
    attrs = {"num_heads": 4, "kv_num_heads": 2, **attrs}
    filled = tuple(length + count for length in lengths)
    inputs += [*cache, *whole, *more]
    return Case("GroupQueryAttention", inputs, attrs, outputs=3, rows=filled)


TURNS = np.arange(20)[:, None] * 0.3 ** np.arange(8)
ANGLES = [np.cos(TURNS).astype(np.float32), np.sin(TURNS).astype(np.float32)]
GROUPED = [
    grouped(5, [0, 0], 0),
    grouped(1, [4, 4], 4),
    grouped(3, [4], 4, scale=0.4),
    grouped(1, [4, 2], 9),  # a buffer that is larger, one row of it shorter
    grouped(5, [0], 0, packed=True, local_window_size=2),
    grouped(1, [6], 6, packed=True, local_window_size=3, softcap=5.0),
    grouped(1, [6, 6], 6, smooth_softmax=1),
    grouped(2, [6], 6, *[None] * 4, rand(4), softcap=3.0),
    grouped(5, [0], 0, *ANGLES, do_rotary=1),
    grouped(1, [3, 7], 7, *ANGLES, do_rotary=1, packed=True),
    grouped(1, [3], 3, *ANGLES, do_rotary=1, rotary_interleaved=1),
    grouped(2, [3], 3, *ANGLES, np.array([[3, 4]]), do_rotary=1),
    grouped(2, [3], 3, None, None, None, rand(1, 1, 2, 5)),
    grouped(1, [3, 3], 3, None, None, None, rand(2, 4, 1, 4)),
    Case("RotaryEmbedding", [rand(2, 3, 32), np.array([[0, 1, 2], [5, 6, 7]]), *ANGLES]),
    Case("RotaryEmbedding", [rand(2, 3, 32), np.array([4]), *ANGLES], {"interleaved": 1}),
    Case("RotaryEmbedding", [rand(2, 2, 3, 16), np.array([4]), *ANGLES]),
    Case(
        "RotaryEmbedding",
        [rand(2, 3, 40), np.array([[0, 1, 2], [5, 6, 7]]), *ANGLES],
        {"num_heads": 2, "rotary_embedding_dim": 16},
    ),
]

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

CASES += [*blocks(), *GROUPED]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.type)
def test_against_onnxruntime(case: Case) -> None:
    data, feeds = case.model()
    options = ort.SessionOptions()
    options.log_severity_level = 4
    wanted = ort.InferenceSession(data, options).run(None, feeds)
    for got, want in zip(lrt.InferenceSession(data).run(None, feeds), wanted, strict=True):
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        for i, rows in enumerate(case.rows if want.ndim == 4 else ()):
            want[i, :, rows:] = got[i, :, rows:]
        np.testing.assert_allclose(got, want, atol=1e-4 * max(np.abs(want).max(), 1), rtol=0)


@pytest.mark.parametrize(
    ("case", "why"),
    [
        (convolution("Softplus", []), "activation Softplus"),
        (
            Case("FusedMatMul", [rand(2, 3, 4), rand(2, 4, 5)], {"transBatchA": 1}),
            "transBatchA or transBatchB",
        ),
        (
            Case("MultiHeadAttention", [rand(B, S, N, 3, H // N)], {"num_heads": N}),
            "packed queries",
        ),
        (
            Case("Attention", [TOKENS, QKV, QKV_BIAS], {"num_heads": N, "do_rotary": 1}),
            "do_rotary",
        ),
        (grouped(1, [3], 4, sliding_window_cache=1, local_window_size=2), "a cache of the window"),
        (grouped(1, [3], 3, *[None] * 9, np.array([1], np.int32)), "query_seqlens"),
        (Case("RotaryEmbedding", [TOKENS, IDS, *ANGLES], {"scale": 2.0}), "a scale"),
    ],
)
def test_refused_by_name(case: Case, why: str) -> None:
    with pytest.raises(UnsupportedOperatorError, match=f"com.microsoft.{case.type}.*{why}"):
        lrt.InferenceSession(case.model()[0])


@pytest.mark.parametrize("zeros", [False, True])
def test_blocks_of_few_bits_stay_so(zeros: bool, tmp_path: Path) -> None:
    """In the program, in a .nb file and in ONNX that is written of it."""
    k, n, block = 64, 48, 32
    inputs = [rand(3, k), integers(n, k // block, block // 2), 0.1 * rand(n * k // block)]
    inputs += [integers(n * k // block // 2)] if zeros else []
    attrs = {"K": k, "N": n, "bits": 4, "block_size": block}
    data, feeds = Case("MatMulNBits", inputs, attrs, constant=(1, 2, 3)[: len(inputs) - 1]).model()
    (wanted,) = ort.InferenceSession(data).run(None, feeds)
    (tmp_path / "m.onnx").write_bytes(data)
    opt = lite.Opt()
    opt.set_model_file(str(tmp_path / "m.onnx"))
    opt.set_optimize_out(str(tmp_path / "m"))
    opt.run()
    assert (tmp_path / "m.nb").stat().st_size < k * n * 2
    written = export_model(Source(model_file=str(tmp_path / "m.onnx")).read())
    assert [node.op_type for node in written.graph.node][:1] == ["MatMulNBits"]
    for model in (str(tmp_path / "m.nb"), written.SerializeToString()):
        (found,) = lite.load(model).run(feeds).values()
        np.testing.assert_allclose(found, wanted, atol=1e-4)
    (again,) = ort.InferenceSession(written.SerializeToString()).run(None, feeds)
    np.testing.assert_allclose(again, wanted, atol=1e-4)


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
