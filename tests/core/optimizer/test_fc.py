"""Products with a weight: mul, matmul, matmul_v2 to fc, what goes into it, and what must not."""

from __future__ import annotations

import pytest
from checking import check, positive, program, rand, types

FC = "lite_fc_fuse_pass"
ADD = "Out: [y] = elementwise_add(X: [m], Y: [b]) {axis: int -1}"


def matmul(kind: str = "matmul_v2", attrs: str = "", out: str = "m", y: str = "w") -> str:
    return f"Out: [{out}] = {kind}(X: [x], Y: [{y}]) {{{attrs}}}"


@pytest.mark.parametrize("rank", [2, 3, 4])
@pytest.mark.parametrize("bias", [(5,), (1, 5), (1,)])
def test_matmul_v2_with_bias_becomes_fc(rank: int, bias: tuple[int, ...]) -> None:
    shape = (*(2, 3, 6)[: rank - 1], 4)
    before = program(
        f"{matmul()}\n{ADD}", {"x": (-1, *shape[1:])}, ["y"], {"w": rand(4, 5), "b": rand(*bias)}
    )
    after = check(before, {"x": rand(*shape)}, FC)
    assert types(after) == ["fc"]
    fc = after.root.ops[1]
    assert fc.attr("in_num_col_dims") == rank - 1
    assert fc.attr("op_type") == "matmul_v2"
    assert after.params["b"].shape == (5,)


def test_transposed_weight_is_turned() -> None:
    body = f"{matmul(attrs='trans_y: bool true')}\n{ADD}"
    before = program(body, {"x": (-1, 4)}, ["y"], {"w": rand(5, 4), "b": rand(5)})
    after = check(before, {"x": rand(3, 4)}, FC)
    assert types(after) == ["fc"]
    assert after.params["w"].shape == (4, 5)


@pytest.mark.parametrize(
    ("attrs", "x", "w", "bias", "axis"),
    [
        ("trans_x: bool true", (4, 3), (4, 5), (5,), -1),
        ("", (3, 4), (4,), (1,), -1),
        ("", (2, 3, 4), (2, 4, 5), (5,), -1),
        ("", (3, 4), (4, 5), (3, 5), -1),
        ("", (3, 4), (4, 5), (3,), 0),
        ("", (5, 4), (4, 5), (5,), 0),
        ("", (4,), (4, 5), (5,), -1),
    ],
)
def test_other_products_stay(
    attrs: str, x: tuple[int, ...], w: tuple[int, ...], bias: tuple[int, ...], axis: int
) -> None:
    body = f"{matmul(attrs=attrs)}\n{ADD.replace('-1', str(axis))}"
    before = program(body, {"x": x}, ["y"], {"w": rand(*w), "b": rand(*bias)})
    assert types(check(before, {"x": rand(*x)}, FC)) == ["matmul_v2", "elementwise_add"]


def test_product_of_two_inputs_stays() -> None:
    before = program(f"{matmul()}\n{ADD}", {"x": (-1, 4), "w": (4, 5)}, ["y"], {"b": rand(5)})
    assert len(types(check(before, {"x": rand(3, 4), "w": rand(4, 5)}, FC))) == 2


def test_input_of_unknown_rank_stays() -> None:
    body = "Out: [x] = reshape2(X: [r], Shape: [s]) {shape: ints [-1, 4]}\n" + f"{matmul()}\n{ADD}"
    before = program(
        body, {"r": (-1, 8), "s": ("int32", (-1,))}, ["y"], {"w": rand(4, 5), "b": rand(5)}
    )
    from lite.core.optimizer import optimize

    assert "fc" not in types(optimize(before))


@pytest.mark.parametrize("columns", [1, 2])
def test_mul_with_bias_and_relu_becomes_fc(columns: int) -> None:
    body = (
        matmul("mul", f"x_num_col_dims: int {columns}, y_num_col_dims: int 1")
        + f"\nOut: [a] = elementwise_add(X: [m], Y: [b]) {{axis: int {columns}}}"
        + "\nOut: [y] = relu(X: [a])"
    )
    k = 12 if columns == 1 else 4
    before = program(body, {"x": (-1, 3, 4)}, ["y"], {"w": rand(k, 5), "b": rand(5)})
    after = check(before, {"x": rand(2, 3, 4)}, FC)
    assert types(after) == ["fc"]
    assert after.root.ops[1].attr("activation_type") == "relu"


def test_mul_by_a_weight_of_more_dimensions_stays() -> None:
    body = matmul("mul", "x_num_col_dims: int 1, y_num_col_dims: int 2") + f"\n{ADD}"
    before = program(body, {"x": (-1, 6)}, ["y"], {"w": rand(2, 3, 5), "b": rand(5)})
    assert types(check(before, {"x": rand(4, 6)}, FC)) == ["mul", "elementwise_add"]


def test_second_bias_joins_and_relu_ends_it() -> None:
    body = (
        f"{matmul()}\nOut: [a] = elementwise_add(X: [m], Y: [b]) {{axis: int -1}}\n"
        "Out: [r] = elementwise_add(X: [a], Y: [c]) {axis: int 0}\nOut: [s] = relu(X: [r])\n"
        "Out: [y] = elementwise_add(X: [s], Y: [c]) {axis: int -1}"
    )
    before = program(body, {"x": (-1, 4)}, ["y"], {"w": rand(4, 5), "b": rand(5), "c": rand(1, 5)})
    assert types(check(before, {"x": rand(3, 4)}, FC)) == ["fc", "elementwise_add"]


@pytest.mark.parametrize("attrs", ["", "alpha: float 0.25", "transpose_Y: bool true"])
def test_old_matmul_with_bias_becomes_fc(attrs: str) -> None:
    w = rand(5, 4) if "transpose_Y" in attrs else rand(4, 5)
    before = program(
        f"{matmul('matmul', attrs)}\n{ADD}", {"x": (-1, 3, 4)}, ["y"], {"w": w, "b": rand(5)}
    )
    after = check(before, {"x": rand(2, 3, 4)}, "lite_matmul_element_add_fuse_pass")
    assert types(after) == ["fc"]


@pytest.mark.parametrize(
    ("attrs", "shape", "left"),
    [
        ("", (3, 4), "mul"),
        ("alpha: float 2.0", (3, 4), "matmul"),
        ("", (2, 3, 4), "matmul"),
        ("transpose_X: bool true", (4, 3), "matmul"),
    ],
)
def test_old_matmul_becomes_mul(attrs: str, shape: tuple[int, ...], left: str) -> None:
    before = program(matmul("matmul", attrs), {"x": shape}, ["m"], {"w": rand(4, 5)})
    assert types(check(before, {"x": rand(*shape)}, "lite_matmul_fuse_pass")) == [left]


def test_squeeze_in_front_of_old_matmul_goes_only_where_it_flattens() -> None:
    pool = 'Out: [p] = pool2d(X: [c]) {global_pooling: bool true, pooling_type: string "avg"}\n'
    rest = "Out: [x] = squeeze2(X: [p]) {axes: ints [2, 3]}\n" + matmul("matmul")
    before = program(pool + rest, {"c": (-1, 4, 5, 5)}, ["m"], {"w": rand(4, 5)})
    after = check(before, {"c": rand(2, 4, 5, 5)}, "lite_squeeze2_matmul_fuse_pass")
    assert types(after) == ["pool2d", "mul"]
    before = program(rest, {"p": (-1, 4, 1, 1)}, ["m"], {"w": rand(4, 5)})
    after = check(before, {"p": rand(2, 4, 1, 1)}, "lite_squeeze2_matmul_fuse_pass")
    assert types(after) == ["squeeze2", "matmul"]


@pytest.mark.parametrize(
    ("shape", "left"),
    [("[0, -1]", ["mul"]), ("[0, 12]", ["mul"]), ("[-1, 12]", ["reshape2", "matmul"])],
)
def test_reshape_in_front_of_old_matmul(shape: str, left: list[str]) -> None:
    body = f"Out: [x] = reshape2(X: [r]) {{shape: ints {shape}}}\n" + matmul("matmul")
    before = program(body, {"r": (-1, 3, 4)}, ["m"], {"w": rand(12, 5)})
    assert types(check(before, {"r": rand(2, 3, 4)}, "lite_reshape2_matmul_fuse_pass")) == left


@pytest.mark.parametrize(
    ("op", "goes"),
    [
        ("flatten_contiguous_range(X: [r]) {start_axis: int 1, stop_axis: int -1}", True),
        ("flatten_contiguous_range(X: [r]) {start_axis: int 1, stop_axis: int 2}", True),
        ("flatten_contiguous_range(X: [r]) {start_axis: int 0, stop_axis: int 1}", False),
        ("reshape2(X: [r]) {shape: ints [0, -1]}", True),
        ("reshape2(X: [r]) {shape: ints [-1, 12]}", False),
    ],
)
def test_flatten_in_front_of_fc(op: str, goes: bool) -> None:
    k = 4 if "start_axis: int 0" in op else 12
    body = f"Out: [x] = {op}\n{matmul()}\n{ADD}"
    before = program(body, {"r": (-1, 3, 4)}, ["y"], {"w": rand(k, 5), "b": rand(5)})
    after = check(before, {"r": rand(2, 3, 4)}, FC, "lite_flatten_fc_fuse_pass")
    assert len(types(after)) == (1 if goes else 2)


def test_batch_norm_behind_fc_folds() -> None:
    body = (
        f"{matmul()}\n{ADD.replace('[y]', '[a]')}\n"
        "Y: [y] = batch_norm(X: [a], Scale: [s], Bias: [o], Mean: [u], Variance: [v]) "
        "{is_test: bool true}"
    )
    params = {"w": rand(4, 5), "b": rand(5), "s": rand(5), "o": rand(5), "u": rand(5)}
    before = program(body, {"x": (-1, 4)}, ["y"], params | {"v": positive(5)})
    assert types(check(before, {"x": rand(3, 4)}, FC, "fc_bn_fuse_pass")) == ["fc"]


def test_batch_norm_behind_fc_of_three_dimensions_stays() -> None:
    body = (
        f"{matmul()}\n{ADD.replace('[y]', '[a]')}\n"
        "Y: [y] = batch_norm(X: [a], Scale: [s], Bias: [o], Mean: [u], Variance: [v]) "
        "{is_test: bool true}"
    )
    params = {"w": rand(4, 5), "b": rand(5), "s": rand(5), "o": rand(5), "u": rand(5)}
    before = program(body, {"x": (-1, 5, 4)}, ["y"], params | {"v": positive(5)})
    after = check(before, {"x": rand(3, 5, 4)}, FC, "fc_bn_fuse_pass")
    assert types(after) == ["fc", "batch_norm"]


SCALE = "matmul_scale_fuse_pass"


@pytest.mark.parametrize("kind", ["mul", "matmul", "matmul_v2"])
def test_scale_goes_into_the_weight(kind: str) -> None:
    line = matmul(kind).replace("X: [x]", "X: [s]")
    before = "Out: [s] = scale(X: [x]) {scale: float 0.5}\n" + line
    params = {"w": rand(4, 5)}
    assert types(
        check(program(before, {"x": (-1, 4)}, ["m"], params), {"x": rand(3, 4)}, SCALE)
    ) == [kind]
    behind = matmul(kind) + "\nOut: [y] = scale(X: [m]) {scale: float 0.5}"
    assert types(
        check(program(behind, {"x": (-1, 4)}, ["y"], params), {"x": rand(3, 4)}, SCALE)
    ) == [kind]


@pytest.mark.parametrize(
    "body",
    [
        "Out: [s] = scale(X: [x]) {scale: float 0.5, bias: float 1.0}\n"
        "Out: [y] = matmul_v2(X: [s], Y: [w])",
        "Out: [m] = matmul_v2(X: [x], Y: [w])\n"
        "Out: [y] = scale(X: [m]) {scale: float 2.0, bias: float 1.0}",
        "Out: [s] = scale(X: [x]) {scale: float 0.5}\n"
        "Out: [m] = matmul_v2(X: [s], Y: [w])\nOut: [n] = matmul_v2(X: [s], Y: [w])\n"
        "Out: [y] = elementwise_add(X: [m], Y: [n])",
    ],
)
def test_scale_that_stays(body: str) -> None:
    before = program(body, {"x": (-1, 4)}, ["y"], {"w": rand(4, 5)})
    assert "scale" in types(check(before, {"x": rand(3, 4)}, SCALE))


def test_scale_behind_fc_takes_its_bias_along_and_stops_at_relu() -> None:
    body = f"{matmul()}\n{ADD}\nOut: [z] = scale(X: [y]) {{scale: float 0.5, bias: float 2.0}}"
    params = {"w": rand(4, 5), "b": rand(5)}
    after = check(program(body, {"x": (-1, 4)}, ["z"], params), {"x": rand(3, 4)}, FC, SCALE)
    assert types(after) == ["fc"]
    body = f"{matmul()}\n{ADD}\nOut: [r] = relu(X: [y])\n"
    body += "Out: [z] = scale(X: [r]) {scale: float -1.0}"
    after = check(program(body, {"x": (-1, 4)}, ["z"], params), {"x": rand(3, 4)}, FC, SCALE)
    assert types(after) == ["fc", "scale"]


def _attention(scale: str = "{scale: float 0.25}") -> str:
    return (
        f"{matmul()}\n{ADD.replace('[y]', '[q]')}\n"
        "Out: [r], XShape: [s1] = reshape2(X: [q]) {shape: ints [0, 0, 2, 3]}\n"
        "Out: [t], XShape: [s2] = transpose2(X: [r]) {axis: ints [0, 2, 1, 3]}\n"
        f"Out: [s] = scale(X: [t]) {scale}\nOut: [y] = tanh(X: [s])"
    )


def test_scale_moves_through_reshapes_into_the_weight() -> None:
    before = program(_attention(), {"x": (-1, 5, 4)}, ["y"], {"w": rand(4, 6), "b": rand(6)})
    after = check(before, {"x": rand(2, 5, 4)})
    assert types(after) == ["fc", "reshape2", "transpose2", "tanh"]


@pytest.mark.parametrize("fetched", ["r", "t", "q"])
def test_scale_does_not_move_past_a_value_that_others_read(fetched: str) -> None:
    params = {"w": rand(4, 6), "b": rand(6)}
    before = program(_attention(), {"x": (-1, 5, 4)}, ["y", fetched], params)
    assert "scale" in types(check(before, {"x": rand(2, 5, 4)}))
