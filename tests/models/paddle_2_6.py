"""Writes lite/model/legacy/paddle_2_6.csv: what operators here have that Paddle 2.6 has not.

Run it where paddlepaddle 2.6.2 is installed: `python tests/models/paddle_2_6.py FILE`.
"""

from __future__ import annotations

import sys

from lite import _core
from lite.model.declared import declared

HARMLESS = frozenset(
    "Before message stable single_in_middle round_type values "
    "bool_values fp32_values fp64_values int32_values int64_values".split()
)
"""What Paddle 2.6 may leave aside: the order of equals, the centre of one pixel, the rounding that
its own older versions wrote, and what is said twice for Paddle 3."""


def rows() -> list[str]:
    """The lines of the table."""
    from paddle.base import core
    from paddle.base.framework import OpProtoHolder

    known = OpProtoHolder.instance().op_proto_map
    made = ["operator,word,names"]
    for type in sorted(row["type"] for row in _core.operator_table()):
        ours = declared(type)
        assert ours is not None
        if type not in known:
            made.append(f"{type},absent,")
            continue
        slots = {slot.name for slot in known[type].inputs}
        found = {attr.name for attr in known[type].attrs}
        defaults = core.get_op_attrs_default_value(type.encode())
        own = [name for name in ours.attrs if not name.startswith("__")]
        for word, names in (
            ("no_input", [name for name in ours.inputs if name not in slots]),
            ("no_attribute", [name for name in own if name not in found | set(defaults)]),
            ("required", [n for n in own if n in found and n not in defaults]),
        ):
            kept = [name for name in names if name not in HARMLESS]
            if kept:
                made.append(f"{type},{word},{' '.join(kept)}")
    return made


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("\n".join(rows()) + "\n")
