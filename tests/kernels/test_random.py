"""Random numbers: with a seed Paddle's own (one standard library draws them), else their shape,
type, range and statistics."""

from collections.abc import Callable
from typing import Any

import numpy as np
from harness import OpTable, Values, rand, randint

Check = Callable[[Values], None]
SIGMAS = 6  # a right draw fails one time in 10^9


def close(actual: float, expected: float, deviation: float, count: int) -> None:
    """The mean of `count` draws of that deviation."""
    assert abs(actual - expected) <= SIGMAS * deviation / np.sqrt(count) + 1e-12


def drawn(
    shape: tuple[int, ...],
    dtype: str,
    low: float = -np.inf,
    high: float = np.inf,
    mean: float | None = None,
    deviation: float = 0,
    slot: str = "Out",
) -> Check:
    def check(values: Values) -> None:
        array = values[slot][0][0]
        assert array.shape == shape and array.dtype == dtype
        assert np.isfinite(array).all() and (array >= low).all() and (array <= high).all()
        if mean is not None:
            close(float(array.mean(dtype=np.float64)), mean, deviation, array.size)
            if array.size > 1 and deviation > 0:
                assert len(np.unique(array)) > 1

    return check


FP64, INT32 = 6, 2
SHAPE = {"shape": [3, 4]}
SHAPE_TENSORS: list[dict[str, Any]] = [
    {"ShapeTensor": np.array([3, 4], "int32")},
    {"ShapeTensor": np.array([3, 4], "int64")},
    {"ShapeTensorList": [np.array([3], "int32"), np.array([4], "int32")]},
]

uniform = OpTable("uniform_random")
for seed in (1, 7):
    for dtype in (5, FP64):
        uniform.case({}, SHAPE | {"min": -1.0, "max": 3.0, "seed": seed, "dtype": dtype})
uniform.case({}, {"shape": [3, 3], "seed": 3, "diag_num": 3, "diag_step": 3, "diag_val": 9.0})
uniform.case({}, {"shape": [], "seed": 3})
uniform.case({}, {"shape": [0, 3], "seed": 3}, check=drawn((0, 3), "float32"))
for tensors in SHAPE_TENSORS:
    uniform.case(tensors, {"seed": 5})
uniform.case(
    {},
    {"shape": [50, 100], "min": 2.0, "max": 4.0},
    check=drawn((50, 100), "float32", 2, 4, 3, 2 / 12**0.5),
)
uniform.case({}, {"shape": [2], "min": 2.0, "max": 2.0}, check=drawn((2,), "float32", 2, 2))
for attrs, match in (
    ({"shape": [2], "min": 2.0, "max": 1.0}, "min <= max"),
    ({"shape": [2], "max": float("inf")}, "finite"),
    ({"shape": [-2]}, "negative"),
    ({"shape": [3, 3], "diag_num": 3, "diag_step": 4}, "diag_num"),
    ({"shape": [3, 3], "diag_num": -1}, "diag_num"),
):
    uniform.error({}, attrs, error="ShapeError", match=match)
uniform.error({}, {"shape": [2], "dtype": 3}, error="DataTypeError", match="dtype")
uniform.error({}, {"shape": [2**40, 2**40]}, match="element")
test_uniform_random = uniform.tests()

gaussian = OpTable("gaussian_random")
for seed in (1, 7):
    for dtype in (5, FP64):
        gaussian.case({}, SHAPE | {"mean": 1.0, "std": 3.0, "seed": seed, "dtype": dtype})
for tensors in SHAPE_TENSORS:
    gaussian.case(tensors, {"seed": 5})
gaussian.case({}, SHAPE | {"std": 0.0, "mean": 2.5}, check=drawn((3, 4), "float32", 2.5, 2.5))
gaussian.case(
    {},
    {"shape": [5000], "mean": 2.0, "std": 3.0},
    check=drawn((5000,), "float32", mean=2, deviation=3),
)
gaussian.case({}, {"shape": [2], "std": 2.2e-313}, check=drawn((2,), "float32", 0, 0))
gaussian.error({}, {"shape": [2], "mean": float("nan")}, error="ShapeError", match="mean")
gaussian.error({}, {"shape": [2], "dtype": 0}, error="DataTypeError", match="bool")
test_gaussian_random = gaussian.tests()

truncated = OpTable("truncated_gaussian_random")
for seed in (1, 7):
    for dtype in (5, FP64):
        truncated.case({}, SHAPE | {"mean": 1.0, "std": 3.0, "seed": seed, "dtype": dtype})
truncated.case({}, {"shape": [2000]}, check=drawn((2000,), "float32", -2, 2, 0, 0.88))
truncated.case({}, {"shape": [50], "a": 1.0, "b": 1.5}, check=drawn((50,), "float32", 1, 1.5))
truncated.case({}, {"shape": [50], "a": 40.0, "b": 41.0}, check=drawn((50,), "float32", 40, 41))
truncated.case({}, {"shape": [50], "a": -41.0, "b": -40.0}, check=drawn((50,), "float32", -41, -40))
truncated.case(
    {},
    {"shape": [2000], "a": -50.0, "b": 50.0},
    check=drawn((2000,), "float32", mean=0, deviation=1),
)
truncated.error({}, {"shape": [2], "a": 1.0, "b": 1.0}, error="ShapeError", match="a < b")
truncated.error({}, {"shape": [-1]}, error="ShapeError", match="negative")
test_truncated_gaussian_random = truncated.tests()

integers = OpTable("randint")
for dtype, name in ((3, "int64"), (INT32, "int32")):
    integers.case(
        {},
        {"shape": [40, 50], "low": -3, "high": 9, "dtype": dtype, "seed": dtype - 2},
        check=drawn((40, 50), name, -3, 8, 2.5, 3.5),
    )
for tensors in SHAPE_TENSORS:
    integers.case(tensors, {"low": 4, "high": 5}, check=drawn((3, 4), "int64", 4, 4))
integers.case(
    {},
    {"shape": [9], "low": -(2**31), "high": 2**31 - 1},
    check=drawn((9,), "int64", -(2**31), 2**31 - 2),
)
integers.error({}, {"shape": [2], "low": 3, "high": 3}, error="ShapeError", match="low < high")
integers.error({}, {"shape": [2]}, error="ModelFormatError", match="low")
integers.error(
    {}, {"shape": [2], "low": 0, "high": 3, "dtype": 5}, error="DataTypeError", match="dtype"
)
test_randint = integers.tests()


def permutation(count: int, dtype: str) -> Check:
    def check(values: Values) -> None:
        array = values["Out"][0][0]
        assert array.dtype == dtype and np.sort(array).tolist() == list(range(count))
        assert count < 100 or array.tolist() != list(range(count))

    return check


randperm = OpTable("randperm")
for dtype, name in ((3, "int64"), (INT32, "int32"), (5, "float32"), (FP64, "float64")):
    randperm.case({}, {"n": 100, "dtype": dtype}, check=permutation(100, name))
randperm.case({}, {"n": 0}, check=permutation(0, "int64"))
randperm.error({}, {"n": -1}, error="ShapeError", match="n is -1")
randperm.error({}, {"n": 3, "dtype": 0}, error="DataTypeError", match="dtype")
test_randperm = randperm.tests()

bernoulli = OpTable("bernoulli")
for dtype in ("float32", "float64"):
    chances = np.full((40, 50), 0.3, dtype)
    bernoulli.case({"X": chances}, check=drawn((40, 50), dtype, 0, 1, 0.3, 0.46))
bernoulli.case({"X": np.array([0, 1, 0, 1], "float32")}, reference=lambda i, a: {"Out": i["X"]})
bernoulli.error({"X": np.array([0.5, 1.5], "float32")}, match="1.5 at element 1")
bernoulli.error({"X": np.array([np.nan], "float32")}, match="nan")
bernoulli.error({"X": randint(2)}, error="DataTypeError", match="int64")
test_bernoulli = bernoulli.tests()

poisson = OpTable("poisson")
for dtype in ("float32", "float64"):
    means = np.full((40, 50), 7.5, dtype)
    poisson.case({"X": means}, check=drawn((40, 50), dtype, 0, 60, 7.5, 7.5**0.5))
poisson.case({"X": np.zeros(3, "float32")}, reference=lambda i, a: {"Out": i["X"]})
poisson.case({"X": np.full(100, 1e12)}, check=drawn((100,), "float64", mean=1e12, deviation=1e6))
poisson.error({"X": np.array([-1.0], "float32")}, match="-1")
poisson.error({"X": np.array([np.inf], "float32")}, match="inf")
test_poisson = poisson.tests()

exponential = OpTable("exponential")
for dtype in ("float32", "float64"):
    for rate in (1.0, 0.25):
        exponential.case(
            {"X": rand(40, 50, dtype=dtype)},
            {"lambda": rate},
            check=drawn((40, 50), dtype, 0, mean=1 / rate, deviation=1 / rate),
        )
exponential.error({"X": rand(2)}, {"lambda": 0.0}, error="ShapeError", match="positive")
test_exponential = exponential.tests()

gamma = OpTable("standard_gamma")
for dtype in ("float32", "float64"):
    for shape in (0.3, 4.0):
        gamma.case(
            {"x": np.full((40, 50), shape, dtype)},
            check=drawn((40, 50), dtype, 0, mean=shape, deviation=shape**0.5, slot="out"),
        )
gamma.error({"x": np.zeros(2, "float32")}, match="at element 0")
gamma.error({"x": randint(2)}, error="DataTypeError", match="int64")
test_standard_gamma = gamma.tests()


def simplex(shape: tuple[int, ...], dtype: str) -> Check:
    def check(values: Values) -> None:
        drawn(shape, dtype, 0, 1)(values)
        np.testing.assert_allclose(values["Out"][0][0].sum(-1), 1, rtol=1e-5)

    return check


dirichlet = OpTable("dirichlet")
for dtype in ("float32", "float64"):
    dirichlet.case(
        {"Alpha": rand(4, 3, low=0.1, high=5, dtype=dtype)}, check=simplex((4, 3), dtype)
    )
dirichlet.case({"Alpha": np.full((5, 4), 1e-30, "float32")}, check=simplex((5, 4), "float32"))
dirichlet.case({"Alpha": rand(5, low=1, high=2)}, check=simplex((5,), "float32"))
dirichlet.case({"Alpha": rand(5, 0)}, reference=lambda i, a: {"Out": i["Alpha"]})
dirichlet.error({"Alpha": -rand(2, low=1, high=2)}, match="Alpha")
dirichlet.error({"Alpha": rand()}, error="ShapeError", match="0-D")
test_dirichlet = dirichlet.tests()

binomial = OpTable("binomial")
for dtype in ("float32", "float64", "int32", "int64"):
    binomial.case(
        {"count": np.full((40, 50), 20, dtype), "prob": np.full((40, 50), 0.3, "float32")},
        check=drawn((40, 50), "int64", 0, 20, 6, 4.2**0.5, slot="out"),
    )
binomial.case(
    {"count": np.array([0, 5, 5]), "prob": np.array([0.5, 0, 1])},
    reference=lambda i, a: {"out": np.array([0, 0, 5])},
)
binomial.error({"count": np.array([-1]), "prob": np.array([0.5])}, match="count")
binomial.error({"count": np.array([1]), "prob": np.array([1.5])}, match="prob")
binomial.error({"count": randint(2), "prob": rand(3)}, error="ShapeError", match="equal shapes")
test_binomial = binomial.tests()


def categories(shape: tuple[int, ...], allowed: list[int], unique: bool) -> Check:
    def check(values: Values) -> None:
        array = values["Out"][0][0]
        assert array.shape == shape and array.dtype == np.int64
        assert np.isin(array, allowed).all()
        if unique:
            rows = array.reshape(-1, shape[-1])
            assert all(len(set(row.tolist())) == shape[-1] for row in rows)

    return check


def share(values: Values) -> None:
    array = values["Out"][0][0]
    for index, p in enumerate((0.1, 0.2, 0, 0.7)):
        close(float((array == index).mean()), p, (p * (1 - p)) ** 0.5, array.size)


multinomial = OpTable("multinomial")
weights = np.array([1, 2, 0, 7], "float32")
for dtype in ("float32", "float64"):
    multinomial.case(
        {"X": weights.astype(dtype)}, {"num_samples": 3000, "replacement": True}, check=share
    )
multinomial.case({"X": np.tile(weights, (3000, 1))}, check=share)
multinomial.case(
    {"X": np.tile(weights, (5, 1))},
    {"num_samples": 3},
    check=categories((5, 3), [0, 1, 3], unique=True),
)
multinomial.case(
    {"X": np.ones(50, "float32")},
    {"num_samples": 50},
    check=categories((50,), list(range(50)), True),
)
multinomial.error({"X": weights}, {"num_samples": 4}, match="at least num_samples 4")
multinomial.error({"X": weights}, {"num_samples": 5}, error="ShapeError", match="at most")
multinomial.error({"X": weights}, {"num_samples": 0}, error="ShapeError", match="positive")
multinomial.error({"X": np.zeros((2, 3), "float32")}, {}, match="all 0")
multinomial.error({"X": -weights}, {}, match="element 0")
multinomial.error({"X": rand(2, 2, 2)}, {}, error="ShapeError", match="rank 1 or 2")
multinomial.error({"X": rand(2, 0)}, {}, error="ShapeError", match="category")
multinomial.error({"X": randint(3)}, {}, error="DataTypeError", match="int64")
test_multinomial = multinomial.tests()
