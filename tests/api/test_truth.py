"""Bools with other bytes than 0 and 1: any but 0 is true, whichever way they came in."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from api.tiny_models import DTYPES

import lite
from lite.api.build import Source, make_core
from lite.api.devices import DeviceOptions
from lite.core.optimizer import optimize
from lite.model.naive_buffer.writer import write_nb
from lite.model.program import Program
from lite.model.text import parse_program

GIVEN = np.array([[0, 1, 2, 255], [128, 0, 4, 3]], np.uint8).view(np.bool_)
OTHER = np.array([2, 0, 4, 255], np.uint8).view(np.bool_)


def plain(array: Any) -> Any:
    return array.view(np.uint8) != 0


EXPECTED = (plain(GIVEN) & plain(OTHER)).astype(np.float32)


def program(operators: str, fetched: str = "y") -> Program:
    lines = [
        "program version 2006002",
        "block 0 parent -1 {",
        "var feed: feed_minibatch",
        "var fetch: fetch_list",
        "var p: lod_tensor bool[4] persistable",
        "var x: lod_tensor bool[-1,4]",
        "Out: [x] = feed(X: [feed]) {col: int 0}",
        operators,
        f"Out: [fetch] = fetch(X: [{fetched}]) {{col: int 0}}",
        "}",
    ]
    return parse_program("\n".join(lines), {"p": OTHER})


CAST = f"{{in_dtype: int {int(DTYPES['bool'])}, out_dtype: int {int(DTYPES['float32'])}}}"
BOTH = f"Out: [t] = logical_and(X: [x], Y: [p])\nOut: [y] = cast(X: [t]) {CAST}"


def file_of(model: Program) -> bytes:
    file = io.BytesIO()
    write_nb(optimize(model), file)
    return file.getvalue()


def bytes_of(array: Any) -> set[int]:
    return set(np.ascontiguousarray(array).view(np.uint8).ravel().tolist())


def test_input_and_parameter_of_a_file() -> None:
    before = GIVEN.view(np.uint8).copy()
    predictor = lite.load(file_of(program(BOTH)))
    np.testing.assert_array_equal(predictor.run([GIVEN])["y"], EXPECTED)
    np.testing.assert_array_equal(GIVEN.view(np.uint8), before)


@pytest.mark.parametrize("devices", [(), ("builtin_device",), ("python",)])
def test_input_and_parameter_in_memory(devices: tuple[str, ...]) -> None:
    source = Source(devices=DeviceOptions(devices))
    core = make_core(source.optimize(program(BOTH))[0], source.core_settings())
    assert bool(core.device_reports()) == bool(devices)
    ((result, _),) = core.run_with([(GIVEN, [])])
    np.testing.assert_array_equal(result, EXPECTED)


@pytest.mark.parametrize("name", ["assign", "reshape"])
def test_an_input_that_is_the_output(name: str) -> None:
    operators = {
        "assign": "Out: [y] = assign(X: [x])",
        "reshape": "Out: [y], XShape: [s] = reshape2(X: [x]) {shape: ints [4, 2]}",
    }
    predictor = lite.load(file_of(program(operators[name])))
    result = predictor.run([GIVEN])["y"]
    assert bytes_of(result) == {0, 1}
    np.testing.assert_array_equal(result.ravel(), plain(GIVEN).ravel())


@pytest.fixture
def operator() -> Iterator[None]:
    @lite.operator("other_truth", inputs=["X"])
    def other_truth(x: Any) -> Any:
        return (x.astype(np.uint8) * 8).view(np.bool_)

    yield
    lite.remove_operator("other_truth")


def test_an_operator_of_the_users(operator: None) -> None:
    predictor = lite.load(file_of(program("Out: [y] = other_truth(X: [x])")))
    result = predictor.run([GIVEN])["y"]
    assert bytes_of(result) == {0, 1}
    np.testing.assert_array_equal(result, plain(GIVEN))
