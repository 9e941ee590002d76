"""Programs as Graphviz graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lite.model.program import BlockDesc, Program


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _label(name: str, block: BlockDesc, program: Program) -> str:
    if name in program.params:
        array = program.params[name]
        return f"{name}\n{array.dtype} {'x'.join(map(str, array.shape))}"
    var = block.vars.get(name)
    if var is None or not var.shape:
        return name
    return f"{name}\n{'x'.join('?' if dim < 0 else str(dim) for dim in var.shape)}"


def block_dot(program: Program, block: BlockDesc) -> str:
    """One block: operators are yellow boxes, variables ellipses, parameters grey.

    A variable that is written again becomes another ellipse.
    """
    lines = ["digraph G {", '   node [style="filled" fillcolor="white"]']
    current: dict[str, str] = {}

    def variable(name: str, fresh: bool) -> str:
        if fresh or name not in current:
            current[name] = f"var_{len(lines)}"
            shade = ' fillcolor="lightgrey"' if name in program.params else ""
            label = _quoted(_label(name, block, program))
            lines.append(f"   {current[name]}[label={label}{shade}]")
        return current[name]

    for index, op in enumerate(block.ops):
        lines.append(f'   op_{index}[label={_quoted(op.type)} shape="box" fillcolor="yellow"]')
        for slot, names in op.inputs.items():
            for name in names:
                lines.append(f"   {variable(name, False)} -> op_{index}[label={_quoted(slot)}]")
        for slot, names in op.outputs.items():
            for name in names:
                lines.append(f"   op_{index} -> {variable(name, True)}[label={_quoted(slot)}]")
    return "\n".join([*lines, "}", ""])
