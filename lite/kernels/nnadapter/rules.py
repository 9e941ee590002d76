"""Reads and checks operators.yaml, and files like it, and writes what the C++ interpreter takes.

A file declares how operators become NNAdapter operations; docs/nnadapter_operators.md describes
the fields and the expressions. `parse` raises RuleError naming file, line and field for any
mistake. Used at build time by generate.py and at run time by
`lite.kernels.nnadapter.add_operators`.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from .nnadapter_header import CONSTANTS, OPERANDS, OPERATIONS

# name: (fewest arguments, most, adds to the model)
FUNCTIONS: dict[str, tuple[int, int, bool]] = {
    "rank": (1, 1, False),
    "dims": (1, 1, False),
    "dtype": (1, 1, False),
    "has": (1, 1, False),
    "is_constant": (1, 1, False),
    "is_fed": (1, 1, False),
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

ATTRIBUTE_TYPES = {
    "bool": "bool",
    "int": "int",
    "long": "long",
    "float": "float",
    "str": "string",
    "bool[]": "bools",
    "int[]": "ints",
    "long[]": "longs",
    "float[]": "floats",
    "str[]": "strings",
}
ELEMENT_TYPES = (
    "bool int8 uint8 int16 int32 int64 float16 float32 float64 quant_int8 quant_int8_per_channel "
    "quant_int32"
).split()
FIELDS = (
    "func operations op_version driver_version types scalars channel_axis broadcast let "
    "unsupported emit converter structured_inherit with note"
).split()
INHERITED = "types scalars channel_axis broadcast let unsupported emit converter operations".split()
SECTIONS = ("official", "custom", "shared")
MAX_DEPTH = 50


class RuleError(Exception):
    """A mistake in a file of operator rules: where it is and what is wrong."""

    def __init__(self, file: str, line: int, where: str, message: str) -> None:
        super().__init__(f"{file}:{line}: {where}: {message}")


# -- YAML with line numbers.


@dataclass(frozen=True)
class Item:
    """A part of the file: a str, int, float, bool, None, list[Item] or dict[str, Item]."""

    value: Any
    line: int


class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file

    def fail(self, item: Item | int, where: str, message: str) -> RuleError:
        line = item if isinstance(item, int) else item.line
        return RuleError(self.file, line, where, message)

    def load(self, text: str) -> Item:
        try:
            node = yaml.compose(text, Loader=yaml.SafeLoader)
            return self._item(node, 0) if node is not None else Item({}, 1)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = mark.line + 1 if mark else 1
            raise RuleError(self.file, line, "YAML", error.problem or "is malformed") from error
        except (yaml.YAMLError, ValueError) as error:
            raise RuleError(self.file, 1, "YAML", str(error).splitlines()[0]) from error
        except RecursionError as error:
            raise RuleError(self.file, 1, "YAML", "nests too deeply") from error

    def _item(self, node: yaml.Node, depth: int) -> Item:
        line = node.start_mark.line + 1
        if depth > MAX_DEPTH:
            raise RuleError(self.file, line, "YAML", "nests too deeply")
        if isinstance(node, yaml.ScalarNode):
            loader = yaml.SafeLoader("")
            value: Any = loader.construct_object(node)
            if not isinstance(value, (str, int, float, bool, type(None))):
                value = node.value
            return Item(value, line)
        if isinstance(node, yaml.SequenceNode):
            return Item([self._item(child, depth + 1) for child in node.value], line)
        fields: dict[str, Item] = {}
        for key, child in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise RuleError(self.file, line, "YAML", "a key is not a name")
            if key.value in fields:
                raise RuleError(
                    self.file, key.start_mark.line + 1, key.value, "stands here a second time"
                )
            fields[key.value] = self._item(child, depth + 1)
        return Item(fields, line)


# -- What a rule is made of.


@dataclass
class Slot:
    name: str
    optional: bool
    repeated: bool


@dataclass
class Attr:
    name: str
    type: str
    default: Any
    required: bool


@dataclass
class Rule:
    """One operator. `form` is what the C++ interpreter reads."""

    op: str
    section: str
    signature: str
    line: int
    inputs: list[Slot] = field(default_factory=list)
    outputs: list[Slot] = field(default_factory=list)
    attrs: list[Attr] = field(default_factory=list)
    operations: list[str] = field(default_factory=list)
    op_version: tuple[int, int] = (0, -1)
    driver_version: tuple[int, int] = (1, -1)
    broadcast: str = ""
    let: list[tuple[str, str]] = field(default_factory=list)
    unsupported: list[tuple[str, str]] = field(default_factory=list)
    emit: list[str] = field(default_factory=list)
    converter: str = ""
    note: str = ""
    form: str = ""


def quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


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


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, [str(k) for k in known], 3)
    return f"there is no {what} {name}" + (f"; like: {', '.join(close)}" if close else "")


# -- Signatures.

_NAME = r"[A-Za-z_@][\w@]*"
_SIGNATURE = re.compile(rf"({_NAME})\((.*)\)\s*->\s*(.+)", re.DOTALL)
_TENSOR = re.compile(rf"Tensor(\[\])?(\?)?\s+({_NAME})")
_ATTRIBUTE = re.compile(rf"(\w+(?:\[\])?)\s+({_NAME})\s*(?:=\s*(.+))?", re.DOTALL)


def split_arguments(text: str) -> list[str]:
    """At the commas outside of brackets and quotes."""
    parts, depth, quoted, current = [], 0, "", ""
    for char in text:
        if quoted:
            quoted = "" if char == quoted else quoted
        elif char in "\"'":
            quoted = char
        elif char in "[(":
            depth += 1
        elif char in ")]":
            depth -= 1
        if char == "," and depth == 0 and not quoted:
            parts.append(current)
            current = ""
        else:
            current += char
    return [part.strip() for part in [*parts, current] if part.strip()]


def parse_tensor(text: str) -> Slot:
    match = _TENSOR.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is no tensor; write Tensor, Tensor?, Tensor[] or Tensor[]? X")
    return Slot(match[3], optional=bool(match[2]), repeated=bool(match[1]))


def parse_attribute(text: str) -> Attr:
    match = _ATTRIBUTE.fullmatch(text)
    if match is None or match[1] not in ATTRIBUTE_TYPES:
        raise ValueError(
            f"'{text}' is no attribute; write a type ({', '.join(ATTRIBUTE_TYPES)}), its name and "
            "its default"
        )
    default: Any = None
    if match[3] is not None:
        try:
            default = ast.literal_eval(match[3])
        except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
            raise ValueError(f"the default of {match[2]} is no constant: {match[3]}") from error
        check_default(match[2], match[1], default)
    return Attr(match[2], match[1], default, match[3] is None)


def check_default(name: str, kind: str, value: Any) -> None:
    items = value if kind.endswith("[]") else [value]
    scalar = kind.removesuffix("[]")
    types: dict[str, tuple[type, ...]] = {
        "bool": (bool,),
        "int": (int,),
        "long": (int,),
        "float": (int, float),
        "str": (str,),
    }
    if not isinstance(items, list) or not all(
        isinstance(i, types[scalar]) and (scalar == "bool" or not isinstance(i, bool))
        for i in items
    ):
        raise ValueError(f"the default of {name} is {value!r}, expected {kind}")


def constant_form(value: Any) -> str:
    if isinstance(value, list):
        return "(list" + "".join(" " + constant_form(item) for item in value) + ")"
    if isinstance(value, bool):
        return f"({str(value).lower()})"
    if isinstance(value, int):
        return f"(int {value})"
    if isinstance(value, float):
        return f"(float {value!r})"
    return f"(str {quote(value)})"


# -- Files.


class Parser:
    """One file. `base` is another, from which its operators may inherit."""

    def __init__(
        self, file: str, converters: Iterable[str] | None, base: Path | None = None
    ) -> None:
        self.reader = _Reader(file)
        self.base_file = base
        self.base: Parser | None = None
        self.converters = None if converters is None else set(converters)
        self.entries: dict[str, dict[str, Item]] = {}
        self.shared: dict[str, dict[str, Item]] = {}

    def fail(self, item: Item | int, where: str, message: str) -> RuleError:
        return self.reader.fail(item, where, message)

    def parse(self, text: str) -> list[Rule]:
        return [self._rule(*entry) for entry in self.read(text)]

    def read(self, text: str) -> list[tuple[str, str, dict[str, Item]]]:
        """The operators, their sections and fields."""
        root = self.reader.load(text)
        if not isinstance(root.value, dict):
            raise self.fail(root, "the file", f"expected sections {', '.join(SECTIONS)}")
        for name, section in root.value.items():
            if name not in SECTIONS:
                raise self.fail(section, name, unknown("section", name, SECTIONS))
        self._read_shared(root.value.get("shared"))
        return [
            (op, name, entry)
            for name in ("official", "custom")
            for op, entry in self._read_section(name, root.value.get(name))
        ]

    def _read_shared(self, section: Item | None) -> None:
        if section is None or section.value is None:
            return
        if not isinstance(section.value, dict):
            raise self.fail(section, "shared", "expected names with their fields")
        for name, body in section.value.items():
            allowed = [*INHERITED, "structured_inherit"]
            self.shared[name] = self._fields(body, f"shared {name}", allowed)

    def _read_section(self, name: str, section: Item | None) -> list[tuple[str, dict[str, Item]]]:
        if section is None or section.value is None:
            return []
        if not isinstance(section.value, list):
            raise self.fail(section, name, "expected a list of operators")
        found = []
        for item in section.value:
            entry = self._fields(item, name, FIELDS)
            if "func" not in entry:
                raise self.fail(item, name, "an operator has no field func")
            op = str(entry["func"].value).split("(")[0].strip()
            if op in self.entries:
                raise self.fail(item, "func", f"{op} is declared a second time")
            self.entries[op] = entry
            found.append((op, entry))
        return found

    def _fields(self, item: Item, where: str, allowed: Iterable[str]) -> dict[str, Item]:
        if not isinstance(item.value, dict):
            raise self.fail(item, where, "expected fields")
        for name, part in item.value.items():
            if name not in allowed:
                raise self.fail(part, f"{where}, field {name}", unknown("field", name, allowed))
        return dict(item.value)

    def _inherit(self, op: str, entry: dict[str, Item], seen: tuple[str, ...]) -> dict[str, Item]:
        """The entry with what it inherits; lists and mappings are joined, bases first."""
        own = self._substitute(op, entry)
        if "structured_inherit" not in entry:
            return own
        field_item = entry["structured_inherit"]
        bases = field_item.value if isinstance(field_item.value, list) else [field_item]
        merged: dict[str, Item] = {}
        for base in bases:
            name = str(base.value)
            source = self._inherited(name, seen)
            if source is None and name in seen:
                raise self.fail(base, f"{op}, field structured_inherit", f"{name} is a cycle")
            if source is None:
                raise self.fail(
                    base,
                    f"{op}, field structured_inherit",
                    unknown("operator or shared part", name, [*self.entries, *self.shared]),
                )
            self._merge(merged, {k: v for k, v in source.items() if k in INHERITED})
        merged = self._substitute(op, {**merged, **{k: v for k, v in entry.items() if k == "with"}})
        if {"emit", "converter"} & own.keys():  # replaced, not joined
            for name in ("emit", "converter", "operations"):
                merged.pop(name, None)
        self._merge(merged, own)
        return merged

    def _inherited(self, name: str, seen: tuple[str, ...]) -> dict[str, Item] | None:
        """The fields of `name`, of this file or of the base; None where there is none."""
        found = self.shared.get(name) or self.entries.get(name)
        if found is not None and name not in seen:
            return self._inherit(name, found, (*seen, name))
        if self.base_file is None:
            return None
        if self.base is None:
            self.base = Parser(str(self.base_file), None)
            self.base.read(self.base_file.read_text(encoding="utf-8"))
        return self.base._inherited(name, ())

    @staticmethod
    def _merge(into: dict[str, Item], more: dict[str, Item]) -> None:
        for name, item in more.items():
            old = into.get(name)
            if old is not None and isinstance(old.value, list) and isinstance(item.value, list):
                into[name] = Item(old.value + item.value, item.line)
            elif old is not None and isinstance(old.value, dict) and isinstance(item.value, dict):
                into[name] = Item({**old.value, **item.value}, item.line)
            else:
                into[name] = item

    def _substitute(self, op: str, entry: dict[str, Item]) -> dict[str, Item]:
        if "with" not in entry:
            return entry
        mapping = entry["with"]
        if not isinstance(mapping.value, dict):
            raise self.fail(mapping, f"{op}, field with", "expected names and what they stand for")
        words = {str(k): str(v.value) for k, v in mapping.value.items()}

        def replace(item: Item) -> Item:
            if isinstance(item.value, str):
                text = re.sub(r"\$(\w+)", lambda m: words.get(m[1], m[0]), item.value)
                return Item(text, item.line)
            if isinstance(item.value, list):
                return Item([replace(i) for i in item.value], item.line)
            if isinstance(item.value, dict):
                return Item({k: replace(v) for k, v in item.value.items()}, item.line)
            return item

        return {k: v if k in ("with", "func") else replace(v) for k, v in entry.items()}

    # -- One operator.

    def _rule(self, op: str, section: str, raw: dict[str, Item]) -> Rule:
        entry = self._inherit(op, raw, (op,))
        func = entry["func"]
        rule = Rule(op, section, " ".join(str(func.value).split()), func.line)
        try:
            self._signature(rule)
        except ValueError as error:
            raise self.fail(func, f"{op}, field func", str(error)) from error
        rule.note = str(entry["note"].value) if "note" in entry else ""
        rule.op_version = self._range(op, "op_version", entry, (0, -1))
        rule.driver_version = self._range(op, "driver_version", entry, (1, -1))
        return _Compiler(self, rule, entry).run()

    def _signature(self, rule: Rule) -> None:
        match = _SIGNATURE.fullmatch(rule.signature)
        if match is None:
            raise ValueError("expected op(Tensor X, *, int axis=-1) -> Tensor Out")
        tensors = True
        for part in split_arguments(match[2]):
            if part == "*":
                tensors = False
            elif tensors:
                rule.inputs.append(parse_tensor(part))
            else:
                rule.attrs.append(parse_attribute(part))
        outputs = match[3].strip()
        if outputs.startswith("(") and outputs.endswith(")"):
            outputs = outputs[1:-1]
        rule.outputs = [parse_tensor(part) for part in split_arguments(outputs)]
        names = [s.name for s in [*rule.inputs, *rule.outputs]] + [a.name for a in rule.attrs]
        # An operator may write what it reads, but an attribute is no slot.
        inputs = [s.name for s in rule.inputs] + [a.name for a in rule.attrs]
        doubled = {name for name in inputs if inputs.count(name) > 1}
        if doubled or not names:
            raise ValueError(f"names stand twice: {', '.join(sorted(doubled))}")

    def _range(
        self, op: str, name: str, entry: dict[str, Item], default: tuple[int, int]
    ) -> tuple[int, int]:
        if name not in entry:
            return default
        item = entry[name]
        ends = [i.value for i in item.value] if isinstance(item.value, list) else [item.value] * 2
        numbers = [-1 if end == "newest" else end for end in ends]
        if (
            len(numbers) != 2
            or not all(isinstance(n, int) and not isinstance(n, bool) for n in numbers)
            or numbers[0] < 0
            or (numbers[1] != -1 and numbers[1] < numbers[0])
            or not all(n < 2**31 for n in numbers)
        ):
            raise self.fail(
                item, f"{op}, field {name}", "expected [first, last] or [first, newest]"
            )
        return numbers[0], numbers[1]


class _Compiler:
    """Checks and compiles the fields of one operator."""

    def __init__(self, parser: Parser, rule: Rule, entry: dict[str, Item]) -> None:
        self.parser, self.rule, self.entry = parser, rule, entry
        self.names = [s.name for s in rule.inputs] + [a.name for a in rule.attrs]
        self.forms: list[str] = []
        self.flags: dict[str, str] = {}
        self.used: list[str] = []

    def fail(self, item: Item | int, part: str, message: str) -> RuleError:
        return self.parser.fail(item, f"{self.rule.op}, field {part}", message)

    def run(self) -> Rule:
        self._slots()
        lets = self._let()
        conditions = [*self._types(), *self._broadcast_conditions(), *self._unsupported()]
        body = self._body()
        self._operations()
        rule = self.rule
        parts = [f"rule {rule.op}"]
        for kind, slots in (("input", rule.inputs), ("output", rule.outputs)):
            for slot in slots:
                optional = " optional" if slot.optional else ""
                repeated = " repeated" if slot.repeated else ""
                flags = self.flags.get(slot.name, "") if kind == "input" else ""
                parts.append(f"({kind} {slot.name}{optional}{repeated}{flags})")
        for attr in rule.attrs:
            default = "" if attr.required else " " + constant_form(attr.default)
            parts.append(f"(attr {attr.name} {ATTRIBUTE_TYPES[attr.type]}{default})")
        for name, ends in (
            ("op_version", rule.op_version),
            ("driver_version", rule.driver_version),
        ):
            parts.append(f"({name} (int {ends[0]}) (int {ends[1]}))")
        rule.form = "(" + "\n".join([*parts, *lets, *conditions, *body]) + ")"
        return rule

    def _expression(self, item: Item, part: str, text: str, emits: bool = False) -> str:
        compiler = Expression(self.names, emits)
        try:
            form = compiler.compile(text)
        except ValueError as error:
            raise self.fail(item, part, str(error)) from error
        self.used += [name for name in compiler.used if name not in self.used]
        return form

    def _slot(self, item: Item, part: str, name: Any) -> Slot:
        for slot in self.rule.inputs:
            if slot.name == name:
                return slot
        raise self.fail(item, part, unknown("input", str(name), [s.name for s in self.rule.inputs]))

    def _slots(self) -> None:
        scalars = self.entry.get("scalars")
        if scalars is not None:
            items = scalars.value if isinstance(scalars.value, list) else [scalars]
            for item in items:
                self._slot(item, "scalars", item.value)
                self.flags[item.value] = self.flags.get(item.value, "") + " scalar"
        for name, item in self._mapping("channel_axis").items():
            self._slot(item, "channel_axis", name)
            if not isinstance(item.value, int) or not 0 <= item.value < 8:
                raise self.fail(item, "channel_axis", "expected a number from 0 to 7")
            self.flags[name] = self.flags.get(name, "") + f" (int {item.value})"

    def _mapping(self, part: str) -> dict[str, Item]:
        item = self.entry.get(part)
        if item is None or item.value is None:
            return {}
        if not isinstance(item.value, dict):
            raise self.fail(item, part, "expected names with values")
        return dict(item.value)

    def _let(self) -> list[str]:
        forms = []
        for name, item in self._mapping("let").items():
            if not re.fullmatch(r"[a-z_]\w*", name):
                raise self.fail(item, f"let {name}", "expected a name in small letters")
            text = str(item.value)
            forms.append(f"(let {name} {self._expression(item, f'let {name}', text)})")
            self.rule.let.append((name, text))
            self.names.append(name)
        return forms

    def _condition(
        self, item: Item, part: str, when: str, reason: str, text: Item | None = None
    ) -> str:
        self.rule.unsupported.append((when, reason))
        form = self._expression(item, f"{part}.when", when)
        return f"(unsupported {form} {self._reason(text or item, f'{part}.reason', reason)})"

    def _reason(self, item: Item, part: str, text: str) -> str:
        if not text.strip() or text.rstrip().endswith("."):
            raise self.fail(item, part, "expected one sentence without a full stop")
        pieces = []
        for i, piece in enumerate(re.split(r"[{}]", text)):
            if i % 2:
                pieces.append(self._expression(item, part, piece))
            elif piece:
                pieces.append(f"(str {quote(piece)})")
        if text.count("{") != text.count("}"):
            raise self.fail(item, part, "a brace is not closed")
        return f"(text {' '.join(pieces)})"

    def _types(self) -> list[str]:
        forms = []
        for name, item in self._mapping("types").items():
            slot = self._slot(item, "types", name)
            given = item.value if isinstance(item.value, list) else [item]
            types = [str(i.value) for i in given]
            for i, one in zip(given, types, strict=True):
                if one not in ELEMENT_TYPES:
                    raise self.fail(i, "types", unknown("element type", one, ELEMENT_TYPES))
            listed = "[" + ", ".join(f"'{t}'" for t in types) + "]"
            words = " or ".join(types)
            if slot.repeated:
                when = f"not all([dtype(x) in {listed} for x in {name}])"
                reason = f"{name} is not {words}"
            else:
                when = f"dtype({name}) not in {listed}"
                reason = f"{name} is {{dtype({name})}}, not {words}"
                if slot.optional:
                    when = f"has({name}) and {when}"
            forms.append(self._condition(item, "types", when, reason))
        return forms

    def _broadcast(self) -> tuple[str, str, str, Item] | None:
        item = self.entry.get("broadcast")
        if item is None:
            return None
        fields = self._mapping("broadcast")
        inputs = fields.get("inputs")
        if set(fields) != {"inputs", "axis"} or inputs is None:
            raise self.fail(item, "broadcast", "expected inputs: [X, Y] and axis")
        names = [i.value for i in inputs.value] if isinstance(inputs.value, list) else []
        if len(names) != 2:
            raise self.fail(item, "broadcast", "expected two inputs")
        for name in names:
            self._slot(item, "broadcast", name)
        return names[0], names[1], str(fields["axis"].value), item

    def _broadcast_conditions(self) -> list[str]:
        found = self._broadcast()
        if found is None:
            return []
        x, y, axis, item = found
        self.rule.broadcast = f"{y} to {x} at {axis}, numpy's where {axis} is -1"
        when = (
            f"{axis} >= 0 and rank({x}) != rank({y}) and "
            f"{axis} + min(rank({x}), rank({y})) > max(rank({x}), rank({y}))"
        )
        reason = f"{axis} is {{{axis}}} for {x} of rank {{rank({x})}} and {y} of rank {{rank({y})}}"
        return [self._condition(item, "broadcast", when, reason)]

    def _unsupported(self) -> list[str]:
        item = self.entry.get("unsupported")
        if item is None or item.value is None:
            return []
        if not isinstance(item.value, list):
            raise self.fail(item, "unsupported", "expected a list of when and reason")
        forms = []
        for i, condition in enumerate(item.value):
            part = f"unsupported[{i}]"
            fields = condition.value
            if not isinstance(fields, dict) or set(fields) != {"when", "reason"}:
                raise self.fail(condition, part, "expected when and reason")
            when, reason = str(fields["when"].value), str(fields["reason"].value)
            forms.append(self._condition(fields["when"], part, when, reason, fields["reason"]))
        return forms

    def _body(self) -> list[str]:
        emit, converter = self.entry.get("emit"), self.entry.get("converter")
        if (emit is None) == (converter is None):
            raise self.fail(self.rule.line, "emit", "expected either emit or converter")
        if converter is not None:
            name = str(converter.value)
            known = self.parser.converters
            if known is not None and name not in known:
                raise self.fail(converter, "converter", unknown("converter", name, known))
            self.rule.converter = name
            return [f"(converter {name})"]
        assert emit is not None
        statements = emit.value if isinstance(emit.value, list) else [emit]
        forms = []
        found = self._broadcast()
        if found is not None:
            x, y, axis, item = found
            for one, other in ((x, y), (y, x)):
                forms.append(
                    self._statement(item, "broadcast", f"{one} = align({one}, {other}, {axis})")
                )
        for i, statement in enumerate(statements):
            text = str(statement.value)
            self.rule.emit.append(text)
            forms.append(self._statement(statement, f"emit[{i}]", text))
        assigned = set(re.findall(r"\(target (\S+?)[ )]", " ".join(forms)))
        missing = [s.name for s in self.rule.outputs if not s.optional and s.name not in assigned]
        if missing:
            raise self.fail(emit, "emit", f"nothing is assigned to {', '.join(missing)}")
        return forms

    def _statement(self, item: Item, part: str, text: str) -> str:
        try:
            tree = ast.parse(text.strip())
        except (SyntaxError, RecursionError, MemoryError, ValueError) as error:
            raise self.fail(item, part, f"'{text}' is no statement") from error
        if len(tree.body) != 1 or not isinstance(tree.body[0], ast.Assign):
            raise self.fail(item, part, "expected Out = OPERATION(...)")
        assign = tree.body[0]
        target = assign.targets[0]
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        names = []
        for one in parts:
            spread = isinstance(one, ast.Starred)
            name = one.value if isinstance(one, ast.Starred) else one
            if not isinstance(name, ast.Name) or len(assign.targets) != 1:
                raise self.fail(item, part, "names stand before '='")
            slot = next((s for s in self.rule.outputs if s.name == name.id), None)
            if spread != bool(slot and slot.repeated):
                raise self.fail(item, part, f"write *{name.id} for several outputs, else {name.id}")
            names.append((name.id, spread))
        source = ast.get_source_segment(text.strip(), assign.value) or ""
        form = self._expression(item, part, source, emits=True)
        self.names += [name for name, spread in names if not spread]
        targets = " ".join(
            f"(target {name}{' spread' if spread else ''})" for name, spread in names
        )
        return f"(set {targets} {form})"

    def _operations(self) -> None:
        item = self.entry.get("operations")
        if item is not None:
            given = item.value if isinstance(item.value, list) else [item]
            for one in given:
                if one.value not in OPERATIONS:
                    raise self.fail(
                        one, "operations", unknown("operation", str(one.value), OPERATIONS)
                    )
                if one.value not in self.used:
                    self.used.append(one.value)
        if self.rule.converter and item is None:
            raise self.fail(
                self.rule.line, "operations", "a converter needs the operations it adds"
            )
        self.rule.operations = self.used


def parse(
    text: str, file: str, converters: Iterable[str] | None = None, base: Path | None = None
) -> list[Rule]:
    """The rules of a file. `converters`: the hand-written ones; None does not check them. `base`: a
    file from which its operators may inherit as well."""
    return Parser(file, converters, base).parse(text)
