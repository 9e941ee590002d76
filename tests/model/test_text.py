"""The text form of operators and programs."""

from __future__ import annotations

import math
import os
import random

import numpy as np
import pytest
from model.samples import NAMES, VALUES, odd_program

from lite.errors import ModelFormatError
from lite.model.program import Attr, AttrType, OpDesc, Program
from lite.model.text import parse_op, parse_program, print_op, print_program


def test_every_attribute_type_has_values() -> None:
    assert set(VALUES) == set(AttrType)


@pytest.mark.parametrize("type", AttrType)
def test_attributes_round_trip_exactly(type: AttrType) -> None:
    for value in VALUES[type]:
        op = OpDesc("some_op", attrs={"a": Attr(type, value), "b c": Attr(AttrType.INT, 1)})
        parsed = parse_op(print_op(op))
        assert parsed == op
        assert repr(parsed.attrs["a"]) == repr(op.attrs["a"])


def test_every_float32_that_was_tried_round_trips() -> None:
    bits = np.random.default_rng(1).integers(0, 2**32, 2000, dtype=np.uint32).view(np.float32)
    values = [float(value) for value in bits if math.isfinite(value)]
    op = OpDesc("some_op", attrs={"a": Attr(AttrType.FLOATS, values)})
    assert parse_op(print_op(op)) == op


def test_not_a_number_round_trips() -> None:
    op = parse_op(print_op(OpDesc("some_op", attrs={"a": Attr(AttrType.FLOAT, math.nan)})))
    assert math.isnan(op.attr("a"))


def test_every_name_may_stand_everywhere() -> None:
    for name in NAMES:
        op = OpDesc(name, {name: [name, name]}, {name: NAMES}, {name: Attr(AttrType.INT, 1)})
        assert parse_op(print_op(op)) == op


def test_the_documented_form() -> None:
    attrs = '{shape: ints [1, -1], name: string "a b"}'
    line = f"Out: [y], XShape: [s] = reshape2(X: [x], Shape: []) {attrs}"
    op = parse_op(line)
    assert op == OpDesc(
        "reshape2",
        {"X": ["x"], "Shape": []},
        {"Out": ["y"], "XShape": ["s"]},
        {"shape": Attr(AttrType.INTS, [1, -1]), "name": Attr(AttrType.STRING, "a b")},
    )
    assert print_op(op) == line
    assert print_op(parse_op(" print( In :[a] ) # comment ")) == "print(In: [a])"
    assert parse_op("target relu(\n  X: [a],  # first\n  Y: [b]\n)").is_target
    assert parse_op("target: [a] = target()") == OpDesc("target", {}, {"target": ["a"]})


def _program() -> Program:
    program = odd_program()
    program.params = {"w": np.zeros((13, 1), np.float32), "a:b": np.zeros((), np.int8)}
    return program


def test_programs_round_trip() -> None:
    program = _program()
    text = print_program(program)
    assert parse_program(text) == program
    again = parse_program(text, program.params)
    assert again == program and print_program(again) == text
    assert again.params["w"] is program.params["w"]


def test_operators_come_first() -> None:
    lines = [line.strip() for line in print_program(_program()).splitlines()]
    starts = [line.partition(" ")[0] for line in lines if not line.startswith("block")]
    assert lines[1].startswith("block") and starts[1] not in ("var", "op_version", "param")
    assert starts.index("op_version") > len(starts) - 1 - starts[::-1].index("param")


def test_equality_sees_everything_but_parameters() -> None:
    text = print_program(_program())
    assert parse_program(text) != parse_program(text.replace("2006002", "0"))
    assert parse_program(text) != parse_program(text.replace("conv2d: 1", "conv2d: 2"))
    assert parse_program(text) != parse_program(
        text.replace("sub_block: block 1", "sub_block: int 1")
    )
    assert parse_program(text) != parse_program(text.replace("forward 7 ", ""))


def test_given_parameters_must_fit_the_text() -> None:
    text = print_program(_program())
    with pytest.raises(ModelFormatError, match=r"'w', which is fp32\[13, 2\]"):
        parse_program(text, {"w": np.zeros((13, 2), np.float32)})
    with pytest.raises(ModelFormatError, match=r"'w', which is fp64"):
        parse_program(text, {"w": np.zeros((13, 1))})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "column 1: expected an operator, found the end"),
        ("relu", "column 5: expected '('"),
        ("relu(", "expected an input slot"),
        ("relu(X: [a]", "expected ')' or ','"),
        ("relu(X: [a)", "expected ']' or ','"),
        ("relu(X: [a],)", "expected an input slot"),
        ("relu(X: [a], X: [b])", "column 14: expected a slot other than 'X'"),
        ("Out: [a] relu()", "expected '=' after the outputs"),
        ("relu() {a: 1}", "column 12: expected one of int, float"),
        ("relu() {a: foo 1}", "expected one of int, float"),
        ("relu() {a: int 1, a: int 2}", "expected an attribute other than 'a'"),
        ("relu() {a: int 2147483648}", "column 16: expected an integer of 32 bits"),
        ("relu() {a: long 9223372036854775808}", "expected an integer of 64 bits"),
        ("relu() {a: int 1.5}", "expected an integer of 32 bits"),
        (f"relu() {{a: int {'9' * 5000}}}", "expected an integer of 32 bits"),
        ("relu() {a: float 1e39}", "in the range of float32"),
        ("relu() {a: float x}", "expected a number"),
        ("relu() {a: bool 1}", "expected 'false' or 'true'"),
        ('relu() {a: string "x}', "expected a string in double quotes"),
        (r'relu() {a: string "\x"}', "JSON escapes"),
        (r'relu() {a: string "\ud800"}', "JSON escapes"),
        ("relu() {a: scalar 1+}", "expected a scalar"),
        ("relu() junk", "column 8: expected the end of the line, found 'junk'"),
        ("relu()\n\nrelu()", "line 3, column 1: expected the end after one operator"),
    ],
)
def test_errors_say_where(line: str, message: str) -> None:
    with pytest.raises(ModelFormatError) as caught:
        parse_op(line)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: expected 'program'"),
        ("program\n", "expected at least one block"),
        (
            "program\nblock 0 parent -1 {\n",
            "line 3, column 1: expected a variable, an operator or '}'",
        ),
        (
            "program\nblock 0 parent -1 {\nvar x: lod_tensor fp33[1]\n}",
            "line 3, column 19: expected one of none",
        ),
        ("program\nblock 0 parent -1 {\nvar x: tensor\n}", "expected one of lod_tensor"),
        (
            "program\nblock 0 parent -1 {\nvar x: raw\nvar x: raw\n}",
            "line 4, column 1: expected a variable other",
        ),
        ("program\nnonsense", "expected op_version, block or param"),
    ],
)
def test_program_errors_say_where(text: str, message: str) -> None:
    with pytest.raises(ModelFormatError) as caught:
        parse_program(text)
    assert message in str(caught.value)


def test_mutated_text_never_raises_anything_else() -> None:
    seed = os.environ.get("LITE_FUZZ_SEED", "20261121")
    rng = random.Random(seed)
    text = print_program(_program())
    for _ in range(1500):
        letters = list(text)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(letters))
            letters[at : at + rng.randint(0, 2)] = rng.choice(
                ['"', "[", "]", "{", "}", "\n", "9" * 30, "\\u", " ", ":"]
            )
        try:
            program = parse_program("".join(letters))
            assert parse_program(print_program(program)) == program, f"seed {seed}"
        except ModelFormatError:
            pass
