"""Functions of one number: the file lite/kernels/cpu/elementwise/unary.cc and what is like it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from elementwise_tables import unary
from harness import OpTable, lod, rand, randint

LOW = np.nextafter(np.float32(-1), np.float32(0))
HALVES = [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 1e9, np.nan, np.inf, -np.inf]
OUTSIDE = (0.0, 1.0, -1.0, 1.5, -1.5, np.nan, np.inf)


def lower_case(
    op: str,
    function: Callable[[float], float],
    *,
    low: float,
    high: float,
    special: Sequence[float],
    attrs: Sequence[dict[str, int]] = ({},),
) -> OpTable:
    """x -> out against a function of one number; inputs in [low, high) and ``special`` ones."""
    table = OpTable(op)

    def reference(inputs: dict[str, np.ndarray], _: object) -> dict[str, np.ndarray]:
        x = inputs["x"]
        values = [function(float(v)) for v in x.ravel()]
        return {"out": np.array(values, x.dtype).reshape(x.shape)}

    for given in attrs:
        for shape in ((), (37,), (2, 3, 4, 5), (0, 3)):
            x = rand(*shape, low=low, high=high)
            table.case({"x": x}, given, reference=reference, tol=1e-6)
        x64 = rand(4, 5, low=low, high=high, dtype="float64")
        table.case({"x": x64}, given, reference=reference, tol=1e-12)
        table.case({"x": np.array(special, "float32")}, given, reference=reference, tol=1e-6)
    return table


table = unary("acos", low=-1, high=1, extremes=OUTSIDE)
test_acos = table.tests()
table = unary("acosh", low=1, high=9, extremes=OUTSIDE)
test_acosh = table.tests()
table = unary("asin", low=-1, high=1, extremes=OUTSIDE)
test_asin = table.tests()
table = unary("asinh")
test_asinh = table.tests()
table = unary("atan")
test_atan = table.tests()
table = unary("atanh", low=-0.99, high=0.99, extremes=OUTSIDE)
test_atanh = table.tests()
table = unary("cosh")
test_cosh = table.tests()
table = unary("sinh")
test_sinh = table.tests()
table = unary("tan", low=-1.5, high=1.5, extremes=(0.0, np.nan, np.inf, 30.0, 1e4))
test_tan = table.tests()

table = unary("logsigmoid", extremes=(0.0, np.inf, np.nan, 30.0, -30.0, 100.0, -100.0))
below = np.array([-np.inf, -1e30], "float32")  # where Paddle's own formula gives NaN
table.case({"X": below}, reference=lambda i, _: {"Out": i["X"]})
test_logsigmoid = table.tests()

NUMBERS = ("int32", "int64")
table = unary("expm1", integers=NUMBERS, extremes=(0.0, 1e-6, np.inf, -np.inf, np.nan, 200.0))
test_expm1 = table.tests()
table = unary("log2", low=0.01, high=9, integers=NUMBERS, extremes=OUTSIDE)
table.error({"X": randint(3, dtype="uint8")}, error="DataTypeError", match="uint8")
test_log2 = table.tests()
table = unary("log10", low=0.01, high=9, integers=NUMBERS, extremes=OUTSIDE)
test_log10 = table.tests()

table = unary("trunc", integers=NUMBERS, extremes=HALVES)
test_trunc = table.tests()


def rint(inputs: dict[str, np.ndarray], _: object) -> dict[str, np.ndarray]:
    return {"out": np.rint(inputs["x"]).astype(inputs["x"].dtype)}


table = OpTable("rint")
for dtype in ("float32", "float64", "int32", "int64"):
    draw = randint(3, 4, low=-5) if dtype in NUMBERS else rand(3, 4, low=-9, high=9)
    table.case({"x": draw.astype(dtype)}, reference=rint)
table.case({"x": np.array(HALVES, "float32")}, reference=rint)
table.error({"x": randint(3, dtype="uint8")}, error="DataTypeError", match="uint8")
test_rint = table.tests()

table = unary("stanh", [{}, {"scale_a": 0.3}, {"scale_b": -2.5}, {"scale_a": 2.0, "scale_b": 0.5}])
test_stanh = table.tests()

EPSILONS = [{}, *({"eps": eps} for eps in (0.0, 0.3, 0.7, -0.1))]
table = unary("logit", EPSILONS, low=0, high=1, extremes=())
for attrs in EPSILONS:
    outside = np.array([-1.0, 0.0, 0.2, 0.5, 1.0, 2.0, np.nan, np.inf, -np.inf], "float32")
    table.case({"X": outside}, attrs)
test_logit = table.tests()

table = unary("erfinv", low=-1, high=1, extremes=(*OUTSIDE, 1e-3, 1e-30, float(LOW), 0.999))
test_erfinv = table.tests()

POLES = (0.0, -1.0, -2.0)
table = unary("digamma", low=0.01, high=40, extremes=(*POLES, np.nan, np.inf, -0.5, -2.7, 1e-6))
test_digamma = table.tests()
table = unary("lgamma", low=-4, high=40, extremes=(*POLES, np.nan, np.inf, -np.inf, 1e-6, 1e30))
test_lgamma = table.tests()


def log_gamma(x: float) -> float:
    return math.inf if x <= 0 and x == math.floor(x) else math.lgamma(x)


table = lower_case("gammaln", log_gamma, low=-3, high=30, special=(*POLES, np.nan, np.inf, 1e30))
test_gammaln = table.tests()

table = OpTable("polygamma")
for n in (1, 2, 5, 20):
    table.case({"x": rand(3, 5, low=0.5, high=30)}, {"n": n}, outputs={"out": 1})
    near = np.array([-2.5, -0.3, -1.9, 0.1, 0.0, -1.0, -np.inf, np.nan], "float32")
    table.case({"x": near}, {"n": n})
    table.case({"x": rand(7, low=-5, high=12, dtype="float64")}, {"n": n}, tol=1e-9)
# Of 2.6.2 n = 0 gives infinities and x = inf NaN.
ONE = np.array([1.0, 0.5, 2.0, np.inf], "float64")
EULER = 0.57721566490153286
table.case(
    {"x": ONE},
    {"n": 0},
    reference=lambda i, _: {"out": np.array([-EULER, -EULER - 2 * np.log(2), 1 - EULER, np.inf])},
    tol=1e-14,
)
table.case(
    {"x": ONE},
    {"n": 1},
    reference=lambda i, _: {"out": np.pi**2 * np.array([1 / 6, 1 / 2, 1 / 6 - np.pi**-2, 0])},
    tol=1e-14,
)
for x in (-16777215.5, -1e9 - 0.5, 1e30):  # not a term each
    direct = (math.pi**2 if x < 0 else 0.0) + 1 / x
    table.case(
        {"x": np.array([x])},
        {"n": 1},
        reference=lambda i, _, y=direct: {"out": np.array([y])},
        tol=1e-9,
    )
table.case(
    {"x": np.array([2.0, 1e9], "float32")},
    {"n": 2147483647},
    reference=lambda i, _: {"out": np.array([np.inf, 0], "float32")},
)
table.error({"x": rand(2)}, {"n": -1}, error="ShapeError", match="attribute n")
table.error({"x": rand(2)}, {}, match="n")
table.error({"x": randint(2, dtype="int32")}, {"n": 1}, error="DataTypeError", match="int32")
test_polygamma = table.tests()


def bessel(order: int, scaled: bool) -> Callable[[float], float]:
    """Bessel's integral over [0, pi] of exp(x cos t) cos(order t), by the trapezoidal rule."""
    angles = (np.arange(20000) + 0.5) * np.pi / 20000
    cosines = np.cos(angles)

    def of(x: float) -> float:
        if math.isnan(x):
            return x
        if math.isinf(x):
            return 0.0 if scaled else x if order else math.inf
        size = abs(x)
        value = np.mean(np.exp(size * (cosines - 1)) * np.cos(order * angles))
        with np.errstate(over="ignore"):
            grown = value if scaled else value * np.exp(np.float64(size))
        return float(-grown if order and x < 0 else grown)

    return of


FAR = (0.0, 1e-4, 29.9, 30.0, -30.1, 80.0, -87.0, np.nan, np.inf)
table = lower_case("i0", bessel(0, False), low=-9, high=9, special=FAR)
test_i0 = table.tests()
table = lower_case("i0e", bessel(0, True), low=-40, high=40, special=(*FAR, 1e5))
test_i0e = table.tests()
table = lower_case("i1", bessel(1, False), low=-9, high=9, special=(*FAR, -np.inf))
test_i1 = table.tests()
table = lower_case("i1e", bessel(1, True), low=-40, high=40, special=(*FAR, -1e5))
test_i1e = table.tests()

MIXED = np.array([[0.0, np.nan, np.inf], [-np.inf, 1e38, -1.0]])


def kinds(op: str) -> OpTable:
    """Whether numbers are finite, infinite or NaN, of each type."""
    table = OpTable(op)
    for dtype in ("float32", "float64"):
        table.case({"X": MIXED.astype(dtype)})
        table.case({"X": rand(2, 1, 3, dtype=dtype)})
    for dtype in NUMBERS:
        table.case({"X": randint(2, 3, dtype=dtype)})
    table.case({"X": np.array(np.nan, "float32")})
    table.case({"X": np.array([1.0, np.inf], "float32")})
    table.case({"X": lod(rand(5, 2), [[0, 3, 5]])})
    table.error({"X": randint(3, dtype="uint8")}, error="DataTypeError", match="uint8")
    return table


def kinds_of_any(op: str, function: Callable[[np.ndarray], np.ndarray]) -> OpTable:
    """The same of a whole tensor: one answer."""
    table = kinds(op)
    table.error({"X": np.empty((0, 2), "float32")}, error="ShapeError", match="no elements")
    for case in table.cases:
        case.reference = lambda i, _: {"Out": np.array([function(i["X"])])}
    return table


table = kinds("isfinite_v2")
test_isfinite_v2 = table.tests()
table = kinds("isinf_v2")
test_isinf_v2 = table.tests()
table = kinds("isnan_v2")
test_isnan_v2 = table.tests()
table = kinds_of_any("isfinite", lambda x: np.isfinite(x).all())
test_isfinite = table.tests()
table = kinds_of_any("isinf", lambda x: np.isinf(x).any())
test_isinf = table.tests()
table = kinds_of_any("isnan", lambda x: np.isnan(x).any())
test_isnan = table.tests()
