"""Weights of products in blocks of 4 bits: which, how exactly, and what runs of the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from checking import program, rand, types

import lite
from lite.core.optimizer import optimize
from lite.model.naive_buffer import read_nb, write_nb_file
from lite.model.program import OpDesc, Program

CONV = "strides: ints [1, 1], paddings: ints [1, 1], dilations: ints [1, 1], groups: int 1"
BODY = f"""
    Output: [c] = conv2d(Input: [x], Filter: [w1]) {{{CONV}}}
    Out: [r], XShape: [s] = reshape2(X: [c]) {{shape: ints [0, -1]}}
    Out: [k] = matmul_v2(X: [r], Y: [w5])
    Out: [j] = elementwise_add(X: [k], Y: [b5]) {{axis: int -1}}
    Out: [l] = tanh(X: [j])
    Out: [m] = matmul_v2(X: [l], Y: [w2])
    Out: [n] = elementwise_add(X: [m], Y: [b]) {{axis: int -1}}
    Out: [o] = matmul_v2(X: [n], Y: [w3]) {{trans_y: bool true}}
    Out: [p] = mul(X: [o], Y: [w4]) {{x_num_col_dims: int 1, y_num_col_dims: int 1}}
    Out: [y] = matmul_v2(X: [o], Y: [odd])
    """


def net() -> Program:
    weights = {
        "w1": rand(4, 3, 3, 3), "w2": rand(144, 40), "b": rand(40), "w3": rand(50, 40),
        "w4": rand(50, 33), "odd": rand(50, 8), "w5": rand(144, 144), "b5": rand(144),
    }  # fmt: skip
    weights["w2"][:, 3] = 0
    weights["odd"][3, 3] = np.inf
    return program(BODY, {"x": (1, 3, 6, 6)}, ["p", "y"], weights)


def numbers(of: Program, op: OpDesc) -> np.ndarray[Any, Any]:
    """The matrix that the integers of a product stand for."""
    packed, scales = (of.params[op.inputs[slot][0]] for slot in ("Y", "Scales"))
    steps = np.stack([packed & 15, packed >> 4], -1).reshape(*packed.shape[:2], -1)
    made = (steps.astype("float32") - 8) * scales.T[..., None]
    return made.reshape(packed.shape[0], -1).T


def test_which_weights_and_how_exactly() -> None:
    before = net()
    after = optimize(before, weight_bits=4)
    made = [op for op in after.root.ops if op.type == "matmul_nbits"]
    assert types(after).count("matmul_nbits") == len(made) == 3
    assert after.params["w1"].dtype == np.int8  # a convolution's
    assert after.params["w5"].dtype == np.int8  # of an image as a row
    assert after.params["odd"].dtype == np.float32
    for op, name in zip(made, ("w2", "w3", "w4"), strict=True):
        weight = before.params[name].T if name == "w3" else before.params[name]
        stored = numbers(after, op)[: weight.shape[0]]
        largest = np.abs(weight).max(0)
        assert (np.abs(stored - weight) <= largest / 8 + 1e-6).all()
    assert made[0].inputs["Bias"]


def test_a_file_of_it_runs(tmp_path: Path) -> None:
    after = optimize(net(), weight_bits=4)
    path = str(tmp_path / "m.nb")
    write_nb_file(after, path)
    again = read_nb(path)
    first = next(op for op in again.root.ops if op.type == "matmul_nbits")
    assert again.params[first.inputs["Y"][0]].dtype == np.uint8
    x = rand(1, 3, 6, 6)
    whole = lite.load(path).run([x])
    assert whole["p"].shape == (1, 33)


def test_products_of_other_dimensions_stay() -> None:
    body = "Out: [y] = mul(X: [x], Y: [w]) {x_num_col_dims: int 1, y_num_col_dims: int 1}"
    before = program(body, {"x": (2, 8, 8)}, ["y"], {"w": rand(64, 5)})
    after = optimize(before, weight_bits=4)
    assert "matmul_nbits" not in types(after)
    assert after.params["w"].dtype == np.int8


@pytest.mark.parametrize("attrs", ["trans_x: bool true", ""])
def test_columns_as_rows_stay(attrs: str) -> None:
    before = program(
        f"Out: [y] = matmul_v2(X: [x], Y: [w]) {{{attrs}}}",
        {"x": (64, 64)},
        ["y"],
        {"w": rand(64, 5)},
    )
    assert ("matmul_nbits" in types(optimize(before, weight_bits=4))) == (not attrs)
