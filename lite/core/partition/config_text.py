"""Partition configs made from a report."""

from __future__ import annotations

from lite.core.partition.config import MODEL_MARK
from lite.core.partition.config_syntax import quoted
from lite.report.places import FOLDED, Kind, OperatorPlace, Places


def config_line(op: OperatorPlace) -> str:
    """The line ``op_type:inputs:outputs`` that means this operator."""
    inputs = dict.fromkeys(name for names in op.inputs.values() for name in names if name)
    outputs = dict.fromkeys(name for names in op.outputs.values() for name in names if name)
    return ":".join((op.type, ",".join(map(quoted, inputs)), ",".join(map(quoted, outputs))))


def config_text(placement: Places) -> str:
    """A config to be edited: a line takes an operator off the device, ``#`` puts it back.

    Operators that are excluded by the config in use stand there as lines, all others as comments.
    """
    devices = ", ".join(placement.devices) or "the device"
    lines = [
        *([f"{MODEL_MARK}{' '.join(placement.model.split())}"] if placement.model else []),
        f"# Partition config for {devices}.",
        f"# {placement.summary()}.",
        "# A line op_type:inputs:outputs keeps operators on the CPU; inputs and outputs may be",
        "# left out. '@device ...' asks for the device, '@cpu index=3-9' names positions. The last",
        "# line that names an operator counts. Remove the '#' of a line to take its operator off.",
    ]
    heading = ""
    for op in placement.operators:
        if op.is_io or op.place == FOLDED:
            continue
        where = f"subgraph {op.subgraph}" if not op.kind else "CPU"
        if where != heading:
            heading = where
            lines += ["", f"# -- {where}"]
        if op.kind is Kind.CONFIG:
            lines.append(config_line(op))
        elif op.kind:
            lines.append(f"# {config_line(op)}   # {' '.join(op.reason.split())}")
        else:
            lines.append(f"# {config_line(op)}")
    return "\n".join(lines) + "\n"


def subgraph_operators(placement: Places) -> str:
    """The operators of all subgraphs in the config's syntax, as Paddle Lite lists them."""
    ops = [placement.operators[at] for info in placement.subgraphs for at in info.operators]
    return "subgraph operators:\n" + "".join(f"{config_line(op)}\n" for op in ops)
