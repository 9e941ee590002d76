"""Expressions of operator rules: a subset of Python's, compiled into prefix form."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable

from .nnadapter_header import CONSTANTS, OPERANDS, OPERATIONS
from .rule_file import MAX_DEPTH

# name: (fewest arguments, most, adds to the model)
FUNCTIONS: dict[str, tuple[int, int, bool]] = {
    "rank": (1, 1, False),
    "dims": (1, 1, False),
    "dtype": (1, 1, False),
    "has": (1, 1, False),
    "is_constant": (1, 1, False),
    "is_fed": (1, 1, False),
    "is_shape": (1, 1, False),
    "is_zero_dim": (1, 1, False),
    "is_known": (1, 1, False),
    "has_lod": (1, 1, False),
    "is_quantized": (1, 1, False),
    "row_is_zero": (2, 2, False),
    "ints": (1, 1, False),
    "floats": (1, 1, False),
    "len": (1, 1, False),
    "min": (1, 65536, False),
    "max": (1, 65536, False),
    "sum": (1, 1, False),
    "prod": (1, 1, False),
    "all": (1, 1, False),
    "any": (1, 1, False),
    "abs": (1, 1, False),
    "float": (1, 1, False),
    "range": (1, 2, False),
    "sorted": (1, 1, False),
    "unique": (1, 1, False),
    "axis": (2, 2, False),
    "unsqueeze_axes": (2, 2, False),
    "reshape_to": (1, 1, False),
    "dtype_code": (1, 1, False),
    "precision_code": (1, 1, False),
    "fuse_code": (1, 2, False),
    "int32": (1, 1, True),
    "int32s": (1, 1, True),
    "int64s": (1, 1, True),
    "float32": (1, 1, True),
    "float32s": (1, 1, True),
    "bool8": (1, 1, True),
    "scalar_like": (2, 2, True),
    "scalar_of": (2, 2, True),
    "align": (3, 3, True),
    "activate": (2, 5, True),
    "bias": (4, 4, True),
    "int_list": (3, 3, True),
}


def quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, [str(k) for k in known], 3)
    return f"there is no {what} {name}" + (f"; like: {', '.join(close)}" if close else "")


_BINARY = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}
_COMPARE = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "notin",
}


class Expression:
    """Compiles the text of an expression (a subset of Python's) into prefix form."""

    def __init__(self, names: Iterable[str], emits: bool) -> None:
        self.names = set(names)
        self.emits = emits
        self.used: list[str] = []  # operations

    def compile(self, text: str) -> str:
        """Raises ValueError saying what is wrong."""
        return self._form(self.parse(text), 0)

    @staticmethod
    def parse(text: str) -> ast.expr:
        try:
            return ast.parse(text.strip(), mode="eval").body
        except SyntaxError as error:
            raise ValueError(f"'{text}' is no expression: {error.msg}") from error
        except (RecursionError, MemoryError) as error:
            raise ValueError("an expression nests too deeply") from error

    def _form(self, node: ast.expr, depth: int) -> str:
        if depth > MAX_DEPTH:
            raise ValueError("an expression nests too deeply")
        method = getattr(self, "_" + type(node).__name__.lower(), None)
        if method is None:
            raise ValueError(f"{type(node).__name__} is not allowed in an expression")
        return str(method(node, depth + 1))

    def _constant(self, node: ast.Constant, depth: int) -> str:
        value = node.value
        if value is None:
            return "(none)"
        if isinstance(value, bool):
            return f"({str(value).lower()})"
        if isinstance(value, int):
            if not -(2**63) <= value < 2**63:
                raise ValueError(f"{value} does not fit 64 bits")
            return f"(int {value})"
        if isinstance(value, float):
            return f"(float {value!r})"
        if isinstance(value, str):
            return f"(str {quote(value)})"
        raise ValueError(f"{value!r} is not allowed in an expression")

    def _name(self, node: ast.Name, depth: int) -> str:
        if node.id in self.names:
            return f"(var {node.id})"
        if node.id in CONSTANTS:
            return f"(int {CONSTANTS[node.id]})"
        raise ValueError(unknown("name", node.id, [*self.names, *CONSTANTS]))

    def _list(self, node: ast.List, depth: int) -> str:
        return "(list" + "".join(" " + self._form(item, depth) for item in node.elts) + ")"

    def _starred(self, node: ast.Starred, depth: int) -> str:
        return f"(spread {self._form(node.value, depth)})"

    def _boolop(self, node: ast.BoolOp, depth: int) -> str:
        word = "and" if isinstance(node.op, ast.And) else "or"
        return f"({word}" + "".join(" " + self._form(v, depth) for v in node.values) + ")"

    def _unaryop(self, node: ast.UnaryOp, depth: int) -> str:
        if isinstance(node.op, ast.Not):
            return f"(not {self._form(node.operand, depth)})"
        if isinstance(node.op, ast.USub):
            return f"(neg {self._form(node.operand, depth)})"
        raise ValueError("only 'not' and '-' stand before a value")

    def _binop(self, node: ast.BinOp, depth: int) -> str:
        word = _BINARY.get(type(node.op))
        if word is None:
            raise ValueError("the arithmetic is + - * / // %")
        return f"({word} {self._form(node.left, depth)} {self._form(node.right, depth)})"

    def _compare(self, node: ast.Compare, depth: int) -> str:
        parts = []
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            word = _COMPARE.get(type(op))
            if word is None:
                raise ValueError("the comparisons are == != < <= > >= in, not in")
            parts.append(f"({word} {self._form(left, depth)} {self._form(right, depth)})")
            left = right
        return parts[0] if len(parts) == 1 else "(and " + " ".join(parts) + ")"

    def _ifexp(self, node: ast.IfExp, depth: int) -> str:
        forms = [self._form(part, depth) for part in (node.test, node.body, node.orelse)]
        return f"(if {' '.join(forms)})"

    def _subscript(self, node: ast.Subscript, depth: int) -> str:
        value = self._form(node.value, depth)
        if not isinstance(node.slice, ast.Slice):
            return f"(index {value} {self._form(node.slice, depth)})"
        if node.slice.step is not None:
            raise ValueError("a slice has no step")
        ends = (node.slice.lower, node.slice.upper)
        forms = [self._form(end, depth) if end is not None else "(none)" for end in ends]
        return f"(slice {value} {' '.join(forms)})"

    def _listcomp(self, node: ast.ListComp, depth: int) -> str:
        if len(node.generators) != 1 or not isinstance(node.generators[0].target, ast.Name):
            raise ValueError("a list is made by one 'for name in list'")
        generator = node.generators[0]
        source = self._form(generator.iter, depth)
        name = generator.target.id  # type: ignore[attr-defined]
        outer = name in self.names
        self.names.add(name)
        body = self._form(node.elt, depth)
        conditions = [self._form(test, depth) for test in generator.ifs]
        if not outer:
            self.names.discard(name)
        condition = ""
        if conditions:
            condition = " " + (
                conditions[0] if len(conditions) == 1 else f"(and {' '.join(conditions)})"
            )
        return f"(each {name} {source} {body}{condition})"

    def _call(self, node: ast.Call, depth: int) -> str:
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise ValueError("a call is NAME(value, ...)")
        name = node.func.id
        spread = any(isinstance(arg, ast.Starred) for arg in node.args)
        args = "".join(" " + self._form(arg, depth) for arg in node.args)
        if name in OPERATIONS:
            self._check_operation(name, len(node.args), spread)
            return f"(op {OPERATIONS[name]}{args})"
        if name not in FUNCTIONS:
            raise ValueError(unknown("function or operation", name, [*FUNCTIONS, *OPERATIONS]))
        fewest, most, emits = FUNCTIONS[name]
        if emits and not self.emits:
            raise ValueError(f"{name}() adds to the model: it cannot decide anything")
        if not spread and not fewest <= len(node.args) <= most:
            count = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            raise ValueError(f"{name}() takes {count} arguments, not {len(node.args)}")
        return f"(call {name}{args})"

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
