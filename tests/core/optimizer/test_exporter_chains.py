"""Chains of small operators that exporters write for one: GELU, HardSwish, PReLU, layer
normalisation."""

from __future__ import annotations

import numpy as np
import pytest
from checking import program, rand, types

from lite.api.build import make_core
from lite.core.optimizer import optimize

X = {"x": (-1, 5, 8)}
NUMBERS = {
    "root": 1.4142135,
    "inverse": 0.70710677,
    "one": 1.0,
    "half": 0.5,
    "two": 2.0,
    "three": 3.0,
    "four": 4.0,
    "six": 6.0,
    "sixth": 1 / 6,
    "eps": 1e-5,
}


def params(**more: np.ndarray) -> dict[str, np.ndarray]:
    found = {name: np.asarray([number], np.float32) for name, number in NUMBERS.items()}
    return {**found, **more}


def after(body: str, name: str, **more: np.ndarray) -> list[str]:
    """The operators that a pass leaves; the kernels' numbers stay."""
    x = rand(2, 5, 8)
    found = []
    for passes in ([], [name]):
        made = optimize(program(body, X, ["y"], params(**more)), ["x86"], passes=passes)
        left = types(made)
        found.append(make_core(made).run_with([(x, [])])[0][0])
    assert np.isfinite(found[0]).all()
    limit = 1e-5 * max(float(np.abs(found[0]).max()), 1e-6)
    np.testing.assert_allclose(found[1], found[0], rtol=0, atol=limit)
    return left


CURVES = {
    "div": "Out: [d] = elementwise_div(X: [x], Y: [root])",
    "mul": "Out: [d] = elementwise_mul(X: [x], Y: [inverse])",
}
PRODUCT = (
    "Out: [m] = elementwise_mul(X: [{}], Y: [{}])\nOut: [y] = elementwise_{}(X: [{}], Y: [{}])"
)
GELUS = {
    "torch": PRODUCT.format("x", "a", "mul", "m", "half"),
    "paddle": PRODUCT.format("x", "half", "mul", "m", "a"),
    "tensorflow": PRODUCT.format("half", "a", "mul", "x", "m"),
}


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("order", GELUS)
def test_gelu(curve: str, order: str) -> None:
    body = (
        f"{CURVES[curve]}\nOut: [e] = erf(X: [d])\nOut: [a] = elementwise_add(X: [e], Y: [one])\n"
    )
    assert after(body + GELUS[order], "gelu_fuse_pass") == ["gelu"]
    other = body.replace("[root]", "[two]").replace("[inverse]", "[two]") + GELUS[order]
    assert len(after(other, "gelu_fuse_pass")) == 5


LAST = {
    "behind": PRODUCT.format("x", "c", "div", "m", "six"),
    "inside": PRODUCT.format("c", "sixth", "mul", "m", "x"),
}


@pytest.mark.parametrize("last", LAST)
@pytest.mark.parametrize(
    "held",
    ["clip(X: [a]) {min: float 0.0, max: float 6.0}", "relu6(X: [a]) {threshold: float 6.0}"],
)
def test_hard_swish(last: str, held: str) -> None:
    body = f"Out: [a] = elementwise_add(X: [x], Y: [three])\nOut: [c] = {held}\n{LAST[last]}"
    assert after(body, "hard_swish_fuse_pass") == ["hard_swish"]
    assert len(after(body.replace("6.0", "5.0"), "hard_swish_fuse_pass")) == 4
    assert len(after(body.replace("[three]", "[two]"), "hard_swish_fuse_pass")) == 4


def test_hard_swish_by_a_gate() -> None:
    body = """Out: [s] = hard_sigmoid(X: [x]) {slope: float 0.16666667, offset: float 0.5}
Out: [y] = elementwise_mul(X: [s], Y: [x])"""
    assert after(body, "hard_swish_fuse_pass") == ["hard_swish"]
    for other in (body.replace("0.16666667", "0.2"), body.replace("0.5", "0.4")):
        assert len(after(other, "hard_swish_fuse_pass")) == 2


PRELU = """Out: [p] = relu(X: [x])
Out: [n] = scale(X: [x]) {scale: float -1.0}
Out: [r] = relu(X: [n])
Out: [m] = elementwise_mul(X: [r], Y: [alpha])
Out: [y] = elementwise_add(X: [p], Y: [m])"""


@pytest.mark.parametrize("order", [False, True])
@pytest.mark.parametrize(
    ("alpha", "found"), [((5, 1), 1), ((1, 5, 1), 1), ((1,), 1), ((8,), 5), ((5, 8), 5)]
)
def test_prelu(alpha: tuple[int, ...], found: int, order: bool) -> None:
    """A slope for each channel, the second dimension; Keras' others stay."""
    body = PRELU.replace("X: [p], Y: [m]", "X: [m], Y: [p]") if order else PRELU
    left = after(body, "prelu_fuse_pass", alpha=rand(*alpha))
    assert left == ["prelu"] if found == 1 else len(left) == found
    for other in ("-2.0", '-1.0, activation_type: string "relu6"'):
        assert len(after(body.replace("-1.0", other), "prelu_fuse_pass", alpha=rand(*alpha))) == 5


@pytest.mark.parametrize(("alpha", "axis", "found"), [((5,), 1, 1), ((2, 1), 0, 5), ((2,), 0, 5)])
def test_prelu_along_an_axis(alpha: tuple[int, ...], axis: int, found: int) -> None:
    body = PRELU.replace("[alpha])", f"[alpha]) {{axis: int {axis}}}")
    assert len(after(body, "prelu_fuse_pass", alpha=rand(*alpha))) == found


MEAN = "reduce_mean(X: [{}]) {{dim: ints [-1], keep_dim: bool true, reduce_all: bool false}}"
SQUARES = {
    "pow": "Out: [p] = elementwise_pow(X: [c], Y: [two])",
    "factor": "Out: [p] = pow(X: [c]) {factor: float 2.0}",
    "mul": "Out: [p] = elementwise_mul(X: [c], Y: [c])",
    "square": "Out: [p] = square(X: [c])",
}


@pytest.mark.parametrize("square", SQUARES)
def test_layer_norm(square: str) -> None:
    body = f"""Out: [u] = {MEAN.format("x")}
Out: [c] = elementwise_sub(X: [x], Y: [u])
{SQUARES[square]}
Out: [v] = {MEAN.format("p")}
Out: [w] = elementwise_add(X: [v], Y: [eps])
Out: [s] = sqrt(X: [w])
Out: [n] = elementwise_div(X: [c], Y: [s])
Out: [m] = elementwise_mul(X: [n], Y: [g])
Out: [y] = elementwise_add(X: [m], Y: [b])"""
    name = "layer_norm_fuse_pass"
    assert after(body, name, g=rand(8), b=rand(8)) == ["layer_norm"]
    for g, b in ((rand(1), rand(1)), (rand(5, 8), rand(5, 8))):
        assert len(after(body, name, g=g, b=b)) == 9
    assert len(after(body.replace("[-1]", "[1]"), name, g=rand(8), b=rand(8))) == 9
    fourth = body.replace("[two]", "[four]").replace("2.0", "4.0")
    assert fourth == body or len(after(fourth, name, g=rand(8), b=rand(8))) == 9


FACTORED = {
    "keras": """Out: [o] = scale(X: [u]) {scale: float -1.0}
Out: [t] = elementwise_mul(X: [o], Y: [h])
Out: [r] = elementwise_add(X: [t], Y: [b])""",
    "keras, no bias": """Out: [o] = scale(X: [u]) {scale: float -1.0}
Out: [r] = elementwise_mul(X: [o], Y: [h])""",
    "tensorflow": """Out: [t] = elementwise_mul(X: [u], Y: [h])
Out: [r] = elementwise_sub(X: [b], Y: [t])""",
}


@pytest.mark.parametrize("rest", FACTORED)
def test_layer_norm_of_tensorflow(rest: str) -> None:
    body = f"""Out: [u] = {MEAN.format("x")}
Out: [c] = elementwise_sub(X: [x], Y: [u])
Out: [p] = elementwise_mul(X: [c], Y: [c])
Out: [v] = {MEAN.format("p")}
Out: [w] = elementwise_add(X: [v], Y: [eps])
Out: [s] = sqrt(X: [w])
Out: [n] = reciprocal(X: [s])
Out: [h] = elementwise_mul(X: [n], Y: [g])
Out: [m] = elementwise_mul(X: [x], Y: [h])
{FACTORED[rest]}
Out: [y] = elementwise_add(X: [m], Y: [r])"""
    name = "layer_norm_fuse_pass"
    for shape in ((8,), (1, 8), (1, 1, 8)):
        assert after(body, name, g=rand(*shape), b=rand(*shape)) == ["layer_norm"]
    assert len(after(body, name, g=rand(5, 8), b=rand(8))) > 10
    other = body.replace("-1.0", "-2.0")
    assert other == body or len(after(other, name, g=rand(8), b=rand(8))) > 10
