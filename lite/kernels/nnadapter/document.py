"""docs/generated/nnadapter_operators.md, made of the rules."""

from __future__ import annotations

from . import rules

INTRODUCTION = """\
# Operators on NNAdapter's devices

Which operators of Paddle can become NNAdapter operations, how, and when they cannot. Made of
`lite/kernels/nnadapter/operators.yaml` by `python -m nnadapter.generate --docs` (in `lite/kernels`); do not edit.

An operator that is not listed, or to which a reason below applies, runs on the CPU, and the
placement report says so with this reason. What a device takes of the rest is its own affair.

## How a rule is written

```yaml
custom:
  - func: my_scale(Tensor X, Tensor? Bias, *, float factor=1.0) -> Tensor Out
    types: {X: [float32]}
    unsupported:
      - when: rank(X) > 4
        reason: its input has {rank(X)} dimensions, more than 4
    emit:
      - y = MUL(X, float32(factor), int32(FUSED_NONE))
      - Out = ADD(y, Bias, int32(FUSED_NONE)) if has(Bias) else y
```

`lite.kernels.nnadapter.add_operators("mine.yaml")` adds a file at run time, the CMake variable
`LITE_NNADAPTER_RULES` at build time. A mistake is an error that names file, line and field.

| field | meaning |
|---|---|
| `func` | signature: tensors (`Tensor`, `Tensor?` optional, `Tensor[]` several), `*`, attributes with defaults, outputs |
| `types` | element types that an input may have |
| `scalars` | inputs for which a 0-dim parameter or result may stand for one of shape [1] |
| `channel_axis` | the channels of a weight that is quantised per channel |
| `broadcast` | `inputs: [X, Y]` and `axis`: Paddle's broadcasting; the smaller one gets dimensions of 1 around its own |
| `let` | names for expressions, in order |
| `unsupported` | conditions (`when`) under which it stays on the CPU, each with a `reason` |
| `emit` | statements `Out = OPERATION(...)`; `*Out` for several outputs |
| `converter`, `operations` | a converter written in C++, and the operations that it adds |
| `op_version`, `driver_version` | `[first, last]` or `[first, newest]` |
| `structured_inherit`, `with` | fields of another operator, or of the section `shared`; what `$NAME` stands for in them |

Expressions are a part of Python's: `+ - * / // %`, comparisons, `in`, `and`, `or`, `not`,
`a if b else c`, lists, `[... for i in list if ...]`, `list[i]`, `list[a:b]`. A dimension that is not
known makes a condition unknown, and an unknown condition keeps the operator on the CPU.
"""


def versions(ends: tuple[int, int]) -> str:
    return f"{ends[0]} and newer" if ends[1] < 0 else f"{ends[0]} to {ends[1]}"


def entry(rule: rules.Rule) -> list[str]:
    lines = [f"### {rule.op}", "", f"`{rule.signature}`", ""]
    lines.append(f"Becomes {', '.join(rule.operations) or 'nothing: its output is its input'}.")
    if rule.note:
        lines[-1] += " " + rule.note
    if rule.op_version != (0, -1):
        lines.append(f"Versions of the operator: {versions(rule.op_version)}.")
    if rule.driver_version != (1, -1):
        lines.append(f"Versions of the driver: {versions(rule.driver_version)}.")
    if rule.broadcast:
        lines.append(f"Broadcasts {rule.broadcast}.")
    if rule.converter:
        lines.append(f"Converter: `converter/`, `{rule.converter}`.")
    lines.append("")
    if rule.emit:
        lines += ["```", *[" ".join(s.split()) for s in rule.emit]]
        lines += [f"where {name} = {' '.join(text.split())}" for name, text in rule.let]
        lines += ["```", ""]
    if rule.unsupported:
        lines += ["Stays on the CPU when", ""]
        lines += [f"- `{' '.join(when.split())}`: {reason}" for when, reason in rule.unsupported]
        lines.append("")
    return lines


def document(found: list[rules.Rule]) -> str:
    lines = [INTRODUCTION, "| function | value |", "|---|---|"]
    for name, function in rules.FUNCTIONS.items():
        more = " or more" if function.most > function.fewest else ""
        place = "" if not function.emits else "; only in `emit`"
        lines.append(f"| `{name}` ({function.fewest}{more}) | {function.text}{place} |")
    for section in ("official", "custom"):
        chosen = sorted((r for r in found if r.section == section), key=lambda r: r.op)
        if chosen:
            lines += ["", f"## {section.capitalize()} operators: {len(chosen)}", ""]
            for rule in chosen:
                lines += entry(rule)
    return "\n".join(lines).rstrip() + "\n"
