"""Expressions of operator rules: a subset of Python's, compiled into nodes."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable, Sequence

from .nnadapter_header import CONSTANTS, OPERANDS, OPERATIONS
from .rule_file import MAX_DEPTH
from .rule_functions import FUNCTIONS
from .rule_node import Node, constant


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, [str(k) for k in known], 3)
    return f"there is no {what} {name}" + (f"; like: {', '.join(close)}" if close else "")


_BINARY = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.FloorDiv: "floor_divide",
    ast.Mod: "modulo",
}
_COMPARE = {
    ast.Eq: "equal",
    ast.NotEq: "not_equal",
    ast.Lt: "less",
    ast.LtE: "less_equal",
    ast.Gt: "greater",
    ast.GtE: "greater_equal",
    ast.In: "in",
    ast.NotIn: "not_in",
}


class Expression:
    """Compiles the text of an expression (a subset of Python's)."""

    def __init__(self, names: Iterable[str], emits: bool) -> None:
        self.names = set(names)
        self.emits = emits
        self.used: list[str] = []  # operations

    def compile(self, text: str) -> Node:
        """Raises ValueError saying what is wrong."""
        return self._node(self.parse(text), 0)

    @staticmethod
    def parse(text: str) -> ast.expr:
        try:
            return ast.parse(text.strip(), mode="eval").body
        except SyntaxError as error:
            raise ValueError(f"'{text}' is no expression: {error.msg}") from error
        except (RecursionError, MemoryError) as error:
            raise ValueError("an expression nests too deeply") from error

    def _node(self, node: ast.expr, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise ValueError("an expression nests too deeply")
        method = getattr(self, "_" + type(node).__name__.lower(), None)
        if method is None:
            raise ValueError(f"{type(node).__name__} is not allowed in an expression")
        made = method(node, depth + 1)
        assert isinstance(made, Node)
        return made

    def _nodes(self, nodes: Iterable[ast.expr], depth: int) -> tuple[Node, ...]:
        return tuple(self._node(node, depth) for node in nodes)

    def _constant(self, node: ast.Constant, depth: int) -> Node:
        return constant(node.value)

    def _name(self, node: ast.Name, depth: int) -> Node:
        if node.id in self.names:
            return Node("variable", node.id)
        if node.id in CONSTANTS:
            return constant(CONSTANTS[node.id])
        raise ValueError(unknown("name", node.id, [*self.names, *CONSTANTS]))

    def _list(self, node: ast.List, depth: int) -> Node:
        return Node("list", children=self._nodes(node.elts, depth))

    def _starred(self, node: ast.Starred, depth: int) -> Node:
        return Node("spread", children=self._nodes([node.value], depth))

    def _boolop(self, node: ast.BoolOp, depth: int) -> Node:
        kind = "and" if isinstance(node.op, ast.And) else "or"
        return Node(kind, children=self._nodes(node.values, depth))

    def _unaryop(self, node: ast.UnaryOp, depth: int) -> Node:
        kind = {ast.Not: "not", ast.USub: "negate"}.get(type(node.op))
        if kind is None:
            raise ValueError("only 'not' and '-' stand before a value")
        return Node(kind, children=self._nodes([node.operand], depth))

    def _binop(self, node: ast.BinOp, depth: int) -> Node:
        kind = _BINARY.get(type(node.op))
        if kind is None:
            raise ValueError("the arithmetic is + - * / // %")
        return Node(kind, children=self._nodes([node.left, node.right], depth))

    def _compare(self, node: ast.Compare, depth: int) -> Node:
        parts = []
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            kind = _COMPARE.get(type(op))
            if kind is None:
                raise ValueError("the comparisons are == != < <= > >= in, not in")
            parts.append(Node(kind, children=self._nodes([left, right], depth)))
            left = right
        return _all(parts)

    def _ifexp(self, node: ast.IfExp, depth: int) -> Node:
        return Node("if", children=self._nodes([node.test, node.body, node.orelse], depth))

    def _subscript(self, node: ast.Subscript, depth: int) -> Node:
        if not isinstance(node.slice, ast.Slice):
            return Node("index", children=self._nodes([node.value, node.slice], depth))
        if node.slice.step is not None:
            raise ValueError("a slice has no step")
        ends = (end or ast.Constant(None) for end in (node.slice.lower, node.slice.upper))
        return Node("slice", children=self._nodes([node.value, *ends], depth))

    def _listcomp(self, node: ast.ListComp, depth: int) -> Node:
        if len(node.generators) != 1 or not isinstance(node.generators[0].target, ast.Name):
            raise ValueError("a list is made by one 'for name in list'")
        generator = node.generators[0]
        source = self._node(generator.iter, depth)
        name = generator.target.id  # type: ignore[attr-defined]
        outer = name in self.names
        self.names.add(name)
        body = self._node(node.elt, depth)
        conditions = self._nodes(generator.ifs, depth)
        if not outer:
            self.names.discard(name)
        condition = (_all(conditions),) if conditions else ()
        return Node("each", name, children=(source, body, *condition))

    def _call(self, node: ast.Call, depth: int) -> Node:
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise ValueError("a call is NAME(value, ...)")
        name = node.func.id
        spread = any(isinstance(arg, ast.Starred) for arg in node.args)
        args = self._nodes(node.args, depth)
        if name in OPERATIONS:
            self._check_operation(name, len(args), spread)
            return Node("operation", number=OPERATIONS[name], children=args)
        function = FUNCTIONS.get(name)
        if function is None:
            raise ValueError(unknown("function or operation", name, [*FUNCTIONS, *OPERATIONS]))
        if function.emits and not self.emits:
            raise ValueError(f"{name}() adds to the model: it cannot decide anything")
        if not spread and not function.fewest <= len(args) <= function.most:
            raise ValueError(f"{name}() takes {function.arity} arguments, not {len(args)}")
        return Node("call", name, children=args)

    def _check_operation(self, name: str, count: int, spread: bool) -> None:
        if not self.emits:
            raise ValueError(f"{name} is an operation: it cannot decide anything")
        if name not in self.used:
            self.used.append(name)
        inputs = OPERANDS[name][0]
        repeated = any(operand.endswith("...") for operand in inputs)
        if not repeated and not spread and count != len(inputs):
            raise ValueError(
                f"{name} takes {len(inputs)} operands ({', '.join(inputs)}), not {count}"
            )


def _all(conditions: Sequence[Node]) -> Node:
    return conditions[0] if len(conditions) == 1 else Node("and", children=tuple(conditions))
