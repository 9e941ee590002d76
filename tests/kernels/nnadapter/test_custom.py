"""A user's own rules at run time, and rules run after damage: conversion never does worse than a
reason or an error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from harness import core, rand

from lite.errors import ConfigError, DeviceError
from lite.kernels.nnadapter import (
    add_operators,
    declared_operators,
    generate,
    reset_operators,
)
from lite.kernels.nnadapter.rule_node import Node, constant

FOLDER = Path(__file__).parents[3] / "lite" / "kernels" / "nnadapter"

MINE = """\
custom:
  - func: my_scaled_relu(Tensor X, Tensor? Bias, *, float factor=2.0) -> Tensor Out
    op_version: [1, 2]
    driver_version: [1, 4]
    types: {X: [float32]}
    unsupported:
      - when: rank(X) > 3
        reason: its input has {rank(X)} dimensions, more than 3
    emit:
      - y = MUL(X, float32(factor), int32(FUSED_NONE))
      - Out = ADD(y, Bias, int32(FUSED_RELU)) if has(Bias) else RELU(y)
  - func: my_other(Tensor X, Tensor? Bias, *, float factor=3.0) -> Tensor Out
    structured_inherit: my_scaled_relu
"""


@pytest.fixture(autouse=True)
def fresh_rules() -> Iterator[None]:
    yield
    reset_operators()


def run(op: str, inputs: dict[str, Any], attrs: dict[str, Any], **options: Any) -> dict[str, Any]:
    named = {slot: [(value, [])] for slot, value in inputs.items()}
    options = {"device": "builtin_device", "op_version": 1, **options}
    return dict(core().nnadapter_convert_op(op, named, {"Out": 1}, attrs, **options))


def test_own_operator(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(MINE)
    x, bias = rand(2, 3), rand(3)
    assert "no conversion of my_other" in run("my_other", {"X": x}, {})["reason"]
    assert add_operators(file) == ["my_scaled_relu", "my_other"]
    assert "my_other" in declared_operators()
    got = run("my_scaled_relu", {"X": x, "Bias": bias}, {"factor": -2.0})
    np.testing.assert_allclose(got["outputs"]["Out"][0][0], np.maximum(x * -2 + bias, 0), rtol=1e-6)
    got = run("my_other", {"X": x}, {})
    np.testing.assert_allclose(got["outputs"]["Out"][0][0], np.maximum(x * 3, 0), rtol=1e-6)
    assert len(got["operations"]) == 2
    reset_operators()
    assert "my_other" not in declared_operators()


def test_reasons_and_versions() -> None:
    add_operators("mine.yaml", MINE)
    x = rand(2, 3)
    assert run("my_other", {"X": rand(1, 1, 2, 3)}, {})["reason"] == (
        "its input has 4 dimensions, more than 3"
    )
    assert "X is float64, not float32" in run("my_other", {"X": x.astype("float64")}, {})["reason"]
    assert "factor is string" in run("my_other", {"X": x}, {"factor": "a"})["reason"]
    assert "lacks its input X" in run("my_other", {"Bias": x}, {})["reason"]
    assert "the input Z" in run("my_other", {"X": x, "Z": x}, {})["reason"]
    text = run("my_scaled_relu", {"X": x}, {}, op_version=3)["reason"]
    assert text == "it has version 3; versions 1 to 2 can be converted"
    text = run("my_scaled_relu", {"X": x}, {}, driver_version=5)["reason"]
    assert text == "the driver has version 5; it needs a driver of version 1 to 4"


def test_own_rule_replaces_an_official_one() -> None:
    text = """
official:
  - func: relu(Tensor X) -> Tensor Out
    unsupported:
      - when: True
        reason: this device does not like it
    emit: [Out = RELU(X)]
"""
    x = rand(2)
    assert "reason" not in run("relu", {"X": x}, {})
    add_operators("mine.yaml", text)
    assert run("relu", {"X": x}, {})["reason"] == "this device does not like it"


def test_inherits_from_official_operators() -> None:
    text = """
custom:
  - func: my_leaky(Tensor X, *, float alpha=0.1) -> Tensor Out
    structured_inherit: leaky_relu
  - func: my_square(Tensor X) -> Tensor Out
    structured_inherit: unary
    with: {OPERATION: SQUARE}
"""
    add_operators("mine.yaml", text)
    x = rand(3, 4)
    got = run("my_leaky", {"X": x}, {})["outputs"]["Out"][0][0]
    np.testing.assert_allclose(got, np.where(x < 0, np.float32(0.1) * x, x), rtol=1e-6)
    got = run("my_square", {"X": x}, {})["outputs"]["Out"][0][0]
    np.testing.assert_allclose(got, x * x, rtol=1e-6)
    assert "X is int32" in run("my_square", {"X": x.astype("int32")}, {})["reason"]


def test_versions_of_the_program_count() -> None:
    import lite

    model = Path(__file__).parents[2] / "model" / "data" / "conv.pdmodel"
    place = lite.load(model, devices=["builtin_device"]).placement()
    assert any(op.type == "conv2d" for op in place.on_device())
    found = generate.read([FOLDER / "operators.yaml"], FOLDER / "converter")
    (conv,) = (rule for rule in found if rule.op == "conv2d")
    text = f"""
official:
  - func: "{conv.signature}"
    op_version: [9, newest]
    structured_inherit: conv2d
"""
    add_operators("mine.yaml", text)  # what it inherits is the official conv2d
    place = lite.load(model, devices=["builtin_device"]).placement()
    reasons = [op.reason for op in place.fallbacks() if op.type == "conv2d"]
    assert reasons and all("versions 9 and newer can be converted" in why for why in reasons)


def test_mistakes_add_nothing() -> None:
    with pytest.raises(ConfigError, match=r"mine.yaml:10: my_scaled_relu, field emit\[0\]"):
        add_operators("mine.yaml", MINE.replace("MUL(", "MOL("))
    with pytest.raises(ConfigError, match="no hand-written converter nothing"):
        text = MINE.split("    emit")[0] + "    operations: [RELU]\n    converter: nothing\n"
        add_operators("mine.yaml", text)
    with pytest.raises(FileNotFoundError):
        add_operators("/nonexistent/mine.yaml")
    assert "my_scaled_relu" not in declared_operators()


ODD = {
    "a / b": 1, "a // b": 1, "a % b": 1, "a - b": 1, "[1, 2][a]": 1, "l[a:b]": 1, "l * 99999999": 1,
    "l[9]": 1, "a * a * a * a * a": 1, "prod([a, a, a, a])": 1, "range(a)": 1, "axis(a, 2)": 1,
    "axis(l, a)": 1, "ints(X)": 1, "floats(X)": 1, "min([])": 1, "abs(a)": 1, "float('x')": 1,
    "unsqueeze_axes([a], b)": 1, "reshape_to([dims(X)[0], dims(X)[1]])": 1, "dtype_code(a)": 1,
    "row_is_zero(X, a)": 1, "len(a)": 1, "a in b": 1, "dims(a)": 1, "l + a": 1, "X > 1": 1,
    "sorted([X])": 1, "sum(['a', 'b'])": 1, "all([dims(X)[0]])": 1, "fuse_code('q', a)": 1,
    "[i for i in a]": 1, "not X": 1, "-l": 1, "a if X else b": 1, "[X, None] == [None, X]": 1,
}  # fmt: skip


@pytest.mark.parametrize("expression", ODD)
@pytest.mark.parametrize("a", [0, -1, 7, 2**62, -(2**63)])
def test_odd_numbers(expression: str, a: int) -> None:
    """Whatever the attributes are: a value or a reason."""
    text = f"""
custom:
  - func: odd(Tensor X, *, long a=0, long b=0, long[] l=[1]) -> Tensor Out
    let:
      value: "{expression}"
    unsupported:
      - when: value == 'never'
        reason: it is {{value}}
    emit: [Out = RELU(X)]
"""
    add_operators("odd.yaml", text)
    for b in (0, -1, 3):
        for unknown in (False, True):
            result = run("odd", {"X": rand(2, 3)}, {"a": a, "b": b}, unknown=unknown, device="")
            assert isinstance(result.get("reason", ""), str)


def test_damaged_rules_run() -> None:
    """Rules that were damaged but can still be read convert, refuse or raise an error of ours."""
    random = np.random.RandomState(3)
    found = generate.read([FOLDER / "operators.yaml"], FOLDER / "converter")
    words = [constant(-1), constant(99999), constant(None), constant([]), constant("a")]
    words += [constant(1e30), Node("variable", "X")]
    x = rand(2, 3, 4, 5)
    for i in range(600):
        rule = found[i % len(found)]
        rows = rule.node.rows()
        numbers = [at for at, row in enumerate(rows) if row[0] == constant(1).rows()[0][0]]
        if not numbers:
            continue
        at = numbers[random.randint(len(numbers))]
        rows[at] = words[random.randint(len(words))].rows()[0]
        try:
            core().nnadapter_add_rules([rows])
            inputs = {slot.name: [(x, [])] for slot in rule.inputs if not slot.optional}
            outputs = {slot.name: 1 for slot in rule.outputs if not slot.optional}
            core().nnadapter_convert_op(rule.op, inputs, outputs, {})
        except (ConfigError, DeviceError):
            pass
