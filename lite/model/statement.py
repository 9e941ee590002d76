"""Statements of the operator tables: ``name = operator, Slot=expression, attribute=expression``.

Expressions are a small part of Python over the call's arguments: names, numbers, texts, arithmetic,
comparisons, conditions, attributes of tensors (``rank``, ``shape``, ``dtype``) and the helpers that
the translation gives. Nothing else can be said, so that a user's table runs no code.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from lite.errors import ConfigError

_BINARY: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARE: dict[type[ast.AST], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
_ATTRIBUTES = ("rank", "shape", "dtype")


@dataclass(frozen=True)
class Statement:
    """One Paddle operator: its result's name, its type and what its slots and attributes are."""

    result: str
    type: str
    arguments: tuple[tuple[str, ast.expr], ...]


@cache
def parse(text: str) -> Statement:
    """Parses a statement. Raises ConfigError."""
    result, equals, rest = text.partition(" = ")
    if not equals or "," in result or not result.strip().isidentifier():
        result, rest = "", text
    type, _, arguments = rest.partition(",")
    arguments = re.sub(r"\blambda=", "lambda_=", arguments)  # an attribute that Python reserves
    try:
        call = ast.parse(f"f({arguments})", mode="eval").body
    except SyntaxError:
        raise ConfigError(f"{text!r} is no statement 'name = operator, Slot=expression'") from None
    if not isinstance(call, ast.Call) or call.args or any(k.arg is None for k in call.keywords):
        raise ConfigError(
            f"{text!r}: every argument is 'Slot=expression' or 'attribute=expression'"
        )
    pairs = tuple((str(keyword.arg).rstrip("_"), keyword.value) for keyword in call.keywords)
    return Statement(result.strip(), type.strip(), pairs)


@cache
def parse_expression(text: str) -> ast.expr:
    """Parses an expression. Raises ConfigError."""
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        raise ConfigError(f"{text!r} is no expression") from None


def evaluate(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """The value of an expression over the names. Raises ConfigError for what cannot be said."""
    match node:
        case ast.Constant(value):
            return value
        case ast.Name(id):
            if id in ("true", "false", "none"):
                return {"true": True, "false": False, "none": None}[id]
            if id not in names:
                raise ConfigError(f"{id!r} is no argument or helper; there are {sorted(names)}")
            return names[id]
        case ast.Attribute(value, attr) if attr in _ATTRIBUTES:
            return getattr(evaluate(value, names), attr)
        case ast.Subscript(value, index):
            return evaluate(value, names)[evaluate(index, names)]
        case ast.List(items) | ast.Tuple(items):
            return [evaluate(item, names) for item in items]
        case ast.UnaryOp(ast.USub(), operand):
            return -evaluate(operand, names)
        case ast.UnaryOp(ast.Not(), operand):
            return not evaluate(operand, names)
        case ast.BinOp(left, op, right) if type(op) in _BINARY:
            return _BINARY[type(op)](evaluate(left, names), evaluate(right, names))
        case ast.BoolOp(op, values):
            kind = all if isinstance(op, ast.And) else any
            return kind(evaluate(value, names) for value in values)
        case ast.Compare(left, [op], [right]) if type(op) in _COMPARE:
            return _COMPARE[type(op)](evaluate(left, names), evaluate(right, names))
        case ast.IfExp(test, body, other):
            return evaluate(body if evaluate(test, names) else other, names)
        case ast.Call(ast.Name(id), arguments, []) if callable(names.get(id)):
            return names[id](*(evaluate(argument, names) for argument in arguments))
    raise ConfigError(f"{ast.unparse(node)!r} is more than an expression of the table may say")
