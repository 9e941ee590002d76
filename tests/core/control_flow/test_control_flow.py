"""Loops, branches and lists of tensors in small programs, against plain numpy, and their errors.

tests/models/control_flow.py has whole models, compared with Paddle.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import lite
from lite.core.optimizer import optimize
from lite.errors import DataTypeError, LiteError, ModelFormatError, ShapeError
from lite.model.naive_buffer import write_nb
from lite.model.text import parse_program

W = np.random.default_rng(0).standard_normal((4, 4)).astype("float32") / 2
X = np.random.default_rng(1).standard_normal((3, 4)).astype("float32")


def nb(
    lines: str,
    fetch: Sequence[str],
    feeds: Mapping[str, str],
    blocks: str = "",
    lists: Sequence[str] = (),
    passes: bool = True,
) -> bytes:
    """A `.nb` file; feeds are given as ``{"x": "fp32[-1,4]"}``, w is a parameter."""
    text = ["program version 2006002", "block 0 parent -1 {", "  var feed: feed_minibatch"]
    text += ["  var fetch: fetch_list", "  var w: lod_tensor fp32[4,4] persistable"]
    text += [f"  var {name}: lod_tensor {kind}" for name, kind in feeds.items()]
    text += [f"  var {name}: lod_tensor_array fp32[-1,4]" for name in lists]
    for col, name in enumerate(feeds):
        text.append(f"  Out: [{name}] = feed(X: [feed]) {{col: int {col}}}")
    text.append(lines)
    for col, name in enumerate(fetch):
        text.append(f"  Out: [fetch] = fetch(X: [{name}]) {{col: int {col}}}")
    program = parse_program("\n".join([*text, "}", blocks]), {"w": W})
    file = io.BytesIO()
    write_nb(optimize(program, ["x86"]) if passes else program, file)
    return file.getvalue()


def run(file: bytes, *feeds: np.ndarray, **options: Any) -> list[np.ndarray]:
    return list(lite.load(file, **options).run(list(feeds)).values())


NUMBERS = """
Out: [i] = fill_constant() {shape: longs [1], value: float 0.0, dtype: int 3}
Out: [one] = fill_constant() {shape: longs [1], value: float 1.0, dtype: int 3}
"""
LOOP = (
    NUMBERS
    + """
Out: [h] = scale(X: [x]) {scale: float 1.0}
Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
Out: [h, i, go], StepScopes: [ss] = while(X: [h, i, n, w], Condition: [go]) {sub_block: block 1}
"""
)
BODY = """
block 1 parent 0 {
  Out: [m] = matmul_v2(X: [h], Y: [w])
  Out: [h] = tanh(X: [m])
  Out: [i] = increment(X: [i]) {step: float 1.0}
  Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
}
"""
COUNTED = {"x": "fp32[-1,4]", "n": "int64[1]"}


def powers(x: np.ndarray, n: int) -> np.ndarray:
    for _ in range(n):
        x = np.tanh(x @ W)
    return x


def count(n: int) -> np.ndarray:
    return np.array([n], "int64")


@pytest.fixture
def loop_limit() -> Iterator[None]:
    yield
    lite.set_loop_limit(0)


@pytest.mark.parametrize("passes", [True, False])
@pytest.mark.parametrize("options", [{}, {"devices": ["builtin_device"]}])
def test_a_loop_runs_as_often_as_its_condition_says(passes: bool, options: Any) -> None:
    predictor = lite.load(nb(LOOP, ["h", "i"], COUNTED, BODY, passes=passes), **options)
    for n in (3, 0, 1, 50, 3):
        h, i = predictor.run([X, count(n)]).values()
        np.testing.assert_allclose(h, powers(X, n), rtol=1e-5, atol=1e-6)
        assert i.tolist() == [n]


def test_a_result_does_not_change_with_the_next_run() -> None:
    predictor = lite.load(nb(LOOP, ["h"], COUNTED, BODY))
    x = X.copy()
    first = next(iter(predictor.run([x, count(0)]).values()))
    second = next(iter(predictor.run([x, count(2)]).values()))
    x[:] = 0
    predictor.run([x, count(1)])
    np.testing.assert_array_equal(first, X)
    np.testing.assert_allclose(second, powers(X, 2), rtol=1e-5, atol=1e-6)


def test_clones_side_by_side() -> None:
    predictor = lite.load(nb(LOOP, ["h"], COUNTED, BODY))
    wrong: list[int] = []

    def work(number: int, mine: lite.Predictor) -> None:
        for n in range(20):
            x = X + number
            (h,) = mine.run([x, count(n % 5)]).values()
            if not np.allclose(h, powers(x, n % 5), atol=1e-5):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(i, predictor.clone())) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_loop_that_does_not_end(loop_limit: None) -> None:
    lite.set_loop_limit(1000)
    assert lite.loop_limit() == 1000
    predictor = lite.load(nb(LOOP, ["h"], COUNTED, BODY))
    with pytest.raises(LiteError, match=r"while.* 1000 times.*set_loop_limit"):
        predictor.run([X, count(1001)])
    (h,) = predictor.run([X, count(2)]).values()
    np.testing.assert_allclose(h, powers(X, 2), rtol=1e-5, atol=1e-6)


def test_loops_within_each_other_share_the_limit(loop_limit: None) -> None:
    inner = BODY.replace("block 1 parent 0", "block 2 parent 1")
    outer = """
block 1 parent 0 {
  Out: [i] = scale(X: [i]) {scale: float 0.0}
  Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
  Out: [h, i, go], StepScopes: [s2] = while(X: [h, i, n, w], Condition: [go]) {sub_block: block 2}
  Out: [go] = less_than(X: [one], Y: [n]) {axis: int -1}
}
"""
    file = nb(LOOP, ["h"], COUNTED, outer + inner)
    lite.set_loop_limit(500)
    with pytest.raises(LiteError, match="500 times"):
        run(file, X, count(100))
    (h,) = run(file, X, count(1))
    np.testing.assert_allclose(h, powers(X, 1), rtol=1e-5, atol=1e-6)


def test_a_limit_that_is_none() -> None:
    for limit in (-1, 1 << 62):
        with pytest.raises(ValueError, match="loop limit"):
            lite.set_loop_limit(limit)
    assert lite.loop_limit() == 2**20


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ("  Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}\n}", "}", "writes its condition"),
        ("Y: [w]", "Y: [nowhere]", "before anything writes them: 'nowhere'"),
        ("Out: [h] = tanh(X: [m])", "Out: [h] = feed(X: [feed]) {col: int 0}", "feed or fetch"),
    ],
)
def test_blocks_that_cannot_be(before: str, after: str, text: str) -> None:
    assert before in BODY
    with pytest.raises(ModelFormatError, match=text):
        run(nb(LOOP, ["h"], COUNTED, BODY.replace(before, after), passes=False), X, count(1))


def test_a_condition_of_two_elements() -> None:
    file = nb(LOOP, ["h"], {**COUNTED, "n": "int64[-1]"}, BODY)
    with pytest.raises(ShapeError, match=r"while.*the condition has shape \[2\]"):
        run(file, X, np.array([1, 2]))


BRANCH = """
Out: [zero] = fill_constant() {shape: longs [1], value: float 0.0, dtype: int 5}
Out: [p] = less_than(X: [zero], Y: [flag]) {axis: int -1}
Out: [u], Scope: [c1] = conditional_block(Cond: [p], Input: [x, w]) {
  sub_block: block 1, is_scalar_condition: bool true}
"""
ARM = """
block 1 parent 0 {
  Out: [m] = matmul_v2(X: [x], Y: [w])
  Out: [u] = relu(X: [m])
}
"""
FLAGGED = {"x": "fp32[-1,4]", "flag": "fp32[1]"}
YES, NO = np.ones(1, "float32"), -np.ones(1, "float32")


@pytest.mark.parametrize("use", ["Out: [y] = scale(X: [u]) {scale: float 2.0}", ""])
def test_what_a_branch_that_was_not_taken_would_have_written(use: str) -> None:
    predictor = lite.load(nb(BRANCH + use, ["y" if use else "u"], FLAGGED, ARM))
    wanted = np.maximum(X @ W, 0) * (2 if use else 1)
    for _ in range(2):
        (y,) = predictor.run([X, YES]).values()
        np.testing.assert_allclose(y, wanted, rtol=1e-5, atol=1e-6)
        with pytest.raises(LiteError, match="no branch that writes it was taken"):
            predictor.run([X, NO])


def test_what_was_there_before_stays() -> None:
    lines = "Out: [u] = scale(X: [x]) {scale: float 3.0}\n" + BRANCH
    predictor = lite.load(nb(lines, ["u"], FLAGGED, ARM))
    for flag, wanted in ((YES, np.maximum(X @ W, 0)), (NO, X * 3), (YES, np.maximum(X @ W, 0))):
        (u,) = predictor.run([X, flag]).values()
        np.testing.assert_allclose(u, wanted, rtol=1e-5, atol=1e-6)


def test_a_branch_on_tensors_that_are_empty_or_not() -> None:
    lines = "Out: [u] = scale(X: [x]) {scale: float 3.0}\n" + BRANCH.replace(
        ", is_scalar_condition: bool true", ""
    )
    predictor = lite.load(nb(lines, ["u"], {**FLAGGED, "flag": "fp32[-1]"}, ARM))
    (u,) = predictor.run([X, np.zeros(2, "float32")]).values()
    np.testing.assert_allclose(u, np.maximum(X @ W, 0), rtol=1e-5, atol=1e-6)
    (u,) = predictor.run([X, np.zeros(0, "float32")]).values()
    np.testing.assert_allclose(u, X * 3, rtol=1e-6)


def test_select_input_beyond_its_inputs() -> None:
    lines = """
Out: [m] = cast(X: [flag]) {in_dtype: int 5, out_dtype: int 2}
Out: [y] = select_input(X: [x, x], Mask: [m])
"""
    file = nb(lines, ["y"], FLAGGED)
    np.testing.assert_array_equal(run(file, X, YES)[0], X)
    for mask in (2, -1):
        with pytest.raises(ShapeError, match=f"Mask is {mask}, but X has 2"):
            run(file, X, np.full(1, mask, "float32"))


LIST = (
    NUMBERS
    + """
Out: [l] = write_to_array(X: [x], I: [i])
Out: [x2] = scale(X: [x]) {scale: float 2.0}
Out: [l] = write_to_array(X: [x2], I: [one])
"""
)
INDEXED = {"x": "fp32[-1,4]", "at": "int64[1]"}


def test_lists() -> None:
    lines = (
        LIST
        + """
Out: [k] = assign(X: [l])
Out: [x3] = scale(X: [x]) {scale: float 3.0}
Out: [k] = write_to_array(X: [x3], I: [i])
Out: [read] = read_from_array(X: [k], I: [at])
Out: [n] = lod_array_length(X: [k])
Out: [joined], OutIndex: [sizes] = tensor_array_to_tensor(X: [l]) {
  axis: int 1, use_stack: bool false}
Out: [stacked] = tensor_array_to_tensor(X: [k]) {axis: int -1, use_stack: bool true}
Out: [part] = slice(Input: [k]) {
  axes: ints [0], starts: ints [-1], ends: ints [9], decrease_axis: ints []}
Out: [m] = lod_array_length(X: [part])
Out: [last] = slice(Input: [k]) {
  axes: ints [0], starts: ints [-1], ends: ints [9], decrease_axis: ints [0]}
"""
    )
    fetch = ["read", "n", "joined", "sizes", "stacked", "m", "last"]
    predictor = lite.load(nb(lines, fetch, INDEXED, lists=["l", "k", "part"]))
    for at in (0, 1, 0):
        read, n, joined, sizes, stacked, m, last = predictor.run([X, count(at)]).values()
        np.testing.assert_array_equal(read, X * (3 - at))
        assert (n.tolist(), m.tolist(), sizes.tolist()) == ([2], [1], [4, 4])
        np.testing.assert_array_equal(joined, np.concatenate([X, X * 2], 1))
        np.testing.assert_array_equal(stacked, np.stack([X * 3, X * 2], -1))
        np.testing.assert_array_equal(last, X * 2)


@pytest.mark.parametrize(
    ("line", "fetch", "error", "text"),
    [
        ("", "l", DataTypeError, "output 0.*is a list of tensors"),
        ("Out: [y] = relu(X: [l])", "y", DataTypeError, "input X is a list of tensors, which relu"),
        ("Out: [y] = lod_array_length(X: [x])", "y", DataTypeError, "expected a list"),
        ("Out: [y] = read_from_array(X: [l], I: [at])", "y", ShapeError, "I is 2, but the list"),
        ("Out: [l] = write_to_array(X: [l], I: [i])", "x2", DataTypeError, "X is a list"),
        (
            "Out: [l] = write_to_array(X: [x], I: [at])\n"
            "Out: [y] = tensor_array_to_tensor(X: [l]) {axis: int 2, use_stack: bool false}",
            *("y", ShapeError, "axis is 2"),
        ),
        (
            "Out: [s] = shape(Input: [x])\nOut: [l] = write_to_array(X: [s], I: [at])\n"
            "Out: [y] = tensor_array_to_tensor(X: [l]) {axis: int 0, use_stack: bool false}",
            *("y", ShapeError, "tensor 2 of the list X is int32"),
        ),
    ],
)
def test_lists_that_do_not_fit(line: str, fetch: str, error: type[LiteError], text: str) -> None:
    file = nb(LIST + line, [fetch], INDEXED, lists=["l"], passes=False)
    with pytest.raises(error, match=text):
        run(file, X, count(2))


POP = """
array_out: [l], out: [y] = array_pop(array: [l]) {index: int INDEX}
Out: [n] = lod_array_length(X: [l])
Out: [left] = read_from_array(X: [l], I: [i])
"""


@pytest.mark.parametrize("index", [0, 1, -1, -2])
def test_taking_a_tensor_out_of_a_list(index: int) -> None:
    lines = LIST + POP.replace("INDEX", str(index))
    y, n, left = run(nb(lines, ["y", "n", "left"], {"x": "fp32[-1,4]"}, lists=["l"]), X)
    first = index in (0, -2)
    np.testing.assert_array_equal(y, X if first else X * 2)
    np.testing.assert_array_equal(left, X * 2 if first else X)
    assert n.tolist() == [1]


@pytest.mark.parametrize("index", [2, -3])
def test_taking_what_a_list_does_not_have(index: int) -> None:
    file = nb(LIST + POP.replace("INDEX", str(index)), ["y"], {"x": "fp32[-1,4]"}, lists=["l"])
    with pytest.raises(ShapeError, match=f"index is {index}, but the list array has 2"):
        run(file, X)


BEAM_STEPS = (  # what five steps of beam_search selected: LoD, words
    ([[0, 1, 2], [0, 1, 2]], [0, 0]),
    ([[0, 1, 2], [0, 2, 4]], [2, 3, 4, 5]),
    ([[0, 2, 4], [0, 2, 2, 4, 4]], [3, 1, 5, 4]),
    ([[0, 2, 4], [0, 1, 2, 3, 4]], [1, 1, 3, 5]),
    ([[0, 2, 4], [0, 0, 0, 2, 2]], [5, 1]),
)
BEAM_IDS = [0, 2, 1, 0, 2, 3, 1, 0, 4, 5, 3, 5, 0, 4, 5, 3, 1]
BEAM_SCORES = [0, 2.1, 1.31, 0, 2.1, 3.2, 1.3, 0.01, 4.12, 5.22, 3.32, 5.4]
BEAM_SCORES += [0.01, 4.12, 5.22, 3.32, 1.41]
BEAM_LOD = [[0, 2, 4], [0, 3, 7, 12, 17]]
"""Paddle 2.6.2's sentences of the end 1, of scores word + 0.1 * step + 0.01 * place."""


def decoder() -> lite.Predictor:
    feeds, lines = {}, ""
    for step in range(len(BEAM_STEPS)):
        feeds |= {f"ids{step}": "int64[-1,1]", f"scores{step}": "fp32[-1,1]"}
        lines += (
            f"Out: [at{step}] = fill_constant() "
            f"{{shape: longs [1], value: float {step}.0, dtype: int 3}}\n"
            f"Out: [ids] = write_to_array(X: [ids{step}], I: [at{step}])\n"
            f"Out: [scores] = write_to_array(X: [scores{step}], I: [at{step}])\n"
        )
    lines += (
        "SentenceIds: [words], SentenceScores: [values] = "
        "beam_search_decode(Ids: [ids], Scores: [scores]) {beam_size: int 2, end_id: int 1}"
    )
    return lite.load(nb(lines, ["words", "values"], feeds, lists=["ids", "scores"]))


def beam_feeds() -> dict[str, Any]:
    feeds: dict[str, Any] = {}
    for step, (lod, words) in enumerate(BEAM_STEPS):
        scores = [word + 0.1 * step + 0.01 * place for place, word in enumerate(words)]
        feeds[f"ids{step}"] = np.array(words, "int64")[:, None], lod
        feeds[f"scores{step}"] = np.array(scores, "float32")[:, None], lod
    return feeds


def test_sentences_of_a_beam_search() -> None:
    predictor = decoder()
    made = predictor.run(beam_feeds())
    assert made["words"].tolist() == BEAM_IDS
    np.testing.assert_allclose(made["values"], BEAM_SCORES, atol=1e-5)
    assert predictor.lod("words") == predictor.lod("values") == BEAM_LOD


@pytest.mark.parametrize(
    ("step", "lod", "text"),
    [
        (4, [[0, 2]], "1 levels of LoD"),
        (4, [[0, 2], [0, 1, 2]], "1 source sentences, expected 2"),
        (2, [[0, 2, 4], [0, 3, 3, 4, 4]], "names word 2"),
    ],
)
def test_sentences_of_steps_that_do_not_fit(step: int, lod: list[list[int]], text: str) -> None:
    feeds = beam_feeds()
    for name in ("ids", "scores"):
        feeds[f"{name}{step}"] = feeds[f"{name}{step}"][0], lod
    with pytest.raises(ShapeError, match=text):
        decoder().run(feeds)


def test_positions_of_a_list_that_nothing_has_written() -> None:
    line = (
        "Out: [l] = write_to_array(X: [x], I: [at])\nOut: [y] = read_from_array(X: [l], I: [two])"
    )
    two = "Out: [two] = fill_constant() {shape: longs [1], value: float 2.0, dtype: int 3}\n"
    file = nb(LIST + two + line, ["y"], INDEXED, lists=["l"])
    np.testing.assert_array_equal(run(file, X, count(2))[0], X)
    with pytest.raises(LiteError, match="position 2 of the list X has not been written"):
        run(file, X, count(5))
    for at in (-1, 1 << 61, (1 << 63) - 1):
        with pytest.raises(LiteError, match=r"I is -1|no position|memory"):
            run(file, X, count(at))


def test_a_list_that_grows_beyond_the_memory_limit() -> None:
    lines = LOOP.replace("n, w]", "n, w, l]").replace("i, go]", "i, go, l]")
    write = "  Out: [l] = write_to_array(X: [h], I: [i])\n  Out: [i] = inc"
    length = "Out: [y] = lod_array_length(X: [l])"
    file = nb(lines + length, ["y"], COUNTED, BODY.replace("  Out: [i] = inc", write), lists=["l"])
    x = np.zeros((1 << 16, 4), "float32")
    predictor = lite.load(file)
    lite.set_memory_limit(200 << 20)
    try:
        assert predictor.run([x, count(100)])["y"].tolist() == [100]
        with pytest.raises(LiteError, match=r"a list of tensors needs .* set_memory_limit"):
            predictor.run([x, count(400)])
    finally:
        lite.set_memory_limit(0)


def test_a_list_that_grows_in_a_loop_quickly() -> None:
    lines = LOOP.replace("X: [h, i, n, w]", "X: [h, i, n, w, l]").replace(
        "Out: [h, i, go]", "Out: [h, i, go, l]"
    )
    body = BODY.replace(
        "  Out: [i] = inc", "  Out: [l] = write_to_array(X: [h], I: [i])\n  Out: [i] = inc"
    )
    stack = "Out: [y] = tensor_array_to_tensor(X: [l]) {axis: int 0, use_stack: bool true}"
    predictor = lite.load(nb(lines + stack, ["y"], COUNTED, body, lists=["l"]))
    for n in (3, 20000, 1):
        (y,) = predictor.run([X, count(n)]).values()
        assert y.shape == (n, 3, 4)
        np.testing.assert_allclose(
            y[:3], [powers(X, k + 1) for k in range(min(n, 3))], rtol=1e-5, atol=1e-6
        )
    with pytest.raises(ShapeError, match="no tensors"):
        predictor.run([X, count(0)])
