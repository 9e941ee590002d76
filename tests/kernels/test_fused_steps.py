"""Elementwise operators that the plan folds into a kernel give what they give on their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from harness import core, rand

from lite.model.naive_buffer import program_bytes
from lite.model.program import Attr, AttrType, OpDesc, Program, VarDesc

Array = np.ndarray
_TYPES = {bool: AttrType.BOOLEAN, int: AttrType.INT, float: AttrType.FLOAT, str: AttrType.STRING}
_LISTS = {int: AttrType.INTS, float: AttrType.FLOATS}


def _attr(value: Any) -> Attr:
    return Attr(_LISTS[type(value[0])] if isinstance(value, list) else _TYPES[type(value)], value)


class Chain:
    """Operators in a row; each one's result is "x" to the next. Other inputs are by name."""

    def __init__(self, fed: dict[str, Array], params: dict[str, Array]) -> None:
        self.fed, self.params = fed, params
        self.ops: list[tuple[str, dict[str, str], str, dict[str, Any]]] = []

    def op(self, type: str, inputs: dict[str, str], output: str = "Out", **attrs: Any) -> Chain:
        self.ops.append((type, inputs, output, attrs))
        return self

    def alone(self) -> Array:
        """Every operator by its reference kernel."""
        values = {**self.fed, **self.params}
        for type, inputs, output, attrs in self.ops:
            arrays = {slot: [(values[name], [])] for slot, name in inputs.items()}
            result = core().run_op(type, arrays, {output: 1}, attrs, dynamic=True)
            values["x"] = result[output][0][0]
        return np.asarray(values["x"])

    def predictor(self) -> Any:
        program = Program(params=dict(self.params))
        block = program.root
        for column, name in enumerate(self.fed):
            feed = OpDesc("feed", {"X": ["feed"]}, {"Out": [name]})
            feed.set_attr("col", AttrType.INT, column)
            block.ops.append(feed)
            block.vars[name] = VarDesc(name)
        for name, array in self.params.items():
            block.vars[name] = VarDesc(name, shape=array.shape, persistable=True)
        names = {name: name for name in {**self.fed, **self.params}}
        for i, (type, inputs, output, attrs) in enumerate(self.ops):
            op = OpDesc(type, {slot: [names[name]] for slot, name in inputs.items()})
            names["x"] = f"value{i}"
            op.outputs[output] = [names["x"]]
            op.attrs = {name: _attr(value) for name, value in attrs.items()}
            block.ops.append(op)
            block.vars[names["x"]] = VarDesc(names["x"])
        fetch = OpDesc("fetch", {"X": [names["x"]]}, {"Out": ["fetch"]})
        fetch.set_attr("col", AttrType.INT, 0)
        block.ops.append(fetch)
        return core().Predictor.from_program(program_bytes(program), program.params)

    def run(self, predictor: Any) -> Array:
        for i, array in enumerate(self.fed.values()):
            predictor.set_input(i, array)
        predictor.run()
        return np.asarray(predictor.copy_output(0))

    def planned(self, threads: int) -> Array:
        predictor = self.predictor()
        predictor.set_threads(threads)
        return self.run(predictor)


CONV = {"Input": "x", "Filter": "w"}
BINARY = {"X": "x", "Y": "y"}
SWAPPED = {"X": "y", "Y": "x"}


def producers() -> dict[str, Chain]:
    """Every kernel that applies steps, by name; the output is [2, 20, 6, 5] or [2, 3, 20]."""
    image, plane = rand(2, 8, 6, 5), rand(2, 20, 6, 5)
    three, matrix = rand(2, 3, 12), rand(12, 20)
    chains = {
        "conv2d": Chain({"x": image}, {"w": rand(20, 8, 3, 3)}).op(
            "conv2d", CONV, "Output", paddings=[1, 1]
        ),
        "conv2d bias act": Chain({"x": image}, {"w": rand(20, 8, 1, 1), "b": rand(20)}).op(
            "conv2d", {**CONV, "Bias": "b"}, "Output", with_act=True, act_type="relu6"
        ),
        "conv2d residual": Chain({"x": image, "r": plane}, {"w": rand(20, 8, 1, 1)}).op(
            "conv2d", {**CONV, "ResidualData": "r"}, "Output", with_act=True, act_type="relu"
        ),
        "conv2d few channels": Chain({"x": image[:, :3]}, {"w": rand(20, 3, 3, 3)}).op(
            "conv2d", CONV, "Output", paddings=[1, 1]
        ),
        "conv2d groups": Chain({"x": image}, {"w": rand(20, 2, 3, 3)}).op(
            "conv2d", CONV, "Output", paddings=[1, 1], groups=4
        ),
        "conv2d fed filter": Chain({"x": image, "w": rand(20, 8, 3, 3)}, {}).op(
            "conv2d", CONV, "Output", paddings=[1, 1]
        ),
        "depthwise_conv2d": Chain({"x": plane}, {"w": rand(20, 1, 3, 3)}).op(
            "depthwise_conv2d", CONV, "Output", paddings=[1, 1], groups=20
        ),
        "nearest_interp_v2": Chain({"x": rand(2, 20, 3, 5)}, {}).op(
            "nearest_interp_v2", {"X": "x"}, interp_method="nearest", out_h=6, out_w=5
        ),
        "bilinear_interp": Chain({"x": rand(2, 20, 4, 4)}, {}).op(
            "bilinear_interp", {"X": "x"}, interp_method="bilinear", out_h=6, out_w=5
        ),
        "conv2d_transpose tiles": Chain({"x": rand(2, 8, 3, 5)}, {"w": rand(8, 20, 2, 1)}).op(
            "conv2d_transpose", CONV, "Output", strides=[2, 1]
        ),
        "conv2d_transpose": Chain(
            {"x": rand(2, 8, 3, 5), "b": rand(20)}, {"w": rand(8, 20, 4, 3)}
        ).op("conv2d_transpose", {**CONV, "Bias": "b"}, "Output", strides=[2, 1], paddings=[1, 1]),
        "fc": Chain({"x": three}, {"w": matrix, "b": rand(20)}).op(
            "fc", {"Input": "x", "W": "w", "Bias": "b"}, in_num_col_dims=2, activation_type="relu"
        ),
        "mul": Chain({"x": three}, {"w": matrix}).op("mul", {"X": "x", "Y": "w"}, x_num_col_dims=2),
        "mul of many columns": Chain({"x": rand(2, 12)}, {"w": rand(12, 3, 20)}).op(
            "mul", {"X": "x", "Y": "w"}
        ),
        "matmul": Chain({"x": three}, {"w": matrix}).op("matmul", {"X": "x", "Y": "w"}, alpha=0.5),
        "matmul_v2 fed": Chain({"x": three, "w": matrix}, {}).op("matmul_v2", {"X": "x", "Y": "w"}),
        "matmul_v2 batch": Chain({"x": three, "w": rand(2, 20, 12)}, {}).op(
            "matmul_v2", {"X": "x", "Y": "w"}, trans_y=True
        ),
        "matmul_v2 packed batch": Chain({"x": three}, {"w": rand(2, 12, 20)}).op(
            "matmul_v2", {"X": "x", "Y": "w"}
        ),
        "matmul_v2 turned": Chain({"x": rand(2, 12, 3)}, {"w": matrix}).op(
            "matmul_v2", {"X": "x", "Y": "w"}, trans_x=True
        ),
        "matmul_v2 vector": Chain({"x": rand(2, 3, 20, 12)[0], "w": rand(12)}, {}).op(
            "matmul_v2", {"X": "x", "Y": "w"}
        ),
        "bmm": Chain({"x": three, "w": rand(2, 12, 20)}, {}).op("bmm", {"X": "x", "Y": "w"}),
    }
    return chains


# Steps that follow: an operand's shape out of the output's, and the operators over it.
STEPS: dict[str, Any] = {
    "relu": [("relu", {"X": "x"}, {})],
    "hard_swish": [("hard_swish", {"X": "x"}, {})],
    "residual": [("elementwise_add", BINARY, {}), ("relu", {"X": "x"}, {})],
    "residual first": [("elementwise_add", SWAPPED, {})],
    "from a residual": [("elementwise_sub", SWAPPED, {}), ("sigmoid", {"X": "x"}, {})],
    "channels": [("elementwise_mul", BINARY, {"axis": 1})],
    "last": [("elementwise_add", BINARY, {"axis": -1}), ("relu6", {"X": "x"}, {})],
    "gate": [("elementwise_mul", BINARY, {}), ("elementwise_max", BINARY, {})],
    "scalar": [("elementwise_div", BINARY, {})],
    "numbers": [
        ("elementwise_mul", BINARY, {}),
        ("elementwise_add", SWAPPED, {}),
        ("scale", {"X": "x"}, {"scale": -2.0, "bias": 0.5}),
        ("hard_swish", {"X": "x"}, {}),
        ("elementwise_sub", BINARY, {}),
        ("elementwise_mul", SWAPPED, {}),
        ("elementwise_sub", SWAPPED, {}),
    ],
}


def operand_shape(step: str, out: tuple[int, ...]) -> tuple[int, ...]:
    return {
        "channels": (out[1],),
        "last": (out[-1],),
        "gate": (out[0], out[1], *(1 for _ in out[2:])),
        "scalar": (1,),
        "numbers": (1,),
    }.get(step, out)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", producers())
def test_steps(name: str, step: str) -> None:
    chain = producers()[name]
    out = chain.alone().shape
    operand = rand(*operand_shape(step, out), low=0.5, high=1.5)
    for where in (chain.fed, chain.params):
        used = producers()[name]
        (used.fed if where is chain.fed else used.params)["y"] = operand
        for type, inputs, attrs in STEPS[step]:
            used.op(type, inputs, **attrs)
        expected = used.alone()
        for threads in (1, 2):
            actual = used.planned(threads)
            assert actual.shape == expected.shape
            np.testing.assert_allclose(
                actual, expected, rtol=0, atol=1e-5 * max(1.0, float(np.abs(expected).max()))
            )


@pytest.mark.parametrize("number", [np.inf, -np.inf, np.nan, 3e38, 0.0])
def test_extreme_numbers(number: float) -> None:
    x = np.array([[0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan]], np.float32)
    chain = Chain({"x": x}, {"y": np.array([number], np.float32)})
    for type in ("relu", "elementwise_mul", "elementwise_add", "elementwise_mul"):
        chain.op(type, {"X": "x"} if type == "relu" else BINARY)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(chain.planned(1), chain.alone(), rtol=1e-6)


def test_a_chain_of_convolutions() -> None:
    """Regions of one memory order with a branch, a residual and a gate."""
    fed = {"x": rand(1, 3, 17, 19)}
    params = {
        "w": rand(16, 3, 3, 3),
        "d": rand(16, 1, 5, 5),
        "p": rand(24, 16, 1, 1),
        "b": rand(24),
    }
    chain = Chain(fed, params)
    chain.op("conv2d", CONV, "Output", strides=[2, 2], paddings=[1, 1]).op("relu", {"X": "x"})
    chain.op("depthwise_conv2d", {"Input": "x", "Filter": "d"}, "Output", groups=16)
    chain.op("hard_swish", {"X": "x"})
    chain.op("conv2d", {"Input": "x", "Filter": "p"}, "Output")
    chain.op("elementwise_add", {"X": "x", "Y": "b"}, axis=1)
    chain.op("pool2d", {"X": "x"}, pooling_type="avg", ksize=[2, 2], strides=[2, 2])
    chain.op("pool2d", {"X": "x"}, pooling_type="max", ksize=[1, 1], global_pooling=True)
    np.testing.assert_allclose(chain.planned(2), chain.alone(), rtol=1e-5, atol=1e-5)


def resizable() -> dict[str, tuple[Chain, list[tuple[int, ...]]]]:
    """Kernels with packed weights, and sizes of their input to go through and back."""
    images = [(1, 8, 6, 5), (2, 8, 7, 9), (1, 8, 1, 1), (3, 8, 6, 5)]
    row_first = [(1, 8, 1, 7), (2, 8, 30, 40), (1, 8, 1, 1), (1, 8, 30, 1)]
    wide = [(1, 136, 1, 7), (2, 136, 12, 9), (1, 136, 1, 1)]
    rows = [(2, 3, 12), (1, 1, 12), (2, 9, 12)]

    def conv(type: str, *filter: int, **attrs: Any) -> Chain:
        return Chain({}, {"w": rand(*filter)}).op(type, CONV, "Output", **attrs)

    def product(type: str, **attrs: Any) -> Chain:
        slots = {"Input": "x", "W": "w"} if type == "fc" else {"X": "x", "Y": "w"}
        return Chain({}, {"w": rand(12, 20)}).op(type, slots, **attrs)

    same = {"padding_algorithm": "SAME", "strides": [2, 2]}
    return {
        "conv2d": (conv("conv2d", 20, 8, 3, 3, paddings=[1, 1]), images),
        "conv2d of a row first": (conv("conv2d", 20, 8, 3, 3, paddings=[1, 1]), row_first),
        "conv2d of a row first, wide": (
            Chain({}, {"w": rand(144, 136, 3, 3) / 8}).op(
                "conv2d", CONV, "Output", paddings=[1, 1]
            ),
            wide,
        ),
        "conv2d to one": (conv("conv2d", 1, 8, 3, 3, paddings=[1, 1]), row_first),
        "conv2d same": (conv("conv2d", 20, 8, 3, 3, **same), images),
        "depthwise_conv2d": (conv("depthwise_conv2d", 8, 1, 3, 3, groups=8, **same), images),
        "conv2d_transpose": (conv("conv2d_transpose", 8, 20, 3, 3, strides=[3, 2]), images),
        "conv2d_transpose same": (conv("conv2d_transpose", 8, 20, 4, 3, **same), images),
        "fc": (product("fc", in_num_col_dims=2), rows),
        "mul": (product("mul", x_num_col_dims=2), rows),
        "matmul_v2": (product("matmul_v2"), rows),
    }


@pytest.mark.parametrize("name", resizable())
def test_sizes_change_after_weights_are_packed(name: str) -> None:
    chain, sizes = resizable()[name]
    inputs = [rand(*size) for size in sizes]
    chain.fed["x"] = inputs[0]
    expected = []
    for x in inputs:
        chain.fed["x"] = x
        expected.append(chain.alone())
    predictor = chain.predictor()
    clone = predictor.clone()
    for x, wanted in [*zip(inputs, expected, strict=True)] * 2:
        chain.fed["x"] = x
        for either in (predictor, clone):
            np.testing.assert_allclose(chain.run(either), wanted, rtol=0, atol=1e-5)


@pytest.mark.parametrize("axis", [0, 1, 3, 2**31 - 1])
def test_axis_means_nothing_between_operands_of_one_rank(axis: int) -> None:
    x, y = rand(1, 4, 4, 2), rand(1, 4, 1, 1)
    chain = Chain({"x": x, "y": y}, {})
    chain.op("relu", {"X": "x"})
    chain.op("elementwise_add", {"X": "x", "Y": "y"}, axis=axis)
    chain.op("sigmoid", {"X": "x"})
    expected = 1 / (1 + np.exp(-(np.maximum(x, 0) + y)))
    np.testing.assert_allclose(chain.planned(1), expected, rtol=1e-5)
    np.testing.assert_allclose(chain.alone(), expected, rtol=1e-5)
