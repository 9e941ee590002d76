"""Reads and checks operators.yaml, and files like it, and makes the nodes that C++ takes.

A file declares how operators become NNAdapter operations; docs/generated/nnadapter_operators.md
describes the fields and the expressions. `parse` raises RuleError naming file, line and field for
any mistake. Used at build time by generate.py and at run time by
`lite.kernels.nnadapter.add_operators`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from .rule_compiler import Compiler
from .rule_expression import unknown
from .rule_file import Item, Reader, RuleError
from .rule_functions import FUNCTIONS
from .rule_signature import (
    ATTRIBUTE_TYPES,
    SIGNATURE,
    Rule,
    parse_attribute,
    parse_tensor,
    split_arguments,
)

__all__ = ["ATTRIBUTE_TYPES", "FUNCTIONS", "Parser", "Rule", "RuleError", "parse"]

FIELDS = (
    "func operations op_version driver_version types scalars channel_axis broadcast let "
    "unsupported emit converter structured_inherit with note"
).split()
INHERITED = "types scalars channel_axis broadcast let unsupported emit converter operations".split()
SECTIONS = ("official", "custom", "shared")


class Parser:
    """One file. `base` is another, from which its operators may inherit."""

    def __init__(
        self, file: str, converters: Iterable[str] | None, base: Path | None = None
    ) -> None:
        self.reader = Reader(file)
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
        return Compiler(self.reader, self.converters, rule, entry).run()

    def _signature(self, rule: Rule) -> None:
        match = SIGNATURE.fullmatch(rule.signature)
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


def parse(
    text: str, file: str, converters: Iterable[str] | None = None, base: Path | None = None
) -> list[Rule]:
    """The rules of a file. `converters`: the hand-written ones; None does not check them. `base`: a
    file from which its operators may inherit as well."""
    return Parser(file, converters, base).parse(text)
