"""Checks and compiles the fields of one operator."""

from __future__ import annotations

import ast
import re
from typing import Any

from .nnadapter_header import OPERATIONS
from .rule_expression import Expression, unknown
from .rule_file import Item, Reader, RuleError
from .rule_node import Node, constant
from .rule_signature import ATTRIBUTE_TYPES, ELEMENT_TYPES, Attr, Rule, Slot


class Compiler:
    """Checks and compiles the fields of one operator."""

    def __init__(
        self, reader: Reader, converters: set[str] | None, rule: Rule, entry: dict[str, Item]
    ) -> None:
        self.reader, self.converters, self.rule, self.entry = reader, converters, rule, entry
        self.names = [s.name for s in rule.inputs] + [a.name for a in rule.attrs]
        self.scalars: set[str] = set()
        self.channel_axis: dict[str, int] = {}
        self.used: list[str] = []

    def fail(self, item: Item | int, part: str, message: str) -> RuleError:
        return self.reader.fail(item, f"{self.rule.op}, field {part}", message)

    def run(self) -> Rule:
        self._slots()
        lets = self._let()
        conditions = [*self._types(), *self._broadcast_conditions(), *self._unsupported()]
        body = self._body()
        self._operations()
        rule = self.rule
        rule.node = Node(
            "rule",
            rule.op,
            children=(
                *(self._slot_node("input", slot) for slot in rule.inputs),
                *(self._slot_node("output", slot) for slot in rule.outputs),
                *map(_attribute, rule.attrs),
                *_versions("op_version", rule.op_version, (0, -1)),
                *_versions("driver_version", rule.driver_version, (1, -1)),
                *lets,
                *conditions,
                *body,
            ),
        )
        return rule

    def _slot_node(self, kind: str, slot: Slot) -> Node:
        facts: list[Any] = ["optional"] * slot.optional + ["repeated"] * slot.repeated
        if kind == "input":
            facts += ["scalar"] * (slot.name in self.scalars)
            facts += [axis for name, axis in self.channel_axis.items() if name == slot.name]
        return Node(kind, slot.name, children=tuple(map(constant, facts)))

    def _expression(self, item: Item, part: str, text: str, emits: bool = False) -> Node:
        compiler = Expression(self.names, emits)
        try:
            node = compiler.compile(text)
        except ValueError as error:
            raise self.fail(item, part, str(error)) from error
        self.used += [name for name in compiler.used if name not in self.used]
        return node

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
                self.scalars.add(item.value)
        for name, item in self._mapping("channel_axis").items():
            self._slot(item, "channel_axis", name)
            if not isinstance(item.value, int) or not 0 <= item.value < 8:
                raise self.fail(item, "channel_axis", "expected a number from 0 to 7")
            self.channel_axis[name] = item.value

    def _mapping(self, part: str) -> dict[str, Item]:
        item = self.entry.get(part)
        if item is None or item.value is None:
            return {}
        if not isinstance(item.value, dict):
            raise self.fail(item, part, "expected names with values")
        return dict(item.value)

    def _let(self) -> list[Node]:
        nodes = []
        for name, item in self._mapping("let").items():
            if not re.fullmatch(r"[a-z_]\w*", name):
                raise self.fail(item, f"let {name}", "expected a name in small letters")
            text = str(item.value)
            value = self._expression(item, f"let {name}", text)
            nodes.append(Node("let", name, children=(value,)))
            self.rule.let.append((name, text))
            self.names.append(name)
        return nodes

    def _condition(
        self, item: Item, part: str, when: str, reason: str, text: Item | None = None
    ) -> Node:
        self.rule.unsupported.append((when, reason))
        condition = self._expression(item, f"{part}.when", when)
        sentence = self._reason(text or item, f"{part}.reason", reason)
        return Node("unsupported", children=(condition, sentence))

    def _reason(self, item: Item, part: str, text: str) -> Node:
        if not text.strip() or text.rstrip().endswith("."):
            raise self.fail(item, part, "expected one sentence without a full stop")
        pieces = []
        for i, piece in enumerate(re.split(r"[{}]", text)):
            if i % 2:
                pieces.append(self._expression(item, part, piece))
            elif piece:
                pieces.append(constant(piece))
        if text.count("{") != text.count("}"):
            raise self.fail(item, part, "a brace is not closed")
        return Node("join", children=tuple(pieces))

    def _types(self) -> list[Node]:
        nodes = []
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
            nodes.append(self._condition(item, "types", when, reason))
        return nodes

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

    def _broadcast_conditions(self) -> list[Node]:
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

    def _unsupported(self) -> list[Node]:
        item = self.entry.get("unsupported")
        if item is None or item.value is None:
            return []
        if not isinstance(item.value, list):
            raise self.fail(item, "unsupported", "expected a list of when and reason")
        nodes = []
        for i, condition in enumerate(item.value):
            part = f"unsupported[{i}]"
            fields = condition.value
            if not isinstance(fields, dict) or set(fields) != {"when", "reason"}:
                raise self.fail(condition, part, "expected when and reason")
            when, reason = str(fields["when"].value), str(fields["reason"].value)
            nodes.append(self._condition(fields["when"], part, when, reason, fields["reason"]))
        return nodes

    def _body(self) -> list[Node]:
        emit, converter = self.entry.get("emit"), self.entry.get("converter")
        if (emit is None) == (converter is None):
            raise self.fail(self.rule.line, "emit", "expected either emit or converter")
        if converter is not None:
            name = str(converter.value)
            known = self.converters
            if known is not None and name not in known:
                raise self.fail(converter, "converter", unknown("converter", name, known))
            self.rule.converter = name
            return [Node("converter", name)]
        assert emit is not None
        statements = emit.value if isinstance(emit.value, list) else [emit]
        nodes = []
        found = self._broadcast()
        if found is not None:
            x, y, axis, item = found
            for one, other in ((x, y), (y, x)):
                nodes.append(
                    self._statement(item, "broadcast", f"{one} = align({one}, {other}, {axis})")
                )
        for i, statement in enumerate(statements):
            text = str(statement.value)
            self.rule.emit.append(text)
            nodes.append(self._statement(statement, f"emit[{i}]", text))
        assigned = {part.text for node in nodes for part in node.children if part.kind == "target"}
        missing = [s.name for s in self.rule.outputs if not s.optional and s.name not in assigned]
        if missing:
            raise self.fail(emit, "emit", f"nothing is assigned to {', '.join(missing)}")
        return nodes

    def _statement(self, item: Item, part: str, text: str) -> Node:
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
        value = self._expression(item, part, source, emits=True)
        self.names += [name for name, spread in names if not spread]
        targets = (Node("target", name, children=(constant(spread),)) for name, spread in names)
        return Node("set", children=(*targets, value))

    def _operations(self) -> None:
        item = self.entry.get("operations")
        if item is not None:
            given = item.value if isinstance(item.value, list) else [item]
            for one in given:
                if not isinstance(one.value, str) or one.value not in OPERATIONS:
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


def _attribute(attr: Attr) -> Node:
    default = () if attr.required else (constant(attr.default),)
    return Node("attribute", attr.name, children=(constant(ATTRIBUTE_TYPES[attr.type]), *default))


def _versions(kind: str, ends: tuple[int, int], every: tuple[int, int]) -> list[Node]:
    return [] if ends == every else [Node(kind, children=tuple(map(constant, ends)))]
