"""Operators that are run for what they do survive the optimizer and the plan."""

from __future__ import annotations

import io

import numpy as np
import pytest

import lite
from lite.core.optimizer import optimize
from lite.errors import LiteError
from lite.model.naive_buffer import write_nb
from lite.model.text import parse_program

X = np.array([[1, 2], [3, 4]], "float32")


def _load(lines: str, passes: bool) -> lite.Predictor:
    text = f"""
    program version 2006002
    block 0 parent -1 {{
      var feed: feed_minibatch
      var fetch: fetch_list
      var x: lod_tensor fp32[-1,2]
      Out: [x] = feed(X: [feed]) {{col: int 0}}
      {lines}
      Out: [y] = scale(X: [x]) {{scale: float 2.0}}
      Out: [fetch] = fetch(X: [y]) {{col: int 0}}
    }}
    """
    program = parse_program(text, {})
    file = io.BytesIO()
    write_nb(optimize(program, ["x86"]) if passes else program, file)
    return lite.load(file.getvalue())


LIMIT = """
Out: [sum] = reduce_sum(X: [x]) {reduce_all: bool true}
Out: [limit] = fill_constant() {shape: longs [1], value: float 20.0, dtype: int 5}
Out: [ok] = less_than(X: [sum], Y: [limit])
assert(Cond: [ok], Data: [sum, x]) {summarize: long 3}
"""


@pytest.mark.parametrize("passes", [True, False])
def test_an_assertion_is_checked_at_every_run(passes: bool) -> None:
    predictor = _load(LIMIT, passes)
    for _ in range(2):
        np.testing.assert_array_equal(predictor.run([X])["y"], 2 * X)
        with pytest.raises(LiteError, match=r"assert.*Cond is false.*\[30\].*\[3, 6, 9, \.\.\.\]"):
            predictor.run([3 * X])


@pytest.mark.parametrize("passes", [True, False])
def test_an_assertion_on_constants_is_checked(passes: bool) -> None:
    false = "Out: [no] = fill_constant() {shape: longs [1], value: float 0.0, dtype: int 0}"
    with pytest.raises(LiteError, match="Cond is false"):
        _load(false + "\nassert(Cond: [no])", passes).run([X])


@pytest.mark.parametrize("passes", [True, False])
def test_a_print_that_nobody_reads_prints(passes: bool, capfd: pytest.CaptureFixture[str]) -> None:
    predictor = _load('Out: [p] = print(In: [x]) {message: string "x is", first_n: int 2}', passes)
    for _ in range(3):
        np.testing.assert_array_equal(predictor.run([X])["y"], 2 * X)
    out = capfd.readouterr().out
    assert out.count("x is\n") == 2
    assert out.count("  - data: [1, 2, 3, 4]\n") == 2
