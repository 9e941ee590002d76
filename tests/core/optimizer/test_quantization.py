"""Fake quantisation operators become scales, and on the CPU simulated rounding again."""

from __future__ import annotations

import numpy as np
import pytest
from checking import check, count, positive, program, rand, types

from lite.core.optimizer import optimize
from lite.errors import ModelFormatError
from lite.model.program import OpDesc, Program

FUSE = "lite_quant_dequant_fuse_pass"
PREPROCESS = "weight_quantization_preprocess_pass"
SIMULATE = "quantization_simulation_pass"
DEAD = "dead_code_eliminate_pass"
ROUND = "fake_quantize_dequantize_moving_average_abs_max"
X4 = {"x": (2, 3, 6, 6)}


def threshold(value: float) -> np.ndarray:
    return np.array([value], "float32")


def steps(*shape: int) -> np.ndarray:
    """A weight of whole steps as the old exporter stores it."""
    return np.random.default_rng(5).integers(-127, 128, shape).astype("float32")


def only(of: Program, kind: str) -> OpDesc:
    (found,) = (op for block in of.blocks for op in block.ops if op.type == kind)
    return found


def old_conv(**settings: str) -> tuple[str, dict[str, np.ndarray]]:
    """fake_quantize, conv2d on steps, fake_channel_wise_dequantize."""
    body = f"""
        Out: [q], OutScale: [s] = fake_quantize_range_abs_max(X: [x], InScale: [s]) {{
            is_test: bool true, bit_length: int 8}}
        Output: [c] = conv2d(Input: [q], Filter: [w]) {{strides: ints [1, 1],
            paddings: ints [1, 1], dilations: ints [1, 1], groups: int 1}}
        Out: [y] = fake_channel_wise_dequantize_max_abs(X: [c], Scales: [cs, s]) {{
            quant_bits: ints [8, 8], x_num_col_dims: int {settings.get("axis", "1")}}}
        """
    params = {"s": threshold(1.5), "w": steps(4, 3, 3, 3), "cs": positive(4)}
    return body, params


def test_steps_around_a_convolution_become_scales() -> None:
    body, params = old_conv()
    after = optimize(program(body, X4, ["y"], params), passes=[FUSE, DEAD])
    assert types(after) == ["conv2d"]
    conv = only(after, "conv2d")
    assert conv.outputs["Output"] == ["y"] and conv.inputs["Filter"] == ["w"]
    assert conv.attr("enable_int8") is True and conv.attr("bit_length") == 8
    np.testing.assert_allclose(conv.attr("Input0_scale"), [1.5 / 127], rtol=1e-6)
    np.testing.assert_allclose(conv.attr("Filter0_scale"), params["cs"] / 127, rtol=1e-6)
    assert after.params["w"].dtype == np.int8
    np.testing.assert_array_equal(after.params["w"], params["w"])


def test_steps_around_a_convolution_keep_their_numbers() -> None:
    body, params = old_conv()
    before = program(body, X4, ["y"], params)
    after = check(before, {"x": rand(2, 3, 6, 6)})
    assert types(after) == [ROUND, "conv2d"]
    np.testing.assert_array_equal(after.params["w"], params["w"])
    assert after.params["w"].dtype == np.int8
    ours = {name for name in only(after, "conv2d").attrs if name.endswith("_scale")}
    assert ours == {"w_quant_scale"}
    assert not any(name.endswith("_simulation") for name in only(after, "conv2d").attrs)


def test_a_product_whose_scales_lie_along_another_axis_stays() -> None:
    body, params = old_conv(axis="2")
    params["cs"] = positive(6)
    after = check(program(body, X4, ["y"], params), {"x": rand(2, 3, 6, 6)})
    assert count(after)["fake_channel_wise_dequantize_max_abs"] == 1


def test_a_product_that_is_read_twice_stays() -> None:
    body, params = old_conv()
    body += "\nOut: [z] = relu(X: [c])"
    after = check(program(body, X4, ["y", "z"], params), {"x": rand(2, 3, 6, 6)})
    assert count(after)["fake_quantize_range_abs_max"] == 1


def test_max_range_gives_the_scale_of_the_weight() -> None:
    body = """
        Out: [q], OutScale: [s] = fake_quantize_moving_average_abs_max(X: [x], InScale: [s]) {
            is_test: bool true}
        Out: [m] = matmul_v2(X: [q], Y: [w]) {trans_x: bool false, trans_y: bool true}
        Out: [y] = fake_dequantize_max_abs(X: [m], Scale: [s]) {max_range: float 40000.0}
        """
    before = program(body, {"x": (2, 5, 4)}, ["y"], {"s": threshold(2), "w": steps(6, 4)})
    fused = optimize(before, passes=[FUSE, DEAD])
    np.testing.assert_allclose(only(fused, "matmul_v2").attr("Y0_scale"), [127 / 4e4] * 6, 1e-6)
    check(before, {"x": rand(2, 5, 4)})


LINEAR = """
    Y: [a] = quantize_linear(X: [x], Scale: [s], ZeroPoint: [z]) {
        quant_axis: int -1, bit_length: int BITS}
    Y: [b] = dequantize_linear(X: [a], Scale: [s], ZeroPoint: [z]) {
        quant_axis: int -1, bit_length: int BITS}
    Y: [v] = dequantize_linear(X: [w], Scale: [ws], ZeroPoint: [z]) {
        quant_axis: int AXIS, bit_length: int BITS}
    """


def linear(bits: int = 8, axis: int = 0) -> str:
    return LINEAR.replace("BITS", str(bits)).replace("AXIS", str(axis))


@pytest.mark.parametrize(
    ("op", "attrs", "shape", "axis"),
    [
        ("conv2d", "groups: int 1", (5, 3, 3, 3), 0),
        ("depthwise_conv2d", "groups: int 3", (3, 1, 3, 3), 0),
        ("conv2d_transpose", "groups: int 1", (3, 5, 3, 3), 1),
        ("conv2d_transpose", "groups: int 3", (3, 2, 3, 3), 1),
    ],
)
def test_weights_by_channel(op: str, attrs: str, shape: tuple[int, ...], axis: int) -> None:
    body = linear(axis=axis) + (
        f"Output: [y] = {op}(Input: [b], Filter: [v]) {{strides: ints [1, 1], "
        f"paddings: ints [1, 1], dilations: ints [1, 1], {attrs}}}"
    )
    params = {"s": threshold(2), "z": threshold(0), "w": steps(*shape).astype("int8")}
    params["ws"] = positive(shape[axis])
    before = program(body, X4, ["y"], params)
    fused = optimize(before, passes=[FUSE, DEAD])
    assert types(fused) == [op] and fused.params["w"].dtype == np.int8
    scales = only(fused, op).attr("Filter0_scale")
    np.testing.assert_allclose(scales, params["ws"] / 127, rtol=1e-6)
    check(before, {"x": rand(2, 3, 6, 6, dtype="float32") * 2})


def test_weights_by_another_axis_are_real_numbers() -> None:
    body = linear(axis=1) + "Output: [y] = conv2d(Input: [b], Filter: [v]) {groups: int 1}"
    body = body.replace(
        "{groups", "{strides: ints [1, 1], paddings: ints [0, 0], dilations: ints [1, 1], groups"
    )
    params = {"s": threshold(2), "z": threshold(0), "w": steps(5, 3, 3, 3).astype("int8")}
    params["ws"] = positive(3)
    before = program(body, X4, ["y"], params)
    fused = optimize(before, passes=[FUSE, DEAD])
    assert "enable_int8" not in only(fused, "conv2d").attrs
    assert only(fused, "conv2d").attr("Input0_scale") is not None
    check(before, {"x": rand(2, 3, 6, 6)})


def test_16_bits_stay_operators() -> None:
    body = linear(bits=16, axis=1) + "Out: [y] = matmul_v2(X: [b], Y: [v])"
    params = {"s": threshold(2), "z": threshold(0), "w": steps(6, 5), "ws": positive(5)}
    after = check(program(body, {"x": (4, 6)}, ["y"], params), {"x": rand(4, 6)})
    assert count(after)["quantize_linear"] == 1


def test_weights_without_a_quantised_activation_are_folded() -> None:
    body = """
        Out: [v], OutScale: [t] = fake_channel_wise_quantize_dequantize_abs_max(X: [w]) {
            bit_length: int 4, quant_axis: int 1}
        Out: [y] = matmul_v2(X: [x], Y: [v])
        """
    before = program(body, {"x": (4, 6)}, ["y"], {"w": rand(6, 5)})
    assert types(check(before, {"x": rand(4, 6)})) == ["matmul_v2"]


def test_a_shared_weight_is_made_once_and_a_float_reader_keeps_its_own() -> None:
    body = """
        Out: [q] = ROUND(X: [x], InScale: [s]) {is_test: bool true}
        Out: [v] = fake_quantize_dequantize_abs_max(X: [w])
        Out: [a] = matmul_v2(X: [q], Y: [v])
        Out: [b] = matmul_v2(X: [a], Y: [v])
        Out: [r] = ROUND(X: [b], InScale: [s]) {is_test: bool true}
        Out: [c] = matmul_v2(X: [r], Y: [v])
        Out: [y] = elementwise_add(X: [c], Y: [w])
        """.replace("ROUND", ROUND)
    before = program(body, {"x": (6, 6)}, ["y"], {"w": rand(6, 6), "s": threshold(3)})
    after = check(before, {"x": rand(6, 6)})
    assert count(after)["matmul_v2"] == 3
    assert sorted(a.shape for a in after.params.values()) == [(1,), (6, 6), (6, 6), (6, 6)]


def test_a_rounded_value_that_is_fetched_or_written_again_stays() -> None:
    body = """
        Out: [q] = ROUND(X: [x], InScale: [s]) {is_test: bool true}
        Out: [a] = relu(X: [q])
        Out: [b] = exp(X: [a])
        Out: [a] = ROUND(X: [a], InScale: [s]) {is_test: bool true}
        Out: [c] = exp(X: [a])
        Out: [y] = elementwise_add(X: [b], Y: [c])
        """.replace("ROUND", ROUND)
    before = program(body, {"x": (6, 6)}, ["y", "q", "a"], {"s": threshold(0.7)})
    check(before, {"x": rand(6, 6)})


def test_rounding_is_done_once_for_all_readers() -> None:
    body = """
        Out: [p] = ROUND(X: [x], InScale: [s]) {is_test: bool true}
        Out: [q] = ROUND(X: [x], InScale: [s]) {is_test: bool true}
        Out: [a] = relu(X: [p])
        Out: [b] = exp(X: [q])
        Out: [y] = elementwise_add(X: [a], Y: [b])
        """.replace("ROUND", ROUND)
    before = program(body, {"x": (6, 6)}, ["y"], {"s": threshold(0.7)})
    assert count(check(before, {"x": rand(6, 6)}))[ROUND] == 1


@pytest.mark.parametrize("bad", [0.0, -1.0, float("nan"), float("inf")])
def test_a_threshold_that_is_none_stays(bad: float) -> None:
    body = (
        f"Out: [q] = {ROUND}(X: [x], InScale: [s]) {{is_test: bool true}}\nOut: [y] = exp(X: [q])"
    )
    after = optimize(program(body, {"x": (6, 6)}, ["y"], {"s": threshold(bad)}))
    assert types(after) == [ROUND, "exp"]


def test_observers_go() -> None:
    body = """
        Y: [a] = quantize_linear(X: [x], Scale: [s], ZeroPoint: [z]) {
            quant_axis: int -1, only_observer: bool true}
        Y: [b] = dequantize_linear(X: [a], Scale: [s], ZeroPoint: [z]) {
            quant_axis: int -1, only_observer: bool true}
        Out: [c], OutScale: [t] = moving_average_abs_max_scale(X: [b])
        Out: [y] = relu(X: [c])
        """
    params = {"s": threshold(2), "z": threshold(0)}
    assert types(optimize(program(body, {"x": (6, 6)}, ["y"], params))) == ["relu"]


# -- Weight-only quantisation


def weight_only(scale: str, weight: np.ndarray, op: str = "matmul_v2", y: str = "Y") -> Program:
    x, out = ("Input", "Output") if y == "Filter" else ("X", "Out")
    body = (
        f"{out}: [y] = {op}({x}: [x], {y}: [w]) {{w_quant_scale: {scale}, quantization_type: "
        'string "post_weight_channel_wise_abs_max", quantize_weight_bits: int 8}'
    )
    shape = (2, 3, 6, 6) if y == "Filter" else (4, weight.shape[0])
    return program(body, {"x": shape}, ["y"], {"w": weight})


def test_integer_weights_become_numbers() -> None:
    weight = steps(6, 3).astype("int16")
    after = optimize(weight_only("floats [0.5, 0.25, 2.0]", weight))
    np.testing.assert_array_equal(after.params["w"], weight * np.float32([0.5, 0.25, 2.0]))
    assert only(after, "matmul_v2").attr("quantize_weight_bits") == 16
    one = optimize(weight_only("floats [0.5]", weight))
    np.testing.assert_array_equal(one.params["w"], weight * np.float32(0.5))


@pytest.mark.parametrize(
    ("scale", "said"),
    [
        ("ints [0, 0, 0]", "has lost them"),
        ("floats [1.0, 2.0]", "expected finite numbers, 1 or 3"),
        ("floats []", "expected finite numbers, 1 or 3"),
        ('string "s"', "expected finite numbers, 1 or 3"),
    ],
)
def test_scales_that_do_not_fit_are_an_error(scale: str, said: str) -> None:
    with pytest.raises(ModelFormatError, match=said):
        optimize(weight_only(scale, steps(6, 3).astype("int8")))
