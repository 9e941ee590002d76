"""Checks and compiles the fields of one operator."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from .nnadapter_header import OPERATIONS
from .rule_expression import Expression, quote, unknown
from .rule_file import Item, RuleError
from .rule_signature import ATTRIBUTE_TYPES, ELEMENT_TYPES, Rule, Slot, constant_form

if TYPE_CHECKING:
    from .rules import Parser


class Compiler:
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
