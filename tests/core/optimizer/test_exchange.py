"""What files hold in place of operators that real Paddle Lite computes wrongly: equal, and right
in our runtime. That real Paddle Lite runs them right is shown by tests/interop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lite
from lite.core.optimizer import optimize
from lite.core.optimizer.exchange.limits import limits
from lite.model.naive_buffer import write_nb_file
from lite.model.program import DataType, Program
from lite.model.text import parse_program

X = np.arange(-12, 12, dtype=np.float32).reshape(2, 3, 4)
WHOLE = X.astype(np.int64)
B = X > 3

Arrays = dict[str, np.ndarray[Any, Any]]


def log_softmax(x: np.ndarray[Any, Any], axis: int) -> np.ndarray[Any, Any]:
    top = x.max(axis, keepdims=True)
    return x - top - np.log(np.exp(x - top).sum(axis, keepdims=True))


def normalised(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    axes = (1, 2)
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + 1e-5)


CASES: dict[str, tuple[str, Arrays, Any, str]] = {
    "pow 2": ("Out: [y] = pow(X: [x]) {factor: float 2.0}", {"x": X}, X**2, "square"),
    "pow 3": (
        "Out: [y] = pow(X: [x]) {factor: float 3.0}",
        {"x": X},
        X**3,
        "square elementwise_mul",
    ),
    "pow 4": ("Out: [y] = pow(X: [x]) {factor: float 4.0}", {"x": X}, X**4, "square"),
    "pow 5": ("Out: [y] = pow(X: [x]) {factor: float 5.0}", {"x": X}, X**5, "elementwise_pow"),
    "pow 0.5": (
        "Out: [y] = pow(X: [x]) {factor: float 0.5}",
        {"x": X + 12},
        (X + 12) ** 0.5,
        "pow",
    ),
    "softmax": (
        "Out: [y] = softmax(X: [x]) {axis: int 1}",
        {"x": X},
        np.exp(log_softmax(X, 1)),
        "reduce_max elementwise_sub exp reduce_sum elementwise_div",
    ),
    "softmax of the last": (
        "Out: [y] = softmax(X: [x]) {axis: int 2}",
        {"x": X},
        np.exp(log_softmax(X, 2)),
        "softmax",
    ),
    "log_softmax": (
        "Out: [y] = log_softmax(X: [x]) {axis: int -1}",
        {"x": X},
        log_softmax(X, 2),
        "reduce_max elementwise_sub exp reduce_sum log elementwise_sub",
    ),
    "abs of integers": (
        "Out: [y] = abs(X: [x])",
        {"x": WHOLE},
        abs(WHOLE),
        "scale elementwise_max",
    ),
    "square of integers": (
        "Out: [y] = square(X: [x])",
        {"x": WHOLE},
        WHOLE * WHOLE,
        "elementwise_mul",
    ),
    "clip of integers": (
        "Out: [y] = clip(X: [x]) {min: float -2.0, max: float 5.0}",
        {"x": WHOLE},
        WHOLE.clip(-2, 5),
        "elementwise_max elementwise_min assign",
    ),
    "scale by a tensor": (
        "Out: [y] = scale(X: [x], ScaleTensor: [s]) {bias: float 1.0, bias_after_scale: bool true}",
        {"x": X, "s": np.array([3], np.float32)},
        X * 3 + 1,
        "elementwise_mul scale",
    ),
    "floor division": (
        "Out: [y] = elementwise_floordiv(X: [x], Y: [s]) {axis: int -1}",
        {"x": WHOLE, "s": np.array([5])},
        WHOLE // 5,
        "elementwise_mod elementwise_sub elementwise_floordiv",
    ),
    "layer_norm": (
        "Y: [y] = layer_norm(X: [x]) {begin_norm_axis: int 1, epsilon: float 1e-05}",
        {"x": X},
        normalised(X),
        "shape slice fill_constant reshape2 fill_constant reshape2 layer_norm",
    ),
    "p_norm 1": (
        "Out: [y] = p_norm(X: [x]) {porder: float 1.0, axis: int 1, keepdim: bool true}",
        {"x": X},
        abs(X).sum(1, keepdims=True),
        "abs reduce_sum assign",
    ),
    "p_norm 3": (
        "Out: [y] = p_norm(X: [x]) {porder: float 3.0, axis: int 2}",
        {"x": X},
        (abs(X) ** 3).sum(2) ** (1 / 3),
        "abs p_norm assign",
    ),
    "p_norm of all": (
        "Out: [y] = p_norm(X: [x]) {porder: float 2.0, asvector: bool true}",
        {"x": X},
        np.sqrt((X**2).sum()),
        "reshape2 p_norm assign",
    ),
    "where": (
        "Out: [y] = where(Condition: [c], X: [x], Y: [s]) {broadcast: bool true}",
        {"c": B[:, :1], "x": X, "s": np.array([7], np.float32)},
        np.where(B[:, :1], X, np.float32(7)),
        "shape concat elementwise_max expand_v2 where",
    ),
    "comparison of both sides": (
        "Out: [y] = less_than(X: [x], Y: [s]) {axis: int -1}",
        {"x": X[:, :1], "s": X[:1]},
        X[:, :1] < X[:1],
        "shape elementwise_max expand_v2 less_than",
    ),
    "comparison with one": (
        "Out: [y] = less_than(X: [x], Y: [s]) {axis: int -1}",
        {"x": X, "s": np.array([2], np.float32)},
        X < 2,
        "less_than",
    ),
    "product of truths": ("Out: [y] = elementwise_mul(X: [x], Y: [x])", {"x": B}, B, "logical_and"),
    "logic of numbers": ("Out: [y] = logical_not(X: [x])", {"x": X}, X == 0, "equal"),
    "cast to bool": (
        "Out: [y] = cast(X: [x]) {in_dtype: int 5, out_dtype: int 0}",
        {"x": X},
        X != 0,
        "not_equal",
    ),
    "concat of truths": (
        "Out: [y] = concat(X: [x, x]) {axis: int 1}",
        {"x": B},
        np.concatenate([B, B], 1),
        "cast cast concat not_equal",
    ),
    "reduce_all": (
        "Out: [y] = reduce_all(X: [x]) {dim: ints [0, -1], keep_dim: bool true}",
        {"x": X > -13},
        np.ones((1, 3, 1), bool),
        "reduce_all",
    ),
    "sum of truths": (
        "Out: [y] = reduce_sum(X: [x]) {dim: ints [1]}",
        {"x": B},
        B.sum(1),
        "cast reduce_sum",
    ),
    "a number": (
        "Out: [y] = reshape2(X: [x]) {shape: ints []}",
        {"x": X[:1, :1, :1]},
        X[0, 0, 0],
        "squeeze2",
    ),
    "arg_max of all": (
        "Out: [y] = arg_max(X: [x]) {flatten: bool true, axis: long 0, dtype: int 3}",
        {"x": X},
        np.int64(23),
        "reshape2 arg_max",
    ),
    "roll of all": (
        "Out: [y] = roll(X: [x]) {axis: longs [], shifts: longs [3]}",
        {"x": X},
        np.roll(X, 3),
        "reshape2 roll shape reshape2",
    ),
    "smallest": (
        "Out: [y], Indices: [i] = top_k_v2(X: [x]) {axis: int -1, k: int 2, largest: bool false}",
        {"x": X},
        X[..., :2],
        "scale top_k_v2 scale",
    ),
    "backwards": (
        "Out: [y] = strided_slice(Input: [x]) {axes: ints [1, 2], starts: ints [2, 3], "
        "ends: ints [-4, 0], strides: ints [-1, -2]}",
        {"x": X},
        X[:, ::-1, 3:0:-2],
        "flip strided_slice",
    ),
    "backwards by one": (
        "Out: [y] = strided_slice(Input: [x]) {axes: ints [2], starts: ints [-2], ends: ints [0], "
        "strides: ints [-1]}",
        {"x": X},
        X[:, :, 2:0:-1],
        "flip slice",
    ),
    "unbind": ("Out: [y, z] = unbind(X: [x]) {axis: int 0}", {"x": X}, X[0], "slice"),
    "reduction of five dimensions": (
        "Out: [y] = reduce_max(X: [x]) {dim: ints [2, 1], keep_dim: bool true}",
        {"x": X.reshape(2, 3, 2, 1, 2)},
        X.reshape(2, 3, 2, 1, 2).max((1, 2), keepdims=True),
        "flatten_contiguous_range flatten_contiguous_range reduce_max shape slice slice concat "
        "reshape2",
    ),
    "reduction of the first dimensions": (
        "Out: [y] = reduce_sum(X: [x]) {dim: ints [0, 1]}",
        {"x": X.reshape(2, 3, 2, 1, 2)},
        X.reshape(2, 3, 2, 1, 2).sum((0, 1)),
        "flatten_contiguous_range flatten_contiguous_range reduce_sum shape slice reshape2",
    ),
    "bmm": (
        "Out: [y] = bmm(X: [x], Y: [s])",
        {"x": X, "s": X[:, :1].swapaxes(1, 2)},
        X @ X[:, :1].swapaxes(1, 2),
        "matmul_v2",
    ),
    "isnan_v2": (
        "Out: [y] = isnan_v2(X: [x])",
        {"x": np.where(X < 0, np.nan, X)},
        X < 0,
        "not_equal",
    ),
    "isinf_v2": (
        "Out: [y] = isinf_v2(X: [x])",
        {"x": np.where(X > 3, -np.inf, X)},
        X > 3,
        "abs equal",
    ),
    "size": ("Out: [y] = size(Input: [x])", {"x": X}, np.int64(24), "shape reduce_prod cast"),
    "reduce_amax": (
        "Out: [y] = reduce_amax(X: [x]) {dim: ints [1]}",
        {"x": X},
        X.max(1),
        "reduce_max",
    ),
    "sum": ("Out: [y] = sum(X: [x, x, x])", {"x": X}, 3 * X, "elementwise_add"),
    "brelu": (
        "Out: [y] = brelu(X: [x]) {t_min: float -1.0, t_max: float 2.0}",
        {"x": X},
        X.clip(-1, 2),
        "clip",
    ),
    "expand_as_v2": (
        "Out: [y] = expand_as_v2(X: [x], Y: [s])",
        {"x": X[:, :1], "s": X},
        np.broadcast_to(X[:, :1], X.shape),
        "shape expand_v2",
    ),
    "arg_min": (
        "Out: [y] = arg_min(X: [x]) {axis: long 1, dtype: int 3}",
        {"x": X},
        X.argmin(1),
        "scale arg_max",
    ),
    "eye": (
        "Out: [e] = eye() {num_rows: long 3, num_columns: long 4, dtype: int 5}\n"
        "Out: [y] = elementwise_add(X: [x], Y: [e]) {axis: int -1}",
        {"x": X},
        X + np.eye(3, 4, dtype=np.float32),
        "assign elementwise_add",
    ),
    "log2": ("Out: [y] = log2(X: [x])", {"x": X + 13}, np.log2(X + 13), "log scale"),
    "celu": (
        "Out: [y] = celu(X: [x]) {alpha: float 2.0}",
        {"x": X},
        np.where(X > 0, X, 2 * np.expm1(X / 2)),
        "scale elu scale",
    ),
    "swiglu": (
        "out: [y] = swiglu(x: [x])",
        {"x": X},
        X[..., :2] / (1 + np.exp(-X[..., :2])) * X[..., 2:],
        "split silu elementwise_mul",
    ),
    "lerp": (
        "Out: [y] = lerp(X: [x], Y: [s], Weight: [w])",
        {"x": X, "s": X * X, "w": np.array([0.25], np.float32)},
        X + 0.25 * (X * X - X).astype(np.float32),
        "elementwise_sub elementwise_mul elementwise_add",
    ),
    "masked_select": (
        "Y: [y] = masked_select(X: [x], Mask: [m])",
        {"x": X, "m": B},
        X[B],
        "where_index gather_nd",
    ),
    "mean": ("Out: [y] = mean(X: [x])", {"x": X}, X.mean(), "reduce_mean"),
    "index_sample": (
        "Out: [y] = index_sample(X: [x], Index: [i])",
        {"x": X[0], "i": np.array([[1, 0], [3, 3], [2, 1]])},
        np.take_along_axis(X[0], np.array([[1, 0], [3, 3], [2, 1]]), 1),
        "shape cast slice slice elementwise_mul range reshape2 elementwise_add reshape2 reshape2 "
        "gather shape reshape2",
    ),
    "padding": (
        "Out: [u] = unsqueeze2(X: [x]) {axes: ints [2]}\n"
        'Out: [p] = pad3d(X: [u]) {mode: string "constant", value: float 0.5, '
        'paddings: ints [1, 0, 2, 0, 0, 0], data_format: string "NCDHW"}\n'
        "Out: [y] = squeeze2(X: [p]) {axes: ints [2]}",
        {"x": X[None]},
        np.pad(X[None], ((0, 0), (0, 0), (2, 0), (1, 0)), constant_values=0.5),
        "pad2d",
    ),
}

NAMES = {"float32": "fp32", "int64": "int64", "bool": "bool", "float64": "fp64"}


def make(body: str, feeds: Arrays) -> Program:
    lines = ["program version 0", "block 0 parent -1 {"]
    lines += ["var feed: feed_minibatch persistable", "var fetch: fetch_list persistable"]
    for name, array in feeds.items():
        dims = ",".join(map(str, array.shape))
        lines.append(f"var {name}: lod_tensor {NAMES[array.dtype.name]}[{dims}]")
    lines += [f"Out: [{n}] = feed(X: [feed]) {{col: int {i}}}" for i, n in enumerate(feeds)]
    lines += [body, "Out: [fetch] = fetch(X: [y]) {col: int 0}", "}"]
    return parse_program("\n".join(lines))


def types(program: Program) -> list[str]:
    found = [op.type for op in program.root.ops if op.type not in ("feed", "fetch")]
    return list(dict.fromkeys(found)) if len(set(found)) == 1 else found


@pytest.mark.parametrize("name", CASES)
def test_rewrite(name: str, tmp_path: Path) -> None:
    body, feeds, expected, operators = CASES[name]
    written = optimize(make(body, feeds), weight_bits=0)
    found = types(written)
    if name in ("where", "comparison of both sides"):  # how often is of no interest
        found = list(dict.fromkeys(found))
        assert sorted(found) == sorted(operators.split())
    else:
        assert found == operators.split()
    assert limits(written) == ()
    path = tmp_path / "m.nb"
    write_nb_file(written, path)
    predictor = lite.load(str(path))
    predictor.run(feeds)
    got = predictor._core.copy_output(0)
    assert (got.shape, got.dtype) == (np.shape(expected), np.asarray(expected).dtype)
    np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", ["softmax", "pow 2", "layer_norm", "unbind"])
def test_a_program_that_is_not_written_stays(name: str) -> None:
    body, feeds, _, _ = CASES[name]
    assert types(optimize(make(body, feeds))) == types(make(body, feeds))


def test_discarded() -> None:
    body, feeds, _, _ = CASES["softmax"]
    kept = optimize(make(body, feeds), weight_bits=0, discarded=["lite_exchange_pass"])
    assert types(kept) == ["softmax"]
    assert [str(limit) for limit in limits(kept)] == ["softmax along axis 1 (1x)"]
    assert limits(kept, ("arm",)) == ()


LIMITS = {
    "kernel": ("Out: [y] = cosh(X: [x])", X, "cosh (1x)"),
    "type": ("Out: [y] = exp(X: [x])", WHOLE, "exp of int64 (1x)"),
    "remainder": (
        "Out: [y] = elementwise_mod(X: [x], Y: [x])",
        X,
        "elementwise_mod of float32 (1x)",
    ),
    "gelu": (
        "Out: [y] = gelu(X: [x]) {approximate: bool true}",
        X,
        "gelu by tanh, exact there (1x)",
    ),
    "cast": (
        "Out: [y] = cast(X: [x]) {in_dtype: int 5, out_dtype: int 20}",
        X,
        "cast to uint8 (1x)",
    ),
}


@pytest.mark.parametrize("name", LIMITS)
def test_limits(name: str) -> None:
    body, x, expected = LIMITS[name]
    written = optimize(make(body, {"x": x}), weight_bits=0)
    assert [str(limit) for limit in limits(written)] == [expected]


def test_limits_of_double_precision() -> None:
    written = optimize(make("Out: [y] = tanh(X: [x])", {"x": X.astype(np.float64)}), weight_bits=0)
    found = {(limit.operator, limit.what) for limit in limits(written)}
    assert ("tanh", "of float64") in found
    assert DataType.FP64 is written.root.vars["x"].dtype
