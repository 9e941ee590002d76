"""Operators that Paddle fused for oneDNN, taken apart: against numpy.

tests/models/pir/rewritten.py has whole programs of them, and tests/models/rewritten.py those of
Paddle 2.6.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
import pytest
from checking import program

import lite
from lite.errors import ModelFormatError, UnsupportedOperatorError
from lite.model.load import load_program
from lite.model.pdmodel import write_pdmodel

X = np.linspace(-4, 4, 24, dtype=np.float32).reshape(2, 3, 4)
erf = np.vectorize(math.erf)


def model(line: str, slot: str = "Out", **feeds: tuple[int, ...]) -> bytes:
    """One operator of x and what else is fed, which writes y."""
    return write_pdmodel(program(f"{slot}: [y] = {line}", {"x": (-1, 3, 4), **feeds}, ["y"]))


def run(data: bytes, **feeds: np.ndarray) -> np.ndarray:
    return next(iter(lite.load(data).run({"x": X, **feeds}).values()))


ACTIVATIONS: Mapping[str, tuple[float, float, Callable[[np.ndarray], np.ndarray]]] = {
    "abs": (0, 0, np.abs),
    "clip": (-1, 2, lambda x: np.clip(x, -1, 2)),
    "gelu": (0, 0, lambda x: x * (1 + erf(x / 2**0.5)) / 2),
    "gelu_erf": (0, 0, lambda x: x * (1 + erf(x / 2**0.5)) / 2),
    "gelu_tanh": (
        0,
        0,
        lambda x: x * (1 + np.tanh((2 / np.pi) ** 0.5 * (x + 0.044715 * x**3))) / 2,
    ),
    "hard_sigmoid": (0.2, 0.5, lambda x: np.clip(0.2 * x + 0.5, 0, 1)),
    "hard_swish": (1 / 6, 0.5, lambda x: x * np.clip(x / 6 + 0.5, 0, 1)),
    "leaky_relu": (0.1, 0, lambda x: np.where(x > 0, x, 0.1 * x)),
    "mish": (0, 0, lambda x: x * np.tanh(np.log1p(np.exp(x)))),
    "relu": (0, 0, lambda x: np.maximum(x, 0)),
    "relu6": (0, 6, lambda x: np.clip(x, 0, 6)),
    "sigmoid": (0, 0, lambda x: 1 / (1 + np.exp(-x))),
    "sqrt": (0, 0, lambda x: np.sqrt(x)),
    "swish": (1.5, 0, lambda x: x / (1 + np.exp(-1.5 * x))),
    "tanh": (0, 0, np.tanh),
}


@pytest.mark.parametrize("kind", ACTIVATIONS)
def test_activations(kind: str) -> None:
    """After a sum, before a scale."""
    alpha, beta, function = ACTIVATIONS[kind]
    line = (
        "fused_elementwise_add(X: [x], Y: [b]) {axis: int -1, fused_output_scale: float 0.5, "
        f'fuse_activation: string "{kind}", fuse_alpha: float {alpha!r}, '
        f"fuse_beta: float {beta!r}}}".replace("float 0,", "float 0.0,").replace(
            "float 0}", "float 0.0}"
        )
    )
    b = np.float32([[4.5]])
    made = run(model(line, b=(1, 1)), b=b)
    np.testing.assert_allclose(made, function(X.astype(np.float64) + b) / 2, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('elementwise_mul(X: [x], Y: [x]) {fuse_activation: string "sqrt"}', np.abs(X)),
        (
            "scale(X: [x]) {scale: float 2.0, fuse_brelu: bool true, "
            "fuse_brelu_threshold: float 3.0}",
            np.clip(2 * X, 0, 3),
        ),
        ("fused_elementwise_sub(X: [x], Y: [x]) {fused_unsqueeze2_axes: ints [1]}", 0 * X[:, None]),
        ("fused_transpose(X: [x]) {axis: ints [0, 2, 1]}", X.transpose(0, 2, 1)),
        (
            "fused_transpose(X: [x]) {axis: ints [1, 0], fused_squeeze2_axes: ints [0], "
            "fused_reshape2_shape: ints [2, 6]}",
            X[:1][0].T.reshape(2, 6),
        ),
        (
            "fused_matmul(X: [x], Y: [x]) {trans_x: bool false, trans_y: bool true, "
            "matmul_alpha: float 0.5, fused_transpose_Out: ints [0, 2, 1], "
            "fused_reshape_Out: ints [0, 9]}",
            (X @ X.transpose(0, 2, 1) / 2).transpose(0, 2, 1).reshape(2, 9),
        ),
        (
            "fused_matmul(X: [x], Y: [x]) {trans_x: bool false, trans_y: bool false, "
            "fused_reshape_Y: ints [0, 4, 3]}",
            X @ X.reshape(2, 4, 3),
        ),
    ],
)  # fmt: skip
def test_other_endings(line: str, expected: np.ndarray) -> None:
    x = X[: expected.shape[0] if "squeeze2_axes: ints [0]" not in line else 1]
    made = next(iter(lite.load(model(line)).run({"x": x}).values()))
    np.testing.assert_allclose(made, expected, rtol=1e-5, atol=1e-5)


def test_convolutions_end_with_a_bias_and_a_residual() -> None:
    """In this order, before the activation."""
    x = X.reshape(1, 2, 3, 4)
    line = (
        "fused_conv2d(Input: [x], Filter: [w], Bias: [b], ResidualData: [x]) {"
        "strides: ints [1, 1], paddings: ints [0, 0], dilations: ints [1, 1], groups: int 1, "
        'fuse_activation: string "relu"}'
    )
    kinds = {"x": (-1, 2, -1, -1), "w": (2, 2, 1, 1), "b": (2,)}
    w, b = np.float32([[1, 2], [-1, 0.5]]), np.float32([0.5, -1])
    data = model(line, "Output", **kinds)
    made = run(data, x=x, w=w[..., None, None], b=b)
    expected = np.maximum(np.einsum("oi,nihw->nohw", w, x) + b[None, :, None, None] + x, 0)
    np.testing.assert_allclose(made, expected, rtol=1e-5, atol=1e-5)


def test_what_paddle_lite_fused_stays() -> None:
    """Its optimizer writes programs, too; kernels here add the residual before the activation."""
    x = X.reshape(1, 2, 3, 4)
    line = (
        "conv2d(Input: [x], Filter: [w], ResidualData: [x]) {strides: ints [1, 1], "
        "paddings: ints [0, 0], dilations: ints [1, 1], groups: int 1, fuse_relu: bool true, "
        'with_act: bool true, act_type: string "relu"}'
    )
    w = np.float32([[1, 2], [-1, 0.5]])
    data = model(line, "Output", x=(-1, 2, -1, -1), w=(2, 2, 1, 1))
    (op,) = (op for op in load_program(model_bytes=data).root.ops if op.type == "conv2d")
    assert op.input("ResidualData") == "x"
    expected = np.maximum(np.einsum("oi,nihw->nohw", w, x) + x, 0)
    made = run(data, x=x, w=w[..., None, None])
    np.testing.assert_allclose(made, expected, rtol=1e-5, atol=1e-5)


def test_transposed_convolutions_keep_their_bias() -> None:
    x = X.reshape(1, 2, 3, 4)
    w, b = np.float32([[1, 2, 0], [-1, 0.5, 1]]), np.float32([0.5, -1, 2])
    kinds = {"x": (-1, 2, -1, -1), "w": (2, 3, 1, 1), "b": (3,)}
    expected = np.maximum(np.einsum("io,nihw->nohw", w, x) + b[None, :, None, None], 0)
    for type in ("conv2d_transpose", "conv2d_transpose_bias"):
        line = (
            f"{type}(Input: [x], Filter: [w], Bias: [b]) {{strides: ints [1, 1], "
            "paddings: ints [0, 0], dilations: ints [1, 1], groups: int 1, "
            'fuse_activation: string "relu"}'
        )
        made = run(model(line, "Output", **kinds), x=x, w=w[..., None, None], b=b)
        np.testing.assert_allclose(made, expected, rtol=1e-5, atol=1e-5)


def test_fully_connected_layers_and_norms() -> None:
    w, b = np.float32([[1, -2], [0, 1], [2, 1], [-1, 1]]), np.float32([1, 2])
    line = (
        "fc(Input: [x], W: [w], Bias: [b]) {in_num_col_dims: int 2, "
        'fuse_activation: string "relu", fuse_alpha: float 0.0, fuse_beta: float 0.0}'
    )
    made = run(model(line, w=(4, 2), b=(2,)), w=w, b=b)
    np.testing.assert_allclose(made, np.maximum(X @ w + b, 0), rtol=1e-5)
    line = (
        "batch_norm(X: [x], Scale: [s], Bias: [s], Mean: [s], Variance: [s]) {epsilon: float 0.0, "
        "fuse_with_relu: bool true, is_test: bool true}"
    )
    made = run(model(line, "Y", s=(3,)), s=np.ones(3, np.float32))
    np.testing.assert_allclose(made, np.maximum(X, 0), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("fc(Input: [x], W: [x]) {fused_output_scale: int 2}", "is 2, expected one like 1.0"),
        ("fused_transpose(X: [x]) {fused_squeeze2_axes: floats [0.5]}", "is .0.5., expected one"),
        ("fused_softplus(X: [x]) {fuse_alpha: float 0.0}", "it writes none of Output"),
    ],
)
def test_what_paddle_does_not_write(line: str, text: str) -> None:
    with pytest.raises(ModelFormatError, match=text):
        lite.load(model(line, "Odd" if "softplus" in line else "Out"))


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ('fc(Input: [x], W: [x]) {fuse_activation: string "shine"}', "'shine' of 0.0 and 0.0"),
        ('elementwise_add(X: [x], Y: [x]) {fuse_activation: string "hard_swish"}', "'hard_swish'"),
        ('fused_transpose(X: [x]) {output_data_type: string "int8"}', "output_data_type is 'int8'"),
        ("fused_transpose(X: [x]) {scale: float 0.5}", "scale is 0.5"),
        ('fused_softplus(X: [x]) {mkldnn_data_type: string "bfloat16"}', "is 'bfloat16'"),
    ],
)
def test_what_is_refused(line: str, text: str) -> None:
    with pytest.raises(UnsupportedOperatorError, match=text):
        lite.load(model(line))
