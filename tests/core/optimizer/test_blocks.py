"""Programs with several blocks: what sub-blocks read and write keeps its name and its value."""

from __future__ import annotations

import numpy as np
import pytest
from checking import check, count, positive, program, rand, types

from lite.core.optimizer import optimize
from lite.core.optimizer.build import to_graph, to_program
from lite.errors import ModelFormatError
from lite.model.program import AttrType

X = {"x": (-1, 4)}
FEED = {"x": rand(2, 4)}

LOOP = """
Out: [i] = fill_constant() {shape: ints [1], value: float 0.0, dtype: int 3}
Out: [n] = fill_constant() {shape: ints [1], value: float 3.0, dtype: int 3}
Out: [h] = scale(X: [x]) {scale: float 1.0}
Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
Out: [h, i, go], StepScopes: [ss] = while(X: [h, i, n, w, b], Condition: [go]) {sub_block: block 1}
Out: [y] = scale(X: [h]) {scale: float 1.0}
"""
BODY = """
block 1 parent 0 {
  Out: [m] = matmul_v2(X: [h], Y: [w]) {trans_x: bool false, trans_y: bool false}
  Out: [a] = elementwise_add(X: [m], Y: [b]) {axis: int -1}
  Out: [d] = dropout(X: [a]) {is_test: bool true, dropout_prob: float 0.5}
  Out: [h] = assign(X: [d])
  Out: [i] = increment(X: [i]) {step: float 1.0}
  Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
}
"""


def test_a_loop_keeps_its_variables() -> None:
    before = program(LOOP, X, ["y"], {"w": rand(4, 4), "b": rand(4)}, BODY)
    after = check(before, FEED)
    assert count(after)["while"] == 1
    assert "dropout" not in count(after)
    fc_or_matmul = {op.type for op in after.blocks[1].ops}
    assert {"increment", "less_than"} <= fc_or_matmul
    loop = next(op for op in after.root.ops if op.type == "while")
    assert {"h", "i", "n"} <= set(loop.inputs["X"])
    weights = {name for op in after.blocks[1].ops for name in op.input_names()} & set(after.params)
    assert weights <= set(loop.inputs["X"])
    assert set(after.params) >= weights


NORMED = LOOP.replace("X: [h, i, n, w, b]", "X: [h, i, n, w, g, o, mu, v]").replace(
    "Out: [h, i, go]", "Out: [h, i, go, mu, v]"
)
NORM = """
block 1 parent 0 {
  Output: [c] = conv2d(Input: [h], Filter: [w]) {
    strides: ints [1, 1], paddings: ints [0, 0], dilations: ints [1, 1], groups: int 1}
  MORE
  Y: [bn], MeanOut: [mu], VarianceOut: [v] = batch_norm(X: [c], Scale: [g], Bias: [o], Mean: [mu],
    Variance: [v]) {is_test: bool true}
  Out: [h] = assign(X: [bn])
  Out: [i] = increment(X: [i]) {step: float 1.0}
  Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
}
"""


@pytest.mark.parametrize(
    ("between", "left"), [("", 0), ("Out: [h] = scale(X: [h]) {scale: float 2.0}", 1)]
)
def test_a_batch_norm_in_a_loop_folds_where_nothing_changes_in_between(
    between: str, left: int
) -> None:
    params = {"w": rand(4, 4, 1, 1), "g": rand(4), "o": rand(4), "mu": rand(4), "v": positive(4)}
    before = program(NORMED, {"x": (-1, 4, 2, 3)}, ["y"], params, NORM.replace("MORE", between))
    after = check(before, {"x": rand(2, 4, 2, 3)})
    assert count(after)["batch_norm"] == left


def test_an_initial_value_that_the_loop_changes_is_no_constant() -> None:
    after = check(program(LOOP, X, ["y"], {"w": rand(4, 4), "b": rand(4)}, BODY), FEED)
    assert [op.output("Out") for op in after.root.ops if op.type == "fill_constant"] == ["i", "n"]


def test_a_constant_that_only_the_root_reads_folds_beside_a_loop() -> None:
    body = LOOP.replace("Out: [y] = scale(X: [h]) {scale: float 1.0}", "") + (
        "Out: [c] = fill_constant() {shape: ints [4], value: float 2.0, dtype: int 5}\n"
        "Out: [y] = elementwise_mul(X: [h], Y: [c]) {axis: int -1}"
    )
    before = program(body, X, ["y"], {"w": rand(4, 4), "b": rand(4)}, BODY)
    assert count(check(before, FEED))["fill_constant"] == 2


COND = """
Out: [z] = fill_constant() {shape: ints [1], value: float 0.5, dtype: int 5}
Out: [s] = scale(X: [flag]) {scale: float 1.0}
Out: [p] = less_than(X: [z], Y: [s]) {axis: int -1}
Out: [q] = logical_not(X: [p])
Out: [h] = relu(X: [x])
Out: [u], Scope: [c1] = conditional_block(Cond: [p], Input: [h, w]) {sub_block: block 1}
Out: [u], Scope: [c2] = conditional_block(Cond: [q], Input: [h]) {sub_block: block 2}
Out: [y] = scale(X: [u]) {scale: float 1.0}
"""
ARMS = """
block 1 parent 0 {
  Out: [m1] = scale(X: [h]) {scale: float 1.0}
  Output: [c] = conv2d(Input: [m1], Filter: [w]) {
    strides: ints [1, 1], paddings: ints [0, 0], dilations: ints [1, 1], groups: int 1}
  Y: [bn] = batch_norm(X: [c], Scale: [g], Bias: [o], Mean: [mu], Variance: [v]) {
    is_test: bool true}
  Out: [u] = assign(X: [bn])
}
block 2 parent 0 {
  Out: [m2] = scale(X: [h]) {scale: float 3.0}
  Out: [u] = assign(X: [m2])
}
"""


@pytest.mark.parametrize("flag", [0.0, 1.0])
def test_conditions_keep_what_both_arms_write(flag: float) -> None:
    params = {"w": rand(4, 4, 1, 1), "g": rand(4), "o": rand(4), "mu": rand(4), "v": positive(4)}
    before = program(COND, {"x": (-1, 4, 3, 3), "flag": (1,)}, ["y"], params, ARMS)
    feeds = {"x": rand(2, 4, 3, 3), "flag": np.array([flag], "float32")}
    after = check(before, feeds)
    assert count(after)["batch_norm"] == 0
    assert types(after, 1)[-1] == "assign" or after.blocks[1].ops[-1].output_names()
    assert "u" in {name for op in after.blocks[1].ops for name in op.output_names()}
    assert "u" in {name for op in after.blocks[2].ops for name in op.output_names()}


def test_without_passes_a_program_stays_what_it_is() -> None:
    params = {"w": rand(4, 4), "b": rand(4)}
    before = program(LOOP, X, ["y"], params, BODY)
    after = to_program(to_graph(before))
    assert [block.ops for block in after.blocks] == [block.ops for block in before.blocks]
    assert list(after.params) == list(before.params)


@pytest.mark.parametrize("index", [0, 2, -1, 7])
def test_a_sub_block_that_does_not_exist(index: int) -> None:
    before = program(LOOP, X, ["y"], {"w": rand(4, 4), "b": rand(4)}, BODY)
    for op in before.root.ops:
        if op.type == "while":
            op.set_attr("sub_block", AttrType.BLOCK, index)
    with pytest.raises(ModelFormatError, match="sub_block"):
        optimize(before)


def test_blocks_that_contain_each_other() -> None:
    before = program(LOOP, X, ["y"], {"w": rand(4, 4), "b": rand(4)}, BODY)
    before.blocks[1].ops.append(before.root.ops[-3])
    with pytest.raises(ModelFormatError, match="contains itself"):
        optimize(before)


def test_a_value_that_a_sub_block_reads_is_not_fused_away() -> None:
    body = COND.replace("Out: [h] = relu(X: [x])", CONV + "Out: [k] = relu(X: [h])").replace(
        "Out: [y] = scale(X: [u]) {scale: float 1.0}", "Out: [y] = elementwise_add(X: [u], Y: [k])"
    )
    params = {"w": rand(4, 4, 1, 1), "g": rand(4), "o": rand(4), "mu": rand(4), "v": positive(4)}
    before = program(body, {"x": (-1, 4, 3, 3), "flag": (1,)}, ["y"], params, ARMS)
    feeds = {"x": rand(2, 4, 3, 3), "flag": np.array([1.0], "float32")}
    assert "relu" in types(check(before, feeds))


CONV = (
    "Output: [h] = conv2d(Input: [x], Filter: [w]) {strides: ints [1, 1], paddings: ints [0, 0], "
    "dilations: ints [1, 1], groups: int 1}\n"
)
