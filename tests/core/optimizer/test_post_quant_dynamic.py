"""Weights in integers for files: which, how exactly, and that nothing is lost twice."""

from __future__ import annotations

import numpy as np
import pytest
from checking import program, rand

from lite.core.optimizer import optimize
from lite.errors import ConfigError
from lite.model.program import OpDesc, Program

CONV = "strides: ints [1, 1], paddings: ints [1, 1], dilations: ints [1, 1]"
BODY = f"""
    Output: [c] = conv2d(Input: [x], Filter: [w1]) {{{CONV}, groups: int 1}}
    Output: [d] = depthwise_conv2d(Input: [c], Filter: [w2]) {{{CONV}, groups: int 4}}
    Output: [t] = conv2d_transpose(Input: [d], Filter: [w3]) {{{CONV}, groups: int 1}}
    Out: [r], XShape: [s] = reshape2(X: [t]) {{shape: ints [0, -1]}}
    Out: [m] = matmul_v2(X: [r], Y: [w4])
    Out: [n] = matmul_v2(X: [m], Y: [w5]) {{trans_y: bool true}}
    Out: [y] = matmul_v2(X: [n], Y: [w5])
    """


def net() -> Program:
    weights = {
        "w1": rand(4, 3, 3, 3),
        "w2": rand(4, 1, 3, 3),
        "w3": rand(4, 2, 3, 3),
        "w4": rand(72, 6),
        "w5": rand(6, 6),
    }
    weights["w1"][2] = 0
    return program(BODY, {"x": (1, 3, 6, 6)}, ["y"], weights)


def readers(of: Program, name: str) -> list[OpDesc]:
    return [op for op in of.root.ops if name in set(op.input_names())]


@pytest.mark.parametrize("bits", [8, 16])
def test_which_weights_and_how_exactly(bits: int) -> None:
    before = net()
    after = optimize(before, weight_bits=bits)
    dtype = {8: "int8", 16: "int16"}[bits]
    assert {n: str(a.dtype) for n, a in after.params.items()} == {
        "w1": dtype,
        "w2": "float32",
        "w3": "float32",
        "w4": dtype,
        "w5": "float32",  # two operators read it
    }
    for name, axis in (("w1", 0), ("w4", 1)):
        (op,) = readers(after, name)
        assert op.attr("quantize_weight_bits") == bits
        assert op.attr("quantization_type") == "post_weight_channel_wise_abs_max"
        scales = np.asarray(op.attr(f"{name}_quant_scale"))
        shape = [-1 if i == axis else 1 for i in range(after.params[name].ndim)]
        error = np.abs(after.params[name] * scales.reshape(shape) - before.params[name])
        assert (error <= 0.5001 * scales.reshape(shape)).all()


def test_a_program_that_is_not_written_keeps_its_numbers() -> None:
    assert all(a.dtype == np.float32 for a in optimize(net()).params.values())
    assert all(a.dtype == np.float32 for a in optimize(net(), weight_bits=0).params.values())


@pytest.mark.parametrize("bits", [8, 16])
def test_integers_that_came_in_go_out_as_they_were(bits: int) -> None:
    first = optimize(net(), weight_bits=bits)
    second = optimize(first, weight_bits=0)
    assert second.params.keys() == first.params.keys()
    for name, array in first.params.items():
        np.testing.assert_array_equal(second.params[name], array)
    for name in ("w1", "w4"):
        (op,) = readers(second, name)
        scales = readers(first, name)[0].attr(f"{name}_quant_scale")
        np.testing.assert_allclose(op.attr(f"{name}_quant_scale"), scales, rtol=1e-6)


BYTES = f"{{{CONV}, groups: int 1, quantize_weight_bits: int 8}}"
SHARED = f"""
    Output: [c] = conv2d(Input: [x], Filter: [w]) {BYTES}
    Output: [y] = conv2d(Input: [c], Filter: [w]) {BYTES}
    """
OTHERWISE = f"Output: [z] = conv2d_transpose(Input: [y], Filter: [w]) {{{CONV}, groups: int 1}}\n"


@pytest.mark.parametrize(
    ("more", "targets", "bits", "dtype"),
    [
        ("", ("arm",), None, "int8"),
        ("", ("x86",), 0, "int8"),
        ("", ("arm",), 0, "float32"),  # a file: real Paddle Lite restores it for each reader
        (OTHERWISE, ("x86",), None, "float32"),
    ],
)
def test_integers_that_several_read(
    more: str, targets: tuple[str, ...], bits: int | None, dtype: str
) -> None:
    steps = np.random.default_rng(0).integers(-127, 128, (3, 3, 3, 3))
    steps[:, 0, 0, 0] = 127
    weights = {"w": np.asarray(steps * 0.5, np.float32)}
    outputs = ["z"] if more else ["y"]
    after = optimize(
        program(SHARED + more, {"x": (1, 3, 6, 6)}, outputs, weights), targets, weight_bits=bits
    )
    assert after.params["w"].dtype == dtype
    scales = [op.attr("w_quant_scale") for op in readers(after, "w")]
    assert scales == ([[0.5] * 3] * 2 if dtype == "int8" else [None] * len(scales))


def test_weights_that_are_no_numbers_stay() -> None:
    before = net()
    before.params["w4"][3, 2] = np.inf
    before.params["w1"][0, 0, 0, 0] = np.nan
    after = optimize(before, weight_bits=8)
    assert after.params["w4"].dtype == after.params["w1"].dtype == np.float32


@pytest.mark.parametrize("bits", [1, 2, -8, True, "8"])
def test_other_bits_are_refused(bits: object) -> None:
    with pytest.raises(ConfigError, match="weight_bits"):
        optimize(net(), weight_bits=bits)  # type: ignore[arg-type]
