"""Patterns and rewrites in the text in which a Program prints.

A pattern is a list of operators, one a line; the last line is the *root*, whose result the rewrite
produces::

    Output: [%c] = conv2d/depthwise_conv2d@conv(Input: [%x], Filter: [%w:param], Bias: [%b:param?])
    Out: [%out] = elementwise_add@add(X/Y: [%c], Y/X: [%y:param]) {axis: int -1}

* ``a/b`` as a type: one of these operators. ``@label`` names the operator for the rewrite.
* ``%x`` stands for any value; used twice, it is the same value twice.
* ``%x:param``: a parameter that nothing writes. ``%x:param?`` and ``%x:any?``: may be absent.
* ``%x...`` as the only one in a slot: any number of values.
* ``X/Y: [...], Y/X: [...]``: the operands may stand the other way round.
* An input slot that the pattern does not name must be absent or empty, an output that it does not
  name must have no reader.
* A value between two operators of the pattern must have no other reader, unless it is marked
  ``%x:shared``; then its operator stays where others read it.
* Attributes: ``{axis: int -1}`` must be there; ``{axis/absent: int -1}`` may also be missing.

A rewrite is a list of operators in the same text. A type ``@label`` takes type and attributes from
a matched operator, ``fc@label`` only the attributes; attributes written out replace those, and
``{name: var %v}`` sets the attribute that the rule's function returned under ``v`` (none: the
attribute is taken out). A line ``%out = %x`` lets all readers of ``%out`` read ``%x`` instead.

The rule's function decides (None: leave everything as it is) and returns new parameters (arrays)
and attributes by variable name. A new parameter under the name of a matched one replaces it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

import numpy as np

from lite.core.optimizer.graph import Graph, Node, Value
from lite.core.optimizer.infer import infer_node
from lite.model.program import Attr, AttrType, OpDesc
from lite.model.text import parse_op, print_op

Folded = Mapping[str, "np.ndarray | Attr | None"]
Fold = Callable[["Match"], "Folded | None"]
Trace = Callable[[list[str], list[str]], None]


@dataclass(frozen=True, slots=True)
class Var:
    """A pattern variable in a slot."""

    name: str
    param: bool = False
    optional: bool = False
    shared: bool = False
    rest: bool = False


@dataclass(slots=True)
class OpPattern:
    """One line of a pattern; ``variants`` are its input slots, once for each operand order."""

    types: frozenset[str]
    label: str
    variants: list[dict[str, list[Var]]]
    slots: frozenset[str]
    outputs: dict[str, list[Var]]
    attrs: list[tuple[str, bool, object]]


@dataclass(slots=True)
class NewOp:
    """One operator of a rewrite; ``label`` is the matched operator whose attributes it takes."""

    type: str
    label: str
    inputs: dict[str, list[Var]]
    outputs: dict[str, list[Var]]
    attrs: dict[str, Attr]


@dataclass(slots=True)
class Match:
    """What a pattern's variables and labels stand for in one place of a graph."""

    graph: Graph
    root: Node
    values: dict[str, Value | None] = field(default_factory=dict)
    lists: dict[str, list[Value]] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)

    def value(self, name: str) -> Value:
        """The value that a variable stands for; KeyError where it is absent."""
        value = self.values[name]
        if value is None:
            raise KeyError(name)
        return value

    def has(self, name: str) -> bool:
        """Whether an optional variable is there."""
        return self.values.get(name) is not None

    def array(self, name: str) -> np.ndarray:
        """A parameter's array; KeyError where it is absent."""
        array = self.value(name).array
        if array is None:
            raise KeyError(name)
        return array

    def optional_array(self, name: str) -> np.ndarray | None:
        """A parameter's array, or None where the variable is absent."""
        return self.array(name) if self.has(name) else None


def _parse_var(text: str) -> Var:
    name, _, flags = text.partition(":")
    rest = name.endswith("...")
    optional = flags.endswith("?") or flags.endswith("-maybe")
    kind = flags.removesuffix("?").removesuffix("-maybe")
    if not name.startswith("%") or kind not in ("", "any", "param", "shared"):
        raise ValueError(f"pattern variable {text!r}: expected %name, %name:param, %name:shared")
    return Var(name.removesuffix("..."), kind == "param", optional, kind == "shared", rest)


def _vars(names: list[str]) -> list[Var]:
    return [_parse_var(name) for name in names]


def _variants(slots: Mapping[str, list[str]]) -> list[dict[str, list[Var]]]:
    """Every way in which the slots with alternatives can be told apart."""
    names = list(slots)
    variables = [_vars(slots[name]) for name in names]
    found = []
    for choice in product(*(name.split("/") for name in names)):
        if len(set(choice)) == len(choice):
            found.append(dict(zip(choice, variables, strict=True)))
    return found


def _lines(text: str) -> list[str]:
    """The operators of a text; one may go on over several lines inside its brackets."""
    lines: list[str] = []
    depth = 0
    for line in filter(None, map(str.strip, text.splitlines())):
        if depth or (lines and lines[-1].endswith("=")):
            lines[-1] += " " + line
        else:
            lines.append(line)
        depth += sum(line.count(c) for c in "([{") - sum(line.count(c) for c in ")]}")
    return lines


def _quote_optional(line: str) -> str:
    """``?`` is not a letter of the Program's text; inside it stands as ``-maybe``."""
    return line.replace("?]", "-maybe]").replace("?,", "-maybe,")


def _parse_line(line: str) -> OpDesc:
    return parse_op(_quote_optional(line))


def _op_pattern(line: str) -> OpPattern:
    op = _parse_line(line)
    types, _, label = op.type.partition("@")
    attrs = []
    for name, attr in op.attrs.items():
        plain = name.removesuffix("/absent")
        attrs.append((plain, plain != name, attr.value))
    variants = _variants(op.inputs)
    return OpPattern(
        frozenset(types.split("/")),
        label,
        variants,
        frozenset(slot for variant in variants for slot in variant),
        {slot: _vars(names) for slot, names in op.outputs.items()},
        attrs,
    )


def _new_op(line: str) -> NewOp:
    op = _parse_line(line)
    type, _, label = op.type.partition("@")
    inputs = {slot: _vars(names) for slot, names in op.inputs.items()}
    outputs = {slot: _vars(names) for slot, names in op.outputs.items()}
    return NewOp(type, label, inputs, outputs, op.attrs)


class Pattern:
    """A compiled pattern; ``match`` tries it with a node as the root."""

    def __init__(self, text: str) -> None:
        self.lines = [_op_pattern(line) for line in _lines(text)]
        self.order = list(reversed(self.lines))
        self.root = self.lines[-1]
        self.shared = {
            var.name
            for line in self.lines
            for variant in line.variants
            for variables in variant.values()
            for var in variables
            if var.shared
        }
        self._check()
        writer = {v.name: line for line in self.lines for vs in line.outputs.values() for v in vs}
        self._quick = [_quick_needs(variant, writer) for variant in self.root.variants]

    def possible(self, root: Node) -> bool:
        """A cheap look at the root's operands: False where the pattern certainly does not fit."""
        for needs in self._quick:
            for slot, index, types in needs:
                value = root.input(slot, index)
                if value is None:
                    break
                if types is None:
                    if value.array is None:
                        break
                elif value.producer is None or value.producer.type not in types:
                    break
            else:
                return True
        return False

    def _check(self) -> None:
        seen: set[str] = set()
        for i, line in enumerate(self.order):
            own = {var.name for variables in line.outputs.values() for var in variables}
            if i and not own & seen:
                raise ValueError("pattern: no later line reads what a line writes")
            for variables in line.variants[0].values():
                seen.update(var.name for var in variables)

    def match(self, graph: Graph, root: Node, provided: frozenset[str]) -> Match | None:
        """The first way in which the pattern fits with ``root`` as its last operator.

        ``provided`` are the variables that the rewrite produces; others must have no reader.
        """
        start = Match(graph, root)
        for found in self._extend(0, start):
            if self._isolated(found, provided):
                return found
        return None

    def _extend(self, index: int, match: Match) -> Iterator[Match]:
        if index == len(self.order):
            yield match
            return
        line = self.order[index]
        node = match.root if index == 0 else self._producer(line, match)
        if node is None or node.type not in line.types or node.block is not match.root.block:
            return
        if node in match.nodes.values() or not _attrs_fit(line, node):
            return
        for slot, values in node.inputs.items():
            if values and slot not in line.slots:
                return
        for variant in line.variants:
            bound = _bind(line, variant, node, match, index)
            if bound is not None:
                yield from self._extend(index + 1, bound)

    @staticmethod
    def _producer(line: OpPattern, match: Match) -> Node | None:
        for slot, variables in line.outputs.items():
            for i, var in enumerate(variables):
                value = match.values.get(var.name)
                if value is not None:
                    node = value.producer
                    return node if node is not None and node.output(slot, i) is value else None
        return None

    def _isolated(self, match: Match, provided: frozenset[str]) -> bool:
        """Nothing outside the match needs what goes, and nothing that it reads changes before."""
        nodes = set(match.nodes.values())
        kept = {match.values[name] for name in self.shared}
        produced = {match.values.get(name) for name in provided}
        for node in nodes:
            for value in node.output_values():
                if node is match.root:
                    if not value.dead and value not in produced:
                        return False
                elif value in kept:
                    if not value.stable:
                        return False
                elif value.pinned or not all(use in nodes for use in value.uses):
                    return False
            if node is match.root:
                continue
            for value in node.input_values():
                if value.stable or value.producer in nodes:
                    continue
                if not _unchanged(value, node, match.root):
                    return False
        return True


def _unchanged(value: Value, node: Node, until: Node) -> bool:
    """Whether nothing from ``node`` up to ``until`` writes another version of the value."""
    at = node.next
    while at is not None and at is not until:
        writes = (*at.output_values(), *at.hidden_writes)
        if any(other.name == value.name for other in writes):
            return False
        at = at.next
    return at is not None


def _quick_needs(
    variant: Mapping[str, list[Var]], writer: Mapping[str, OpPattern]
) -> list[tuple[str, int, frozenset[str] | None]]:
    """(slot, index, types of the producer; None for a parameter) of what must be there."""
    needs: list[tuple[str, int, frozenset[str] | None]] = []
    for slot, variables in variant.items():
        for index, var in enumerate(variables):
            if var.name in writer:
                needs.append((slot, index, writer[var.name].types))
            elif var.param and not var.optional:
                needs.append((slot, index, None))
    return needs


def _attrs_fit(line: OpPattern, node: Node) -> bool:
    for name, may_be_absent, wanted in line.attrs:
        found = node.attrs.get(name)
        if found is None:
            if not may_be_absent:
                return False
        elif found.value != wanted:
            return False
    return True


def _bind(
    line: OpPattern, variant: dict[str, list[Var]], node: Node, match: Match, index: int
) -> Match | None:
    """The match with one more operator's variables, or None where they do not fit."""
    new: dict[str, Value | None] = {}
    lists: dict[str, list[Value]] = {}
    for listed, slots in ((variant, node.inputs), (line.outputs, node.outputs)):
        for slot, variables in listed.items():
            found = slots.get(slot, ())
            if variables and variables[0].rest:
                lists[variables[0].name] = list(found)
                continue
            if listed is variant and len(found) > len(variables):
                return None
            for i, var in enumerate(variables):
                value = found[i] if i < len(found) else None
                if value is None:
                    if not var.optional:
                        return None
                elif var.param and value.array is None:
                    return None
                name = var.name
                if name in new:
                    if new[name] is not value:
                        return None
                elif name in match.values and match.values[name] is not value:
                    return None
                new[name] = value
    nodes = {**match.nodes, line.label or f"#{index}": node}
    return Match(
        match.graph,
        match.root,
        match.values | new,
        match.lists | lists if lists else match.lists,
        nodes,
    )


@dataclass
class Rule:
    """A pattern, its rewrite and the function that decides and folds numbers."""

    pattern: str
    rewrite: str
    fold: Fold | None = None

    @cached_property
    def root_types(self) -> tuple[str, ...]:
        """The types of the pattern's last operator, read without compiling the rest."""
        call, _, _ = _lines(self.pattern)[-1].partition("(")
        return tuple(call.rpartition("=")[2].strip().partition("@")[0].split("/"))

    @cached_property
    def compiled(self) -> Pattern:
        """The compiled pattern."""
        return Pattern(self.pattern)

    @cached_property
    def result(self) -> list[NewOp | tuple[str, str]]:
        """The rewrite's lines: operators, or (out, source) for ``%out = %source``."""
        lines: list[NewOp | tuple[str, str]] = []
        for line in _lines(self.rewrite):
            out, equals, source = (part.strip() for part in line.partition("="))
            if equals and "(" not in line:
                lines.append((out, source))
            else:
                lines.append(_new_op(line))
        return lines

    @cached_property
    def provided(self) -> frozenset[str]:
        """The variables that the rewrite produces or forwards."""
        names: set[str] = set()
        for line in self.result:
            if isinstance(line, tuple):
                names.add(line[0])
            else:
                names.update(var.name for listed in line.outputs.values() for var in listed)
        return frozenset(names)


def apply_rule(rule: Rule, graph: Graph, root: Node, trace: Trace | None = None) -> bool:
    """Applies a rule with ``root`` as the pattern's last operator; False where it does not fit.

    ``trace`` is called with the operators' lines before and after.
    """
    if not rule.compiled.possible(root):
        return False
    match = rule.compiled.match(graph, root, rule.provided)
    if match is None:
        return False
    for line in rule.result:
        if isinstance(line, tuple) and not graph.can_forward(
            match.value(line[0]), match.value(line[1])
        ):
            return False
    folded = rule.fold(match) if rule.fold is not None else {}
    if folded is None:
        return False
    if trace is None:
        _rewrite(rule, match, folded)
    else:
        before = [print_op(node.desc()) for node in reversed(match.nodes.values())]
        added = _rewrite(rule, match, folded)
        trace(before, [print_op(node.desc()) for node in added])
    return True


def _rewrite(rule: Rule, match: Match, folded: Folded) -> list[Node]:
    graph = match.graph
    values = dict(match.values)
    attrs = {}
    old_params: list[Value] = [v for v in match.values.values() if v is not None and v.is_param]
    outputs = list(match.root.output_values())
    base = outputs[0].name if outputs else match.root.type
    takes_over: list[tuple[Value, Value]] = []
    for name, item in folded.items():
        if isinstance(item, np.ndarray):
            old = match.values.get(f"%{name}")
            new = graph.add_param(old.name if old is not None else f"{base}.{name}", item)
            if old is not None:
                takes_over.append((old, new))
            values[f"%{name}"] = new
        else:
            attrs[name] = item
    added: list[Node] = []
    for line in rule.result:
        if isinstance(line, tuple):
            graph.forward(match.value(line[0]), match.value(line[1]))
        else:
            added.append(_emit(line, match, values, attrs))
    for node in added:
        infer_node(node, overwrite=False)
    graph.remove(match.root)
    for node in match.nodes.values():
        if node is not match.root:
            graph.remove_dead(node)
    for param in old_params:
        graph.drop_param(param)
    for old, new in takes_over:
        _take_name(graph, old, new)
    return added


def _take_name(graph: Graph, old: Value, new: Value) -> None:
    """Gives a folded parameter the name of the one that it replaced, where that is gone."""
    if old.name in graph.params or old.name in graph.names:
        return
    graph.params.pop(new.name)
    graph.names.discard(new.name)
    new.name = graph.fresh_name(old.name)
    graph.params[new.name] = new


def _emit(
    line: NewOp,
    match: Match,
    values: dict[str, Value | None],
    attrs: Mapping[str, Attr | None],
) -> Node:
    graph = match.graph
    source = match.nodes[line.label] if line.label else None
    new_attrs = dict(source.attrs) if source is not None else {}
    for name, attr in line.attrs.items():
        if attr.type == AttrType.VAR:
            computed = attrs.get(str(attr.value).removeprefix("%"))
            if computed is None:
                new_attrs.pop(name, None)
            else:
                new_attrs[name] = computed
        else:
            new_attrs[name] = attr
    inputs = _slots(line.inputs, match, values)
    outputs: dict[str, list[Value]] = {}
    for slot, variables in line.outputs.items():
        outputs[slot] = []
        for var in variables:
            name = var.name
            value = values.get(name)
            if value is None:
                if name in values:
                    continue
                base = match.root.type if not outputs else name.removeprefix("%")
                value = values[name] = Value(graph.fresh_name(f"{base}_fused"))
            outputs[slot].append(value)
    outputs = {slot: listed for slot, listed in outputs.items() if listed}
    kind = line.type or (source.type if source is not None else "")
    return graph.insert(match.root, kind, inputs, outputs, new_attrs)


def _slots(
    slots: Mapping[str, list[Var]], match: Match, values: Mapping[str, Value | None]
) -> dict[str, list[Value]]:
    found: dict[str, list[Value]] = {}
    for slot, variables in slots.items():
        listed: list[Value] = []
        for var in variables:
            if var.rest:
                listed += match.lists[var.name]
            else:
                value = values.get(var.name)
                if value is not None:
                    listed.append(value)
        if listed:
            found[slot] = listed
    return found
