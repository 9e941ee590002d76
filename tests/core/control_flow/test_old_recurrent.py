"""Paddle 1's StaticRNN (`recurrent`) and DynamicRNN (rank tables), against plain numpy.

tests/models/old_recurrent.py has whole models of them, compared with Paddle.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from checking import program

import lite
from lite.errors import LiteError, ModelFormatError, ShapeError
from lite.model.load import load_program
from lite.model.naive_buffer import write_nb
from lite.model.pdmodel import write_pdmodel

RNG = np.random.default_rng(2)
X = RNG.standard_normal((7, 3)).astype("float32")


RECURRENT = """
outputs: [y], step_scopes: [s] = recurrent(inputs: [x], initial_states: [h]) {
  has_states: bool true, ex_states: strings ["before"], states: strings ["after"],
  sub_block: block 1, reverse: bool REVERSE}
"""
SUM = """
block 1 parent 0 {
  var x: lod_tensor fp32[3]
  var before: lod_tensor fp32[3]
  var after: lod_tensor fp32[3]
  var y: lod_tensor fp32[3]
  Out: [sum] = elementwise_add(X: [x], Y: [before]) {axis: int -1}
  Out: [after] = rnn_memory_helper(X: [sum])
  Out: [y] = scale(X: [after]) {scale: float 2.0}
}
"""
SUM_FEEDS = {"x": (-1, 3), "h": (3,)}


def static_rnn(old: str = "", new: str = "", reverse: bool = False) -> bytes:
    line = RECURRENT.replace("\n", " ").replace("REVERSE", str(reverse).lower())
    line, body = (part.replace(old, new) if old else part for part in (line, SUM))
    return write_pdmodel(program(line, SUM_FEEDS, ["y"], blocks=body))


@pytest.mark.parametrize("reverse", [False, True])
def test_static_rnn(reverse: bool) -> None:
    """A running sum, of any number of rows in one predictor, and as a `.nb`."""
    model = static_rnn(reverse=reverse)
    predictor, file = lite.load(model), io.BytesIO()
    write_nb(load_program(model_bytes=model), file)
    for rows in (7, 1, 4):
        x, h = X[:rows], X[0] * 3
        order = slice(None, None, -1 if reverse else 1)
        expected = 2 * (h + np.cumsum(x[order], axis=0))[order]
        for each in (predictor, lite.load(file.getvalue())):
            np.testing.assert_allclose(each.run({"x": x, "h": h})["y"], expected, rtol=1e-5)


def test_two_sequences() -> None:
    """They must be as long as each other."""
    lines = RECURRENT.replace("\n", " ").replace("inputs: [x]", "inputs: [x, z]")
    body = SUM.replace("var y:", "var z: lod_tensor fp32[3]\n  var y:")
    body = body.replace("Y: [before])", "Y: [z])")
    feeds = {**SUM_FEEDS, "z": (-1, 3)}
    lines = lines.replace("REVERSE", "false")
    predictor = lite.load(write_pdmodel(program(lines, feeds, ["y"], blocks=body)))
    made = predictor.run({"x": X, "h": X[0], "z": -2 * X})["y"]
    np.testing.assert_allclose(made, -2 * X, rtol=1e-6)
    for x, z in ((X[:3], X), (X, X[:3])):
        with pytest.raises(ShapeError, match="gather"):
            predictor.run({"x": x, "h": X[0], "z": z})


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("inputs: [x]", "inputs: []", "has no inputs"),
        ("initial_states: [h]", "initial_states: []", "0 initial_states, 1 ex_states"),
        ('states: strings ["after"]', 'states: string "after"', "expected names"),
        ("sub_block: block 1", "sub_block: block 7", "sub_block is 7, the program has 2 blocks"),
        ("sub_block: block 1", "sub_block: block 0", "sub_block is 0"),
        ('"after"]', '"nothing"]', "nothing"),
    ],
)
def test_static_rnns_that_are_none(old: str, new: str, message: str) -> None:
    with pytest.raises(ModelFormatError, match=message):
        lite.load(static_rnn(old, new))


TABLE = "Out: [table] = lod_rank_table(X: [x]) {level: int LEVEL}\n"
SENTENCES = [[0, 2, 3, 7]]


def ranked(lines: str, fetch: str, level: int = 0, **feeds: Any) -> Any:
    kinds = {"x": (-1, 3), **feeds}
    lines = TABLE.replace("LEVEL", str(level)) + lines
    return lite.load(write_pdmodel(program(lines, kinds, [fetch])))


def test_rank_tables() -> None:
    """The longest first, those of one length in their order."""
    predictor = ranked("", "table")
    assert predictor.run({"x": (X, [[0, 2, 2, 5, 7]])})["table"].tolist() == [
        [2, 3], [0, 2], [3, 2], [1, 0],
    ]  # fmt: skip
    longest = ranked("Out: [n] = max_sequence_len(RankTable: [table])", "n")
    assert longest.run({"x": (X, SENTENCES)})["n"].tolist() == [4]
    assert longest.run({"x": (X[:0], [[0]])})["n"].tolist() == [0]


STEP = """
Out: [list] = lod_tensor_to_array(X: [x], RankTable: [table])
Out: [item] = read_from_array(X: [list], I: [i])
"""


def test_steps_of_sentences() -> None:
    predictor = ranked(STEP, "item", i=("int64", (1,)))
    for step, rows in enumerate(([3, 0, 2], [4, 1], [5], [6])):
        made = predictor.run({"x": (X, SENTENCES), "i": np.array([step])})["item"]
        np.testing.assert_array_equal(made, X[rows])


def test_steps_of_documents() -> None:
    """Parts of the upper level are sentences, whose words stay together."""
    lod = [[0, 1, 3], [0, 2, 3, 7]]
    predictor = ranked(STEP, "item", i=("int64", (1,)))
    made = predictor.run({"x": (X, lod), "i": np.array([0])})["item"]
    np.testing.assert_array_equal(made, X[[2, 0, 1]])
    assert predictor.lod("item") == [[0, 1, 3]]
    words = ranked(STEP, "item", 1, i=("int64", (1,)))
    made = words.run({"x": (X, lod), "i": np.array([1])})["item"]
    np.testing.assert_array_equal(made, X[[4, 1]])


@pytest.mark.parametrize("level, lod", [(0, SENTENCES), (0, [[0, 1, 3], [0, 2, 3, 7]]),
                                        (1, [[0, 1, 3], [0, 2, 3, 7]])])  # fmt: skip
def test_there_and_back(level: int, lod: list[list[int]]) -> None:
    lines = """
    Out: [list] = lod_tensor_to_array(X: [x], RankTable: [table])
    Out: [y] = array_to_lod_tensor(X: [list], RankTable: [table])
    """
    predictor = ranked(lines, "y", level)
    np.testing.assert_array_equal(predictor.run({"x": (X, lod)})["y"], X)
    assert predictor.lod("y") == lod


def test_what_still_runs() -> None:
    lines = "Out: [y] = shrink_rnn_memory(X: [h], RankTable: [table], I: [i])"
    predictor = ranked(lines, "y", h=(-1, 2), i=("int64", (1,)))
    h = X[:3, :2]
    for step, count in enumerate((3, 2, 1, 1, 0)):
        feeds = {"x": (X, SENTENCES), "h": h, "i": np.array([step])}
        np.testing.assert_array_equal(predictor.run(feeds)["y"], h[:count])
    short = {"x": (X, SENTENCES), "h": h[:2], "i": np.array([0])}
    with pytest.raises(ShapeError, match="row 2 is read"):
        predictor.run(short)


def test_in_the_order_of_the_table() -> None:
    line = "Out: [y] = reorder_lod_tensor_by_rank(X: [h], RankTable: [table])"
    predictor = ranked(line, "y", h=(-1, 3))
    made = predictor.run({"x": (X, SENTENCES), "h": X[:3]})["y"]
    np.testing.assert_array_equal(made, X[[2, 0, 1]])
    made = predictor.run({"x": (X, SENTENCES), "h": (X[:5], [[0, 1, 3, 5]])})["y"]
    np.testing.assert_array_equal(made, X[[3, 4, 0, 1, 2]])
    assert predictor.lod("y") == [[0, 2, 3, 5]]
    with pytest.raises(ShapeError, match="has 2 sequences, RankTable 3"):
        predictor.run({"x": (X, SENTENCES), "h": X[:2]})


def test_what_is_no_rank_table() -> None:
    line = "Out: [y] = reorder_lod_tensor_by_rank(X: [x], RankTable: [t])"
    kinds = {"x": (-1, 3), "t": ("int64", (-1, 2))}
    predictor = lite.load(write_pdmodel(program(line, kinds, ["y"])))
    good = np.array([[1, 2], [0, 1]])
    assert predictor.run({"x": X[:2], "t": good})["y"].shape == (2, 3)
    for wrong in ([[1, 2], [1, 1]], [[1, 1], [0, 2]], [[2, 2], [0, 1]], [[1, 2], [0, -1]]):
        with pytest.raises(ShapeError, match="of input RankTable is"):
            predictor.run({"x": X[:2], "t": np.array(wrong)})
    with pytest.raises(ShapeError, match="level is 0, input X has a LoD of 0"):
        ranked("", "table").run({"x": X})
    with pytest.raises(LiteError, match="there are no sequences"):
        lines = """
        Out: [list] = lod_tensor_to_array(X: [x], RankTable: [table])
        Out: [y] = array_to_lod_tensor(X: [list], RankTable: [table])
        """
        ranked(lines, "y").run({"x": (X[:0], [[0, 0]])})
