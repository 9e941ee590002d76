"""Operators on parameters alone become parameters, with Paddle's results, within their limits."""

from __future__ import annotations

import numpy as np
import pytest
from checking import check, count, positive, program, rand, types

from lite.core.optimizer import optimize

X = {"x": (-1, 3, 4)}
FEED = {"x": rand(2, 3, 4)}
ADD = "\nOut: [y] = elementwise_add(X: [x], Y: [c]) {axis: int -1}"

FOLDING = [
    ("Out: [c] = abs(X: [p])", rand(3, 4)),
    ("Out: [c] = sqrt(X: [p])", positive(3, 4)),
    ("Out: [c] = exp(X: [p])", rand(4)),
    ("Out: [c] = square(X: [p])", rand(4)),
    ("Out: [c] = tanh(X: [p])", rand(4)),
    ("Out: [c] = sigmoid(X: [p])", rand(4)),
    ("Out: [c] = relu(X: [p])", rand(4)),
    ("Out: [c] = assign(X: [p])", rand(4)),
    ("Out: [c] = scale(X: [p]) {scale: float 3.0, bias: float 0.5}", rand(4)),
    (
        "Out: [c] = scale(X: [p]) "
        "{scale: float 3.0, bias: float 0.5, bias_after_scale: bool false}",
        rand(4),
    ),
    ("Out: [c], XShape: [s] = reshape2(X: [p]) {shape: ints [3, -1]}", rand(12)),
    ("Out: [c] = reshape2(X: [p]) {shape: ints [0, 4]}", rand(3, 2, 2)),
    ("Out: [c] = unsqueeze2(X: [p]) {axes: ints [0]}", rand(3, 4)),
    ("Out: [c] = unsqueeze2(X: [p]) {axes: ints [0, 2]}", rand(3)),
    ("Out: [c] = squeeze2(X: [p]) {axes: ints [0]}", rand(1, 4)),
    ("Out: [c] = squeeze2(X: [p]) {axes: ints [-1]}", rand(3, 4, 1)),
    (
        "Out: [c] = flatten_contiguous_range(X: [p]) {start_axis: int 1, stop_axis: int -1}",
        rand(3, 2, 2),
    ),
    ("Out: [c] = transpose2(X: [p]) {axis: ints [1, 0]}", rand(4, 3)),
    ("Out: [c] = concat(X: [p, p]) {axis: int -1}", rand(3, 2)),
    ("Y: [c] = stack(X: [p, p, p]) {axis: int 0}", rand(4)),
    ("Out: [c] = elementwise_mul(X: [p], Y: [q]) {axis: int 0}", rand(3, 4)),
    ("Out: [c] = elementwise_div(X: [p], Y: [q]) {axis: int 0}", rand(3, 4)),
    ("Out: [c] = elementwise_max(X: [p], Y: [q]) {axis: int 0}", rand(3, 4)),
    ("Out: [c] = reshape2(X: [p], Shape: [n]) {shape: ints [3, 4]}", rand(12)),
]


@pytest.mark.parametrize(("line", "p"), FOLDING)
def test_folds(line: str, p: np.ndarray) -> None:
    before = program(
        line + ADD, X, ["y"], {"p": p, "q": positive(3), "n": np.array([3, 4], np.int32)}
    )
    after = check(before, FEED, tolerance=1e-6)
    assert types(after) == ["elementwise_add"]
    assert len(after.params) == 1


@pytest.mark.parametrize(
    "line",
    [
        "Out: [c] = fill_constant() {shape: ints [3, 4], value: float 2.5, dtype: int 5}",
        'Out: [c] = fill_constant() {shape: ints [1], str_value: string "7.5", dtype: int 5}',
        "Out: [c] = fill_constant() {shape: ints [], value: float 2.5, dtype: int 5}",
        "Out: [c] = assign_value() "
        "{shape: ints [4], dtype: int 5, fp32_values: floats [1.0, 2.0, 3.0, 4.5]}",
        "Out: [i] = assign_value() "
        "{shape: ints [4], dtype: int 3, int64_values: longs [1, 2, 3, 4]}\n"
        "Out: [c] = cast(X: [i]) {in_dtype: int 3, out_dtype: int 5}",
    ],
)
def test_values_without_inputs_fold(line: str) -> None:
    after = check(program(line + ADD, X, ["y"]), FEED)
    assert types(after) in (["elementwise_add"], ["scale"])


def test_range_folds() -> None:
    body = "Out: [r] = range(Start: [a], End: [b], Step: [s])\n"
    body += "Out: [y] = elementwise_add(X: [x], Y: [r])"
    ends = {"a": np.array([1]), "b": np.array([8]), "s": np.array([2])}
    after = check(program(body, {"x": ("int64", (4,))}, ["y"], ends), {"x": np.arange(4)})
    assert types(after) == ["elementwise_add"]
    floats = {name: end.astype("float32") for name, end in ends.items()}
    after = check(program(body, {"x": (4,)}, ["y"], floats), {"x": rand(4)})
    assert types(after) == ["elementwise_add"]


def test_a_convolution_bias_as_reshape_and_add_folds() -> None:
    body = (
        "Output: [c] = conv2d(Input: [x], Filter: [w]) {strides: ints [1, 1], "
        "paddings: ints [0, 0], dilations: ints [1, 1], groups: int 1}\n"
        "Out: [r], XShape: [rs] = reshape2(X: [b]) {shape: ints [1, 5, 1, 1]}\n"
        "Out: [y] = elementwise_add(X: [c], Y: [r]) {axis: int -1}"
    )
    before = program(body, {"x": (-1, 3, 6, 6)}, ["y"], {"w": rand(5, 3, 3, 3), "b": rand(5)})
    after = check(before, {"x": rand(1, 3, 6, 6)})
    assert types(after) == ["conv2d"]
    assert after.params[after.root.ops[1].inputs["Bias"][0]].shape == (5,)


@pytest.mark.parametrize(
    ("line", "p"),
    [
        (
            "Out: [c] = fill_constant() {shape: ints [999, 999], value: float 1.0, dtype: int 5}",
            None,
        ),
        ("Out: [c] = fill_constant() {shape: ints [2000000000, 2000000000], dtype: int 5}", None),
        ("Out: [c] = fill_constant() {shape: ints [-1, 4], value: float 1.0, dtype: int 5}", None),
        ("Out: [c] = expand_v2(X: [p]) {shape: ints [1000, 1000]}", rand(1)),
        ("Out: [c] = elementwise_add(X: [p], Y: [q])", rand(600, 1)),
        ("Out: [c] = cast(X: [p]) {out_dtype: int 3}", np.array([1e30], "float32")),
        ("Out: [c] = cast(X: [p]) {out_dtype: int 3}", np.array([np.nan], "float32")),
        ("Out: [c] = cast(X: [p]) {out_dtype: int 21}", np.array([300], "float32")),
        ("Out: [c] = fill_constant() {shape: ints [4], value: float 1e30, dtype: int 3}", None),
        (
            'Out: [c] = fill_constant() {shape: ints [4], str_value: string "nan", dtype: int 3}',
            None,
        ),
        ("Out: [c] = cast(X: [p]) {out_dtype: int 22}", rand(4)),
        ("Out: [c] = reshape2(X: [p]) {shape: ints [5, -1]}", rand(4)),
        ("Out: [c] = reshape2(X: [p], Shape: [x]) {shape: ints [2, 2]}", rand(4)),
        ("Out: [c] = digamma(X: [p])", rand(4)),
    ],
)
def test_stays(line: str, p: np.ndarray | None) -> None:
    params = {} if p is None else {"p": p, "q": np.ones((1, 600), p.dtype)}
    if p is not None and p.shape == (4,):
        params["q"] = np.arange(1, 5)
    after = optimize(program(line + "\nOut: [y] = tanh(X: [c])", X, ["y"], params))
    assert len(types(after)) == 2
    assert all(array.nbytes <= 1 << 20 for array in after.params.values())


def test_a_fetched_constant_keeps_its_operator() -> None:
    line = "Out: [y] = fill_constant() {shape: ints [2], value: float 2.5, dtype: int 5}"
    assert types(check(program(line, X, ["y"]), FEED)) == ["fill_constant"]


def test_a_constant_that_is_written_again_stays() -> None:
    body = (
        "Out: [c] = fill_constant() {shape: ints [1], value: float 2.5, dtype: int 5}\n"
        "Out: [c] = increment(X: [c]) {step: float 1.0}" + ADD
    )
    assert count(check(program(body, X, ["y"]), FEED))["fill_constant"] == 1


def test_integer_parameters_keep_their_type() -> None:
    body = (
        "Out: [c] = scale(X: [p]) {scale: float 2.0, bias: float 1.0}\n"
        "Out: [y] = elementwise_add(X: [x], Y: [c])"
    )
    before = program(body, {"x": ("int64", (4,))}, ["y"], {"p": np.arange(4)})
    after = check(before, {"x": np.arange(4)})
    assert types(after) == ["elementwise_add"]
    assert next(iter(after.params.values())).dtype == np.int64
