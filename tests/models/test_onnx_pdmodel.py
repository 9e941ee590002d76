"""ONNX's own node tests, and what the optimizer fused, as `.pdmodel` in Paddle 2.6.2."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import paddle_oracle
import pytest
from onnx import TensorProto, helper
from onnx_node_tests import cases

from lite.api.build import Source, make_core
from lite.core.optimizer import optimize
from lite.errors import UnsupportedOperatorError
from lite.model.program import Program
from lite.model.save import write_pdmodel_files
from lite.model.text import parse_program, print_program

sys.path += [str(Path(__file__).parent), str(Path(__file__).parent / "pir")]

needs_paddle = pytest.mark.skipif(not paddle_oracle.available(), reason="needs paddlepaddle 2.6")
OFTEN = (
    "rotary",
    "split",
    "batchnorm",
    "cast_",
    "clip",
    "compress",
    "div",
    "gather",
    "gru",
    "lrn",
    "lstm",
    "pad",
)
OTHERWISE = ("batchnorm_epsilon", "same_values", "NCd1d2d3d4d5", "zero", "empty_set", "scalar")
"""What Paddle refuses or does otherwise: epsilons from 0.001 on, the order of equals, more than six
dimensions, tensors without elements, lists of tensors without dimensions."""


def chosen() -> dict[str, Any]:
    """All cases of some operators and a tenth of the others, of the types that Paddle is fed."""
    types = ("float32", "float64", "int32", "int64", "bool")
    found = {}
    for i, case in enumerate(cases()):
        arrays = [*case.data_sets[0][0], *case.data_sets[0][1]]
        plain = all(getattr(a, "dtype", None) in types for a in arrays)
        name = case.name.removeprefix("test_")
        wanted = i % 10 == 0 or name.startswith(OFTEN)
        odd = any(word in name for word in (*OTHERWISE, "bernoulli", "bf16", "fp16", "BFLOAT16"))
        if plain and wanted and not odd:
            found[name] = case
    return found


def found_by_paddle(model: Path, fed: dict[str, Any], wanted: list[Any]) -> str:
    """What Paddle computes otherwise."""
    import run_pdmodels

    arrays = {f"0.in.{name}": np.asarray(x) for name, x in fed.items()}
    return "; ".join(
        run_pdmodels.differences(
            model, arrays | {f"0.out.{i}": np.asarray(x) for i, x in enumerate(wanted)}
        )
    )


@pytest.mark.paddle
@needs_paddle
@pytest.mark.parametrize("name", chosen() if paddle_oracle.available() else [])
def test_node(name: str, tmp_path: Path) -> None:
    """Paddle's numbers are ONNX's, or the file is not written."""
    case, path = chosen()[name], tmp_path / "model.pdmodel"
    model = tmp_path / "model.onnx"
    model.write_bytes(case.model.SerializeToString())
    given, wanted = case.data_sets[0]
    try:
        write_pdmodel_files(Source(model_file=str(model)).read(), str(path))
    except UnsupportedOperatorError:
        return
    names = [info.name for info in case.model.graph.input]
    assert not found_by_paddle(path, dict(zip(names, given, strict=True)), wanted)


def of_image(body: str, params: dict[str, tuple[int, ...]]) -> Program:
    """A program from ``x`` to ``f``."""
    text = f"""program version 2006002
block 0 parent -1 {{
  var feed: feed_minibatch
  var fetch: fetch_list
  var x: lod_tensor fp32[-1,3,8,8]
  Out: [x] = feed(X: [feed]) {{col: int 0}}
{body}
  Out: [fetch] = fetch(X: [f]) {{col: int 0}}
}}"""
    rng = np.random.default_rng(3)
    return parse_program(
        text, {n: rng.standard_normal(dims).astype("float32") for n, dims in params.items()}
    )


def network(last: str) -> Program:
    """Convolutions with biases and activations, and a sum with one."""
    body = f"""
  Output: [a] = conv2d(Input: [x], Filter: [w]) {{strides: ints [1, 1], paddings: ints [1, 1],
    dilations: ints [1, 1], groups: int 1}}
  Out: [b] = elementwise_add(X: [a], Y: [bias]) {{axis: int 1}}
  Out: [c] = {last}
  Output: [d] = conv2d(Input: [x], Filter: [w2]) {{strides: ints [1, 1], paddings: ints [1, 1],
    dilations: ints [1, 1], groups: int 1}}
  Out: [e] = elementwise_sub(X: [c], Y: [d]) {{axis: int -1}}
  Out: [f] = relu(X: [e])
"""
    return of_image(body, {"w": (4, 3, 3, 3), "w2": (4, 3, 3, 3), "bias": (4,)})


@pytest.mark.paddle
@needs_paddle
@pytest.mark.parametrize(
    "last",
    [
        "relu(X: [b])",
        "relu6(X: [b]) {threshold: float 6.0}",
        "leaky_relu(X: [b]) {alpha: float 0.3}",
        "hard_swish(X: [b]) {threshold: float 6.0, scale: float 6.0, offset: float 3.0}",
        "swish(X: [b]) {beta: float 1.7}",
    ],
)
def test_what_was_fused(last: str, tmp_path: Path) -> None:
    """A program that was optimised is written with the operators that it was made of."""
    before = network(last)
    after = optimize(before, ["arm"])
    fused = {name for op in after.root.ops for name in op.inputs} | {
        op.type for op in after.root.ops
    }
    assert "Bias" in fused and "fusion_elementwise_sub_activation" in fused
    write_pdmodel_files(after, str(tmp_path / "model.pdmodel"))
    x = np.random.default_rng(4).standard_normal((2, 3, 8, 8)).astype("float32")
    wanted = make_core(before).run_with([(x, [])])[0][0]
    assert not found_by_paddle(tmp_path / "model.pdmodel", {"x": x}, [wanted])


@pytest.mark.paddle
@needs_paddle
@pytest.mark.parametrize("type", ["conv2d", "conv2d_transpose"])
def test_biases_that_paddle_would_leave_aside(type: str, tmp_path: Path) -> None:
    program = of_image(
        f"""  Output: [f] = {type}(Input: [x], Filter: [w], Bias: [bias]) {{strides: ints [1, 1],
    paddings: ints [0, 0], dilations: ints [1, 1], groups: int 1, with_act: bool true,
    act_type: string "leaky_relu", leaky_relu_alpha: float 0.3}}""",
        {"w": (3, 3, 2, 2), "bias": (3,)},
    )
    declared = optimize(program, ["x86"], passes=[])
    write_pdmodel_files(declared, str(tmp_path / "model.pdmodel"))
    x = np.random.default_rng(4).standard_normal((2, 3, 8, 8)).astype("float32")
    wanted = make_core(program).run_with([(x, [])])[0][0]
    assert not found_by_paddle(tmp_path / "model.pdmodel", {"x": x}, [wanted])


@pytest.mark.paddle
@needs_paddle
@pytest.mark.parametrize("type", ["float32", "float64"])
def test_whole_numbers(type: str, tmp_path: Path) -> None:
    """Quotients of both signs, and ties of every size."""
    nodes = [
        helper.make_node("Div", ["a", "b"], ["q"]),
        helper.make_node("Round", ["x"], ["r"]),
    ]
    element = helper.np_dtype_to_tensor_dtype(np.dtype(type))
    ports = {"a": TensorProto.INT64, "b": TensorProto.INT64, "x": element}
    inputs = [helper.make_tensor_value_info(n, t, [None]) for n, t in ports.items()]
    outputs = [
        helper.make_tensor_value_info("q", TensorProto.INT64, [None]),
        helper.make_tensor_value_info("r", element, [None]),
    ]
    model = helper.make_model(
        helper.make_graph(nodes, "whole", inputs, outputs),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    write_pdmodel_files(
        Source(model_file=str(tmp_path / "model.onnx")).read(), str(tmp_path / "model.pdmodel")
    )
    a, b = (np.array(x, np.int64) for x in ([7, -7, 7, -7, 0, 6], [2, 2, -2, -2, 3, 3]))
    sizes = [0.5, 1.5, 2.5, 3.49, 0, 1e-9, 8388607.5, 8388606.5, 2.0**24 + 2, 1e30]
    x = np.array([*sizes, *(-s for s in sizes)], type)
    wanted = [np.array([3, -3, -3, 3, 0, 2], np.int64), np.rint(x)]
    assert not found_by_paddle(tmp_path / "model.pdmodel", {"a": a, "b": b, "x": x}, wanted)


@pytest.mark.parametrize("last", ["relu(X: [b])", "swish(X: [b]) {beta: float 1.7}"])
def test_what_is_written_stays_as_it_is(last: str, tmp_path: Path) -> None:
    program = optimize(network(last), ["arm"])
    before = print_program(program)
    paths = [tmp_path / "first.pdmodel", tmp_path / "second.pdmodel"]
    for path in paths:
        write_pdmodel_files(program, str(path))
    assert print_program(program) == before
    assert paths[0].read_bytes() == paths[1].read_bytes()


@needs_paddle
@pytest.mark.paddle
def test_the_table_is_what_paddle_says() -> None:
    import paddle_2_6

    made = files("lite.model.legacy") / "paddle_2_6.csv"
    assert made.read_text("utf-8").splitlines() == paddle_2_6.rows()
