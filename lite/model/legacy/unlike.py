"""What operators here have that Paddle 2.6 has not: `paddle_2_6.csv`, which
`tests/models/paddle_2_6.py` writes."""

from __future__ import annotations

import csv
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from lite.model.declared import declared
from lite.model.legacy.writer import CannotHold
from lite.model.pdmodel import COMPUTED_ATTRS
from lite.model.program import Attr, AttrType, OpDesc

_VALUES: dict[str, dict[str, tuple[str, ...]]] = {
    "grid_sampler": {"mode": ("bilinear", "nearest")},
    "rnn": {"mode": ("LSTM", "GRU", "RNN_TANH", "RNN_RELU")},
}
"""What attributes may be in Paddle 2.6, where more is known here."""


@dataclass(frozen=True)
class _Unlike:
    """What an operator here has that Paddle 2.6 has not, and the attributes that it insists on."""

    absent: bool = False
    no_input: tuple[str, ...] = ()
    no_attribute: tuple[str, ...] = ()
    required: tuple[str, ...] = ()


@cache
def _unlike() -> dict[str, _Unlike]:
    found: dict[str, _Unlike] = {}
    text = (files(__package__) / "paddle_2_6.csv").read_text("utf-8")
    for row in csv.DictReader(text.splitlines()):
        names: Any = row["word"] == "absent" or tuple(row["names"].split())
        found[row["operator"]] = replace(
            found.get(row["operator"], _Unlike()), **{row["word"]: names}
        )
    return found


def check(op: OpDesc) -> None:
    """Raises CannotHold for what Paddle 2.6 would refuse or, worse, leave aside; attributes that it
    does not know go where they say nothing."""
    unlike, known = _unlike().get(op.type, _Unlike()), declared(op.type)
    if unlike.absent:
        raise CannotHold("")
    for (name, type), slot in COMPUTED_ATTRS.items():
        if op.inputs.get(slot) and slot in unlike.no_input:
            value = op.inputs.pop(slot)
            op.attrs[name] = Attr(type, value if type is AttrType.VARS else value[0])
    for slot in unlike.no_input:
        if op.inputs.get(slot):
            raise CannotHold(f"the input {slot}")
    for name, values in _VALUES.get(op.type, {}).items():
        if op.attr(name, values[0]) not in values:
            raise CannotHold(f"{name} is {op.attr(name)!r}")
    if known is None:
        return
    for name in unlike.no_attribute:
        value = op.attr(name, known.defaults[name])
        if value != known.defaults[name]:
            text = repr(value)
            raise CannotHold(f"{name} is {text}" if len(text) < 30 else f"{name} is set")
        op.attrs.pop(name, None)
    for name in unlike.required:
        if name not in op.attrs:
            op.attrs[name] = known.attr(name, known.defaults[name])
