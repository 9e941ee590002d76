"""Graphs in graphs: branches, loops, scans, functions, and the sequences that they hand on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model.onnx.reader_models import BOOL, FLOAT, INT64, X, info, model, node, run, stored
from onnx import helper, numpy_helper

import lite
from lite.model.find import find_program
from lite.model.onnx.reader import read_onnx


def _graph(nodes: list[Any], inputs: list[Any], outputs: list[Any], **constants: Any) -> Any:
    arrays = [numpy_helper.from_array(np.asarray(v), n) for n, v in constants.items()]
    return helper.make_graph(nodes, "inner", inputs, outputs, arrays)


def test_if() -> None:
    taken = _graph([node("Mul", "x two", "t")], [], [info("t")], two=np.float32(2))
    other = _graph([node("Neg", "x", "o")], [], [info("o")])
    nodes = [
        node("ReduceSum", "x", "s", keepdims=0),
        node("Greater", "s zero", "c"),
        node("If", "c", "y", then_branch=taken, else_branch=other),
    ]
    made = model(nodes, constants={"zero": np.float32(0)})
    for x in (X, -X):
        run(made, {"x": x})


def test_a_branch_by_the_number_of_dimensions() -> None:
    """As torch's older exporter writes scatter_reduce: sizes are computed, not their number."""
    other = _graph([node("Identity", "x", "o")], [], [info("o", shape=None)])
    flat = _graph([node("Reshape", "x one", "t")], [], [info("t", shape=None)], one=np.array([-1]))
    nodes = [
        node("Shape", "x", "shape"),
        node("Size", "shape", "rank"),
        node("Equal", "rank zero", "scalar"),
        node("If", "scalar", "data", then_branch=flat, else_branch=other),
        node("ScatterElements", "data at x", "y", axis=1, reduction="max"),
    ]
    x = info("x", shape=["n", 3, "m"])
    outputs = [info("y", shape=None)]
    constants = {"zero": np.asarray(0), "at": np.full((2, 3, 4), 1)}
    run(model(nodes, [x], outputs, constants, opset=18), {"x": X})


def _places() -> Any:
    """The body with which torch writes the places that as_strided reads: from the last axis on."""
    first = _graph([node("Identity", "size", "f")], [], [info("f", INT64, None)])
    later = [
        node("ConcatFromSequence", "ones", "known", axis=0),
        node("Concat", "size known", "o", axis=0),
    ]
    other = _graph(later, [], [info("o", INT64, None)])
    nodes = [
        node("Sub", "rank turn", "behind"),
        node("Sub", "behind one", "axis"),
        node("Reshape", "axis flat", "at"),
        node("Gather", "sizes at", "size"),
        node("Gather", "strides at", "stride"),
        node("Slice", "sizes at rank_1", "inner_sizes"),
        node("Reshape", "size none", "size_0"),
        node("Expand", "places inner_sizes", "spread"),
        node("Range", "zero size_0 one", "steps"),
        node("Mul", "steps stride", "moved"),
        node("Equal", "turn zero", "is_first"),
        node("If", "is_first", "dims", then_branch=first, else_branch=other),
        node("Reshape", "moved dims", "column"),
        node("Add", "spread column", "sum"),
        node("SequenceInsert", "ones one_1", "more"),
        node("Identity", "going", "again"),
    ]
    places, ones, more = map(helper.make_empty_tensor_value_info, ("places", "ones", "more"))
    inputs = [info("turn", INT64, []), info("going", BOOL, []), places, ones]
    return _graph(nodes, inputs, [info("again", BOOL, None), info("sum", INT64, None), more])


def test_a_loop_over_constants_is_computed() -> None:
    """Its value gets another dimension with each turn."""
    constants = {
        "rank": np.asarray(3), "zero": np.asarray(0), "one": np.asarray(1), "flat": np.array([-1]),
        "none": np.array([], np.int64), "one_1": np.array([1]), "rank_1": np.array([3]),
        "sizes": np.array([2, 2, 3]), "strides": np.array([1, 4, 2]),
    }  # fmt: skip
    nodes = [
        node("SequenceEmpty", "", "start", dtype=INT64),
        helper.make_node("Loop", ["rank", "", "zero", "start"], ["places", "rest"], body=_places()),
        node("Reshape", "x flat", "all"),
        node("Gather", "all places", "y"),
    ]
    made = model(nodes, outputs=[info("y", shape=None)], constants=constants)
    run(made, {"x": X})
    assert _loops(made) == 0


def _loops(made: Any) -> int:
    program = read_onnx(find_program(model_bytes=made.SerializeToString()))
    return sum(op.type == "while" for op in program.root.ops)


@pytest.mark.parametrize(("most", "loops"), [(40, 0), (2000, 1)])
def test_a_loop_over_constants_that_ends_itself(most: int, loops: int) -> None:
    """Or after so many turns; with a result of each. A long one stays a loop."""
    nodes = [
        node("Mul", "v two", "w"),
        node("Identity", "w", "each"),
        node("Less", "turn last", "again"),
    ]
    inputs = [info("turn", INT64, [1]), info("going", BOOL, []), info("v", shape=[2])]
    outputs = [info("again", BOOL, None), info("w", shape=[2]), info("each", shape=[2])]
    constants = {"two": np.float32(1.001), "last": np.asarray(most)}
    body = _graph(nodes, inputs, outputs, **constants)
    loop = helper.make_node("Loop", ["", "going", "start"], ["end", "all"], body=body)
    nodes = [
        loop,
        node("ReduceSum", "all", "sum"),
        node("Add", "sum end", "s"),
        node("Add", "x s", "y"),
    ]
    constants = {"going": np.asarray(True), "start": np.ones(2, np.float32)}
    made = model(nodes, [info("x", shape=["n", 2])], constants=constants)
    run(made, {"x": np.ones((3, 2), np.float32)})
    assert _loops(made) == loops


def test_branches_whose_results_have_the_names_of_the_model_s(tmp_path: Path) -> None:
    """As optimum merges decoders with and without a cache."""
    taken = _graph([node("Mul", "x two", "y"), node("Neg", "y", "z")], [], [info("y"), info("z")])
    nodes = [node("Neg", "x", "own"), node("Abs", "own", "z"), node("Neg", "z", "y")]
    other = _graph(nodes, [], [info("y"), info("z")])
    graph = model(
        [node("If", "flag", "y z", then_branch=taken, else_branch=other)],
        [info("x"), info("flag", BOOL, [1])],
        [info("y", shape=None), info("z", shape=None)],
        {"two": np.float32(2)},
    )
    for flag in (True, False):
        feeds = {"x": X, "flag": np.array([flag])}
        found = run(graph, feeds)
        again = lite.load(stored(graph, tmp_path)).run(feeds)
        for name in ("y", "z"):
            np.testing.assert_array_equal(again[name], found[name])


def test_loop() -> None:
    body = _graph(
        [
            node("Add", "v x", "next"),
            node("Identity", "c", "go"),
            node("Cast", "i", "f", to=FLOAT),
            node("Mul", "next f", "step"),
        ],
        [info("i", INT64, []), info("c", BOOL, []), info("v")],
        [info("go", BOOL, []), info("next"), info("step")],
    )
    nodes = [node("Loop", "n t x", "last y", body=body)]
    outputs = [info("last", shape=None), info("y", shape=None)]
    made = model(nodes, None, outputs, {"n": np.asarray(3), "t": np.asarray(True)})
    found = run(made)
    assert found["y"].shape == (3, 2, 3, 4)


def test_loop_without_lists_of_results() -> None:
    """What it hands on is an output of the model, under its name."""
    body = helper.make_graph(
        [node("Identity", "going", "still"), node("Mul", "state x", "next")],
        "body",
        [info("i", INT64, []), info("going", BOOL, []), info("state", shape=None)],
        [info("still", BOOL, []), info("next", shape=None)],
    )
    constants = {"turns": np.array(3, np.int64), "going": np.array(True)}
    found = run(model([node("Loop", "turns going x", "y", body=body)], constants=constants))
    np.testing.assert_allclose(found["y"], X**4, rtol=1e-5)


def test_what_a_loop_hands_on_unchanged_is_a_constant() -> None:
    """Weights are packed once, and not copied in each turn."""
    body = helper.make_graph(
        [
            node("MatMul", "state weight", "product"),
            node("Tanh", "product", "next"),
            node("Identity", "weight", "copy"),
            node("Identity", "copy", "weight_on"),
            node("Identity", "going", "still"),
        ],
        "body",
        [info("i", INT64, []), info("going", BOOL, [])]
        + [info(name, shape=None) for name in ("weight", "state", "side")],
        [info("still", BOOL, [])]
        + [info(name, shape=None) for name in ("weight_on", "next", "side")],
    )
    weight = np.random.default_rng(4).standard_normal((4, 4)).astype(np.float32)
    constants = {"turns": np.array(3), "going": np.array(True), "w": weight, "none": weight[:0]}
    nodes = [node("Loop", "turns going w x none", "weights y sides", body=body)]
    outputs = [info(name, shape=None) for name in ("y", "weights", "sides")]
    made = model(nodes, outputs=outputs, constants=constants)
    run(made)
    program = read_onnx(find_program(model_bytes=made.SerializeToString()))
    (product,) = [op for op in program.blocks[1].ops if op.type == "matmul_v2"]
    assert product.inputs["Y"][0] in program.params


def test_scan() -> None:
    body = _graph(
        [node("Add", "s e", "n"), node("Identity", "n", "o")],
        [info("s", shape=["b", "c"]), info("e", shape=["b", "c"])],
        [info("n", shape=["b", "c"]), info("o", shape=["b", "c"])],
    )
    nodes = [node("Scan", "z x", "last y", body=body, num_scan_inputs=1)]
    outputs = [info("last", shape=None), info("y", shape=None)]
    made = model(nodes, None, outputs, {"z": np.zeros((3, 4), np.float32)})
    np.testing.assert_allclose(run(made)["y"], np.cumsum(X, 0), rtol=1e-6)


@pytest.mark.parametrize("known", [False, True])
def test_names_within_are_not_the_model_s(known: bool) -> None:
    """A function and a branch have values that are named like the model's output and input."""
    body = [node("Neg", "a", "y"), node("Abs", "y", "z")]
    function = helper.make_function("local", "F", ["a"], ["z"], body, [helper.make_opsetid("", 17)])
    taken = _graph([node("Exp", "f", "y"), node("Tanh", "y", "t")], [], [info("t")])
    other = _graph([node("Sin", "f", "y"), node("Cos", "y", "t")], [], [info("t")])
    nodes = [
        helper.make_node("F", ["x"], ["f"], domain="local"),
        node("If", "flag", "i", then_branch=taken, else_branch=other),
        node("Add", "i f", "y"),
    ]
    flags = {"flag": np.array([True])}
    inputs = [info("x")] if known else [info("x"), info("flag", BOOL, [1])]
    made = model(nodes, inputs, None, flags if known else {}, functions=[function])
    run(made, {"x": X} if known else {"x": X, **flags})


def test_functions() -> None:
    domains = [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)]
    leaky = helper.make_node("LeakyRelu", ["a"], ["b"])
    leaky.attribute.add(name="alpha", ref_attr_name="slope", type=1)
    inner = helper.make_function("local", "Soft", ["a"], ["b"], [leaky], domains, ["slope"])
    call = node("Soft", "v", "w", domain="local")
    call.attribute.add(name="slope", ref_attr_name="s", type=1)
    outer = helper.make_function(
        "local", "Twice", ["v"], ["u"], [call, node("Add", "w w", "u")], domains, ["s"]
    )
    made = model([node("Twice", "x", "y", domain="local", s=0.25)], functions=[inner, outer])
    run(made)


def test_sequences_in_branches_and_loops() -> None:
    taken = _graph([node("SequenceConstruct", "x x", "two")], [], [_sequence("two")])
    other = _graph([node("SequenceConstruct", "x", "o")], [], [_sequence("o")])
    body = _graph(
        [node("SequenceInsert", "s x", "n"), node("Identity", "c", "go")],
        [info("i", INT64, []), info("c", BOOL, []), _sequence("s")],
        [info("go", BOOL, []), _sequence("n")],
    )
    nodes = [
        node("ReduceSum", "x", "r", keepdims=0),
        node("Greater", "r zero", "p"),
        node("If", "p", "q", then_branch=taken, else_branch=other),
        node("Loop", "m t q", "z", body=body),
        node("ConcatFromSequence", "z", "y", axis=0),
    ]
    constants = {"zero": np.float32(0), "m": np.asarray(2), "t": np.asarray(True)}
    made = model(nodes, constants=constants)
    for x in (X, -X):
        run(made, {"x": x})


def _sequence(name: str) -> Any:
    return helper.make_tensor_sequence_value_info(name, FLOAT, None)
