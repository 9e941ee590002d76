"""Products that a loop would compute in every step stand in front of it."""

from __future__ import annotations

import numpy as np
import pytest
from checking import check, program, rand, types

from lite.api.build import make_core
from lite.model.program import Program

PASS = "loop_invariant_pass"
LOOP = """
  Out: [i] = fill_constant() {shape: ints [1], value: float 0.0, dtype: int 3}
  Out: [n] = fill_constant() {shape: ints [1], value: float STEPS, dtype: int 3}
  Out: [h] = scale(X: [x]) {scale: float 1.0}
  Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
  Out: [h, i, go], StepScopes: [ss] = while(X: [h, i, n, w, b, e], Condition: [go]) {
    sub_block: block 1}
  Out: [y] = scale(X: [h]) {scale: float 1.0}
"""
BODY = """
block 1 parent 0 {
  INSIDE
  Out: [h] = assign(X: [next])
  Out: [i] = increment(X: [i]) {step: float 1.0}
  Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
}
"""
PROJECTED = """
  Out: [k] = matmul_v2(X: [e], Y: [w]) {trans_x: bool false, trans_y: bool false}
  Out: [kb] = elementwise_add(X: [k], Y: [b]) {axis: int -1}
  Out: [kt], XShape: [xs] = transpose2(X: [kb]) {axis: ints [1, 0]}
  Out: [s] = matmul_v2(X: [h], Y: [kt]) {trans_x: bool false, trans_y: bool false}
  Out: [a] = softmax(X: [s]) {axis: int -1}
  Out: [next] = matmul_v2(X: [a], Y: [kb]) {trans_x: bool false, trans_y: bool false}
"""
FEEDS = {"x": rand(2, 4), "e": rand(2, 4)}


def loop(inside: str, steps: int = 3, other: str = "") -> Program:
    body = BODY.replace("INSIDE", inside)
    around = LOOP.replace("STEPS", f"{steps}.0").replace("  Out: [i] =", other + "  Out: [i] =", 1)
    params = {"w": rand(4, 4), "b": rand(4)}
    return program(around, {name: x.shape for name, x in FEEDS.items()}, ["y"], params, body)


def by_kernels(of: Program) -> np.ndarray:
    return np.asarray(make_core(of).run_with([(array, []) for array in FEEDS.values()])[0][0])


@pytest.mark.parametrize("steps", [0, 1, 3])
@pytest.mark.parametrize("passes", [(PASS,), ()])
def test_what_does_not_change_is_computed_once(passes: tuple[str, ...], steps: int) -> None:
    before = loop(PROJECTED, steps)
    after = check(before, FEEDS, *passes)
    assert "transpose2" in types(after) and "transpose2" not in types(after, 1)
    assert types(after, 1).count("matmul_v2") == 2
    while_ = next(op for op in after.root.ops if op.type == "while")
    read = {name for op in after.blocks[1].ops for name in op.input_names()}
    assert read - {name for op in after.blocks[1].ops for name in op.output_names()} <= set(
        while_.inputs["X"]
    )
    np.testing.assert_allclose(by_kernels(after), by_kernels(before), rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    "inside",
    [
        # The state changes from step to step, also where it is written behind its reader.
        PROJECTED.replace("X: [e]", "X: [h]"),
        PROJECTED.replace("Out: [next]", "Out: [e] = assign(X: [kb])\n  Out: [next]"),
        # Written twice.
        PROJECTED.replace("Out: [kb]", "Out: [k]").replace("[kb]", "[k]"),
        # No product with weights: where there is no step, nobody has to compute it.
        """Out: [t] = elementwise_add(X: [e], Y: [b]) {axis: int -1}
  Out: [next] = elementwise_add(X: [h], Y: [t]) {axis: int -1}""",
    ],
)
def test_what_changes_stays(inside: str) -> None:
    after = check(loop(inside), FEEDS, PASS)
    assert "matmul_v2" not in types(after) and "elementwise_add" not in types(after)


def test_a_name_of_the_body_is_free_in_front_of_it() -> None:
    """A variable of the body's own, and another of that name around it."""
    other = "  Out: [kb] = scale(X: [e]) {scale: float 2.0}\n"
    after = check(loop(PROJECTED, other=other), FEEDS, PASS)
    assert types(after, 1).count("matmul_v2") == 2


def test_loops_in_loops() -> None:
    """A product leaves the loop that it stands in."""
    inner = """
block 2 parent 1 {
  Out: [k] = matmul_v2(X: [e], Y: [w]) {trans_x: bool false, trans_y: bool false}
  Out: [r] = tanh(X: [k])
  Out: [z] = elementwise_add(X: [z], Y: [r]) {axis: int -1}
  Out: [j] = increment(X: [j]) {step: float 1.0}
  Out: [on] = less_than(X: [j], Y: [n]) {axis: int -1}
}
"""
    inside = """
  Out: [j] = fill_constant() {shape: ints [1], value: float 0.0, dtype: int 3}
  Out: [z] = scale(X: [h]) {scale: float 0.5}
  Out: [on] = less_than(X: [j], Y: [n]) {axis: int -1}
  Out: [z, j, on], StepScopes: [s2] = while(X: [z, j, n, w, e], Condition: [on]) {
    sub_block: block 2}
  Out: [next] = scale(X: [z]) {scale: float 1.0}
"""
    before = loop(inside)
    with_inner = program(
        LOOP.replace("STEPS", "3.0"),
        {name: x.shape for name, x in FEEDS.items()},
        ["y"],
        before.params,
        BODY.replace("INSIDE", inside) + inner,
    )
    after = check(with_inner, FEEDS)
    assert "matmul_v2" not in types(after, 2) and "tanh" not in types(after, 2)
    np.testing.assert_allclose(by_kernels(after), by_kernels(with_inner), rtol=1e-5, atol=1e-5)
