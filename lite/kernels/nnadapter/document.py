"""docs/nnadapter_operators.md, made of the rules."""

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

FUNCTION_TEXTS = {
    "rank": "the number of dimensions",
    "dims": "the dimensions",
    "dtype": "the element type: float32, int64, quant_int8, ...",
    "has": "whether an optional input is there",
    "is_constant": "whether an input is absent or does not depend on what is fed",
    "is_zero_dim": "whether an input is a 0-dim tensor that stands for one of shape [1]",
    "is_shape": "whether inputs are constants or computed from shapes alone",
    "is_fed": "whether an input comes from outside of the subgraph",
    "is_known": "whether a number, or each of a list, is known before the model runs",
    "has_lod": "whether an input's rows may be those of sequences",
    "is_quantized": "whether an input is quantised",
    "row_is_zero": "whether a row of a constant matrix is all zeros",
    "ints": "the integers of a constant",
    "floats": "the floats of a constant",
    "len": "the length of a list",
    "min": "the smallest of a list or of the arguments",
    "max": "the largest",
    "sum": "the sum of a list",
    "prod": "the product of a list",
    "all": "whether all of a list are true",
    "any": "whether one is",
    "abs": "the absolute value",
    "float": "a number, or a text that is one",
    "range": "the integers below, or from and below",
    "sorted": "integers in ascending order",
    "unique": "whether all are different",
    "axis": "an axis, or a list of them, in [0, rank)",
    "unsqueeze_axes": "where axes that are inserted one after the other end up",
    "reshape_to": "a shape in which one unknown dimension is -1",
    "dtype_code": "the NNAdapter precision of a Paddle dtype attribute",
    "precision_code": "the NNAdapter precision of an input",
    "fuse_code": "the fuse code of an activation, -1 where there is none",
    "int32": "a constant of shape [1]",
    "int32s": "a constant list; nothing where it is empty",
    "int64s": "a constant list",
    "float32": "a constant of shape [1]",
    "float32s": "a constant list",
    "bool8": "a constant of shape [1]",
    "scalar_like": "a constant of shape [1] and an input's type",
    "scalar_of": "a constant of shape [1] and the type that a precision names",
    "align": "an input with dimensions of 1 around its own, for broadcasting to another at an axis",
    "activate": "an activation by name, with its parameters",
    "bias": "a bias of so many channels for an input and weights; zeros where there is none",
    "int_list": "integers from a tensor, a list of tensors or an attribute, as one operand",
}


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
    for name, (fewest, most, emits) in rules.FUNCTIONS.items():
        count = f"{fewest}" if fewest == most else f"{fewest} or more"
        place = "" if not emits else "; only in `emit`"
        lines.append(f"| `{name}` ({count}) | {FUNCTION_TEXTS[name]}{place} |")
    for section in ("official", "custom"):
        chosen = sorted((r for r in found if r.section == section), key=lambda r: r.op)
        if chosen:
            lines += ["", f"## {section.capitalize()} operators: {len(chosen)}", ""]
            for rule in chosen:
                lines += entry(rule)
    return "\n".join(lines).rstrip() + "\n"
