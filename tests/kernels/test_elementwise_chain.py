"""Chains come from the plan: programs of elementwise operators against numpy."""

from __future__ import annotations

import io
import random
from typing import Any

import numpy as np
import pytest
from harness import OpTable, rand, randint

table = OpTable("elementwise_chain")
for shape in ((), (0, 2), (5,), (2, 3, 4, 5)):
    table.case({"X": rand(*shape)}, reference=lambda i, a: {"Out": i["X"]}, tol=0)
table.error({"X": randint(2)}, error="DataTypeError", match="int64")

test_elementwise_chain = table.tests()


def relu(x: np.ndarray) -> np.ndarray:
    return np.maximum(x, 0)


def prelu(x: np.ndarray, slope: np.ndarray) -> np.ndarray:
    return np.where(x > 0, x, x * slope)


# Operator, its attributes, the operand that is not the running value, its place and numpy's words.
Step = tuple[str, dict[str, Any], tuple[int, ...] | None, str, Any]
CHAINS: dict[str, list[Step]] = {
    "activations": [("relu", {}, None, "", relu), ("tanh", {}, None, "", np.tanh)],
    "scalar": [
        ("elementwise_mul", {"axis": -1}, (1,), "Y", np.multiply),
        ("elementwise_sub", {"axis": -1}, (1,), "X", lambda x, y: y - x),
    ],
    "whole": [
        ("elementwise_add", {"axis": -1}, (2, 6, 9, 7), "Y", np.add),
        ("elementwise_div", {"axis": -1}, (2, 6, 9, 7), "X", lambda x, y: y / (x + 0)),
    ],
    "mixed": [
        ("elementwise_add", {"axis": -1}, (1, 6, 1, 1), "Y", np.add),
        ("elementwise_mul", {"axis": -1}, (2, 6, 1, 1), "Y", np.multiply),
        ("elementwise_max", {"axis": -1}, (9, 7), "Y", np.maximum),
        ("elementwise_sub", {"axis": -1}, (7,), "Y", np.subtract),
        ("scale", {"scale": 2.0, "bias": 1.0}, None, "", lambda x: 2 * x + 1),
    ],
    "images": [
        ("elementwise_add", {"axis": -1}, (6, 9, 7), "Y", np.add),
        ("elementwise_mul", {"axis": 1}, (6, 9, 7), "Y", np.multiply),
        ("elementwise_sub", {"axis": 0}, (1, 6, 9, 7), "Y", np.subtract),
    ],
    "slopes": [
        ("scale", {"scale": 1.0, "bias": -1.7}, None, "", lambda x: x - 1.7),
        (
            "prelu",
            {"mode": "channel"},
            (6,),
            "Alpha",
            lambda x, y: prelu(x, y.reshape(6, 1, 1)),
        ),
        ("prelu", {"mode": "channel", "data_format": "NHWC"}, (7,), "Alpha", prelu),
        ("prelu", {"mode": "element"}, (1, 6, 9, 7), "Alpha", prelu),
        (
            "prelu",
            {"mode": "element"},
            (6, 9, 7, 1),
            "Alpha",
            lambda x, y: prelu(x, y.reshape(6, 9, 7)),
        ),
        ("prelu", {"mode": "all"}, (1,), "Alpha", prelu),
    ],
    "fused": [
        (
            "fusion_elementwise_add_activation",
            {"axis": -1, "act_type": "relu"},
            (2, 6, 9, 7),
            "Y",
            lambda x, y: relu(x + y),
        ),
        (
            "fusion_elementwise_sub_activation",
            {"axis": 1, "act_type": "tanh"},
            (6,),
            "Y",
            lambda x, y: np.tanh(x - y.reshape(6, 1, 1)),
        ),
        (
            "fusion_elementwise_mul_activation",
            {"axis": -1, "act_type": "sigmoid"},
            (1,),
            "Y",
            lambda x, y: 1 / (1 + np.exp(-x * y)),
        ),
    ],
}


def chain_program(steps: list[Step], convolve: bool, constants: list[np.ndarray]) -> bytes:
    """x -> (a 1x1 convolution by 2) -> the steps -> y, as the bytes of a .nb file."""
    from lite.model.naive_buffer import write_nb
    from lite.model.program import AttrType, BlockDesc, DataType, OpDesc, Program, VarDesc, VarType

    block, params = BlockDesc(), {}
    block.vars["feed"] = VarDesc("feed", VarType.FEED_MINIBATCH, None, persistable=True)
    block.vars["fetch"] = VarDesc("fetch", VarType.FETCH_LIST, None, persistable=True)

    def add(kind: str, inputs: dict[str, str], slot: str, out: str, attrs: dict[str, Any]) -> None:
        op = OpDesc(kind, {k: [v] for k, v in inputs.items()}, {slot: [out]})
        kinds = {
            int: AttrType.INT,
            float: AttrType.FLOAT,
            str: AttrType.STRING,
            list: AttrType.INTS,
        }
        for name, value in attrs.items():
            op.set_attr(name, kinds[type(value)], value)
        block.ops.append(op)
        if out not in block.vars:
            block.vars[out] = VarDesc(out, dtype=DataType.FP32, shape=(-1, 6, 9, 7))

    def parameter(name: str, value: np.ndarray) -> str:
        params[name] = value
        block.vars[name] = VarDesc(name, dtype=DataType.FP32, shape=value.shape, persistable=True)
        return name

    add("feed", {"X": "feed"}, "Out", "x", {"col": 0})
    value = "x"
    if convolve:
        weight = parameter("w", np.eye(6, dtype="float32").reshape(6, 6, 1, 1) * 2)
        attrs = {"strides": [1, 1], "paddings": [0, 0], "dilations": [1, 1], "groups": 1}
        add("conv2d", {"Input": "x", "Filter": weight}, "Output", "c", attrs)
        value = "c"
    for i, (kind, attrs, shape, place, _) in enumerate(steps):
        inputs = {"X": value}
        if shape is not None:
            other = parameter(f"p{i}", constants[i])
            inputs = {place: other, "Y" if place == "X" else "X": value}
        value = f"v{i}"
        add(kind, inputs, "Out", value, attrs)
    add("fetch", {"X": value}, "Out", "fetch", {"col": 0})
    stream = io.BytesIO()
    write_nb(Program([block], version=2006002, params=params), stream)
    return stream.getvalue()


def random_chain(seed: int) -> list[Step]:
    """Binary operators with operands of any dims that broadcast, activations between them."""
    choose, dims = random.Random(seed), (2, 6, 9, 7)
    functions = {
        "elementwise_add": np.add,
        "elementwise_sub": np.subtract,
        "elementwise_mul": np.multiply,
        "elementwise_max": np.maximum,
    }
    steps: list[Step] = []
    for _ in range(choose.randint(1, 5)):
        if choose.random() < 0.25:
            steps.append(choose.choice(CHAINS["activations"] + CHAINS["slopes"]))
            continue
        kind, function = choose.choice(list(functions.items()))
        first, last = sorted(choose.sample(range(5), 2))
        shape = tuple(1 if choose.random() < 0.3 else d for d in dims[first:last])
        place = choose.choice("XY") if len(shape) == 4 else "Y"
        axis = first if choose.random() < 0.5 or last < 4 else -1
        steps.append((kind, {"axis": axis}, shape, place, aligned(function, first, last, place)))
    return steps


def aligned(function: Any, first: int, last: int, place: str) -> Any:
    """`function` of the running value and of an operand that lies along its dims [first, last)."""

    def call(x: np.ndarray, operand: np.ndarray) -> np.ndarray:
        y = operand.reshape((1,) * first + operand.shape + (1,) * (4 - last))
        return function(x, y) if place == "Y" else function(y, x)

    return call


def check(steps: list[Step], convolve: bool) -> None:
    import lite

    numbers = np.random.RandomState(1)
    constants = [
        numbers.uniform(0.5, 1.5, shape or ()).astype("float32") for _, _, shape, _, _ in steps
    ]
    x = numbers.uniform(0.5, 2, (2, 6, 9, 7)).astype("float32")
    expected = x.astype("float64") * (2 if convolve else 1)
    for (_, _, shape, _, fn), constant in zip(steps, constants, strict=True):
        expected = fn(expected) if shape is None else fn(expected, constant)
    predictor = lite.load(chain_program(steps, convolve, constants))
    (actual,) = predictor.run({"x": x}).values()
    assert actual.shape == expected.shape
    assert np.abs(actual - expected).max() <= 1e-5 * np.abs(expected).max()


@pytest.mark.parametrize("convolve", [False, True])
@pytest.mark.parametrize("name", CHAINS)
def test_chains_of_programs(name: str, convolve: bool) -> None:
    check(CHAINS[name], convolve)


@pytest.mark.parametrize("convolve", [False, True])
def test_random_chains(convolve: bool) -> None:
    for seed in range(150):
        check(random_chain(seed), convolve)
