"""Weights of few bits and turned pairs: ONNX Runtime's domain in language models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx_session.contrib import ANGLES, Case, check, integers, rand

import lite
import lite.onnxruntime as lrt
from lite.api.build import Source
from lite.errors import UnsupportedOperatorError
from lite.model.find import find_program
from lite.model.naive_buffer import write_nb_file
from lite.model.onnx import export_model
from lite.model.onnx.reader import read_onnx

IDS = np.array([[3, 1, 0, 5, 2], [4, 4, 6, 1, 0]])


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
            for level in ({}, {"accuracy_level": 4}):
                made += [Case("MatMulNBits", inputs, {**attrs, **level}, constant=constant)]
        order = np.random.default_rng(0).permutation(np.arange(k) // block).astype(np.int32)
        if bits == 4:  # ONNX Runtime reads no zero points then, though the definition has them
            inputs = [rand(2, k), *weights, None, order]
            made += [Case("MatMulNBits", inputs, attrs, constant=(1, 2, 4))]
        real = integers(n, each, below=1 << bits).astype(np.float32) + np.float32(0.25)
        inputs = [rand(2, k), *weights, real.reshape(-1)]
        made += [Case("MatMulNBits", inputs, attrs, constant=(1, 2, 3))] if bits == 4 else []
        table = [integers(9, 96 * bits // 8), IDS, 0.1 * rand(9, 96 // block)]
        attrs = {"block_size": block, "bits": bits, "quantize_axis": 1}
        if 96 % block:
            continue
        zeros = integers(9, -(-(96 // block) * bits // 8))
        made += [Case("GatherBlockQuantized", table, attrs, constant=(0, 2))]
        made += [Case("GatherBlockQuantized", [*table, zeros], attrs, constant=(0, 2, 3))]
    return made


BNB = [
    Case("MatMulBnb4", [rand(3, 64), integers(64 * 5 // 2), abs(rand(10))], {**b4, "quant_type": t})
    for b4 in ({"K": 64, "N": 5, "block_size": 32},)
    for t in (0, 1)
]
for case in BNB:
    case.constant = (1, 2)


ROTARY = [
    Case("RotaryEmbedding", [rand(2, 3, 32), np.array([[0, 1, 2], [5, 6, 7]]), *ANGLES]),
    Case("RotaryEmbedding", [rand(2, 3, 32), np.array([4]), *ANGLES], {"interleaved": 1}),
    Case("RotaryEmbedding", [rand(2, 2, 3, 16), np.array([4]), *ANGLES]),
    Case(
        "RotaryEmbedding",
        [rand(2, 3, 40), np.array([[0, 1, 2], [5, 6, 7]]), *ANGLES],
        {"num_heads": 2, "rotary_embedding_dim": 16},
    ),
]


@pytest.mark.parametrize("case", [*blocks(), *BNB, *ROTARY], ids=lambda case: case.type)
def test_against_onnxruntime(case: Case) -> None:
    check(case)


def test_weights_that_products_share(tmp_path: Path) -> None:
    """With other scales they are other numbers, also where a program has the integers once."""
    weight = numpy_helper.from_array(integers(6, 2, 16), "w")
    scales = [numpy_helper.from_array(0.1 * rand(12, seed=i), f"s{i}") for i in (0, 1)]
    attrs = {"K": 64, "N": 6, "bits": 4, "block_size": 32, "domain": "com.microsoft"}
    nodes = [
        helper.make_node("MatMulNBits", ["x", "w", f"s{i}"], [f"y{i}"], **attrs) for i in (0, 1)
    ]
    graph = helper.make_graph(
        nodes,
        "two",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [3, 64])],
        [helper.make_empty_tensor_value_info(f"y{i}") for i in (0, 1)],
        [weight, *scales],
    )
    sets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    data = helper.make_model(graph, opset_imports=sets, ir_version=8).SerializeToString()
    feeds = {"x": rand(3, 64)}
    wanted = ort.InferenceSession(data).run(None, feeds)
    program = read_onnx(find_program(model_bytes=data))
    first, second = (op for op in program.root.ops if op.type == "matmul_nbits")
    second.inputs["Y"] = first.inputs["Y"]
    write_nb_file(program, str(tmp_path / "m.nb"))
    for model in (data, str(tmp_path / "m.nb")):
        for found, want in zip(lite.load(model).run(feeds).values(), wanted, strict=True):
            np.testing.assert_allclose(found, want, atol=1e-4)


def test_refused_by_name() -> None:
    case = Case("RotaryEmbedding", [rand(2, 5, 32), IDS, *ANGLES], {"scale": 2.0})
    with pytest.raises(UnsupportedOperatorError, match="a scale"):
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


def dequantised(kind: str, form: str, zeros: bool) -> tuple[bytes, Any]:
    """A product with a matrix that DequantizeLinear makes of blocks, as it is or transposed."""
    k, n, block = 80, 12, 16
    element = helper.np_dtype_to_tensor_dtype(np.dtype(kind)) if "4" not in kind else None
    element = element or getattr(TensorProto, kind.upper())
    low, high = {"int4": (-8, 8), "uint4": (0, 16), "int8": (-128, 128), "uint8": (0, 256)}[kind]
    rng = np.random.default_rng(k)
    turned = form != "MatMul"
    shape, scales = ((n, k), (n, k // block)) if turned else ((k, n), (k // block, n))
    held = [
        helper.make_tensor("w", element, shape, rng.integers(low, high, shape).ravel()),
        numpy_helper.from_array(0.1 * rand(*scales), "s"),
    ]
    inputs = ["w", "s"]
    if zeros:
        inputs.append("z")
        held += [helper.make_tensor("z", element, scales, rng.integers(low, high, scales).ravel())]
    nodes = [helper.make_node("DequantizeLinear", inputs, ["d"], axis=turned, block_size=block)]
    if form == "Gemm":
        nodes.append(helper.make_node("Gemm", ["x", "d"], ["y"], transB=1))
    else:
        nodes += [helper.make_node("Transpose", ["d"], ["t"], perm=[1, 0])] if turned else []
        nodes += [helper.make_node("MatMul", ["x", "t" if turned else "d"], ["y"])]
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "blocks",
        [value("x", TensorProto.FLOAT, ["n", k])],
        [value("y", TensorProto.FLOAT, ["n", n])],
        held,
    )
    sets = [helper.make_opsetid("", 21)]
    made = helper.make_model(graph, opset_imports=sets, ir_version=10)
    return made.SerializeToString(), {"x": rand(5, k)}


@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("form", ["MatMul", "Transpose", "Gemm"])
@pytest.mark.parametrize("kind", ["int4", "uint4", "int8", "uint8"])
def test_blocks_that_are_dequantised(kind: str, form: str, zeros: bool, tmp_path: Path) -> None:
    data, feeds = dequantised(kind, form, zeros)
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    (wanted,) = ort.InferenceSession(data, options).run(None, feeds)
    (made,) = lite.load(data).run(feeds).values()
    np.testing.assert_allclose(made, wanted, atol=1e-5 * np.abs(wanted).max())
    (tmp_path / "m.onnx").write_bytes(data)
    program = Source(model_file=str(tmp_path / "m.onnx")).optimized()
    assert "matmul_nbits" in {op.type for op in program.root.ops}
