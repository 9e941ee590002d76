"""The statements of the table: what they may say, and nothing else."""

from __future__ import annotations

import pytest

from lite.errors import ConfigError
from lite.model.statement import evaluate, parse, parse_expression


def test_statement() -> None:
    made = parse('gelu, X=self, approximate=mode == "tanh"')
    assert (made.result, made.type) == ("", "gelu")
    names = {"self": "x", "mode": "tanh"}
    assert {key: evaluate(node, names) for key, node in made.arguments} == {
        "X": "x",
        "approximate": True,
    }
    assert parse("t = scale, X=self, scale=2.0").result == "t"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 / 4", 0.25),
        ("-a", -3),
        ("a if a > 2 else 0", 3),
        ("b is none", True),
        ("[a, a + 1]", [3, 4]),
        ("a in [1, 3] and not b", True),
        ("double(a)", 6),
        ("c[1]", 8),
    ],
)
def test_expressions(text: str, value: object) -> None:
    names = {"a": 3, "b": None, "c": [7, 8], "double": lambda number: 2 * number}
    assert evaluate(parse_expression(text), names) == value


@pytest.mark.parametrize(
    "text",
    ["__import__('os')", "a.__class__", "(lambda: 1)()", "[x for x in a]", "missing", "a ** 2"],
)
def test_a_table_runs_no_code(text: str) -> None:
    with pytest.raises(ConfigError):
        evaluate(parse_expression(text), {"a": 1})


@pytest.mark.parametrize("text", ["scale, self", "scale, X=", "scale, **a"])
def test_no_statements(text: str) -> None:
    with pytest.raises(ConfigError):
        parse(text)
