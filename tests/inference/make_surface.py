"""Writes data/surface_VERSION.json: what an installed ``paddle.inference`` offers.

Run it with an interpreter that has paddlepaddle: ``python make_surface.py FOLDER``.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

# The names that paddle.inference has no name for, but hands out.
HANDED_OUT = {
    "LiteNNAdapterConfig": "LiteNNAdapterConfig",
    "PassBuilder": "PaddlePassBuilder",
    "DistConfig": "DistConfig",
    "MkldnnQuantizerConfig": "MkldnnQuantizerConfig",
}


def arguments(doc: str | None) -> list[list[list[str | None]]]:
    """[[name or argN, default or None], ...] of each overload in a pybind docstring."""
    found = []
    for text in re.findall(r"^(?:\d+\. )?\w+\((.*)\) -> ", doc or "", re.M):
        names: list[list[str | None]] = []
        for part in re.split(r", (?=\w+: )", text):
            name, _, rest = part.partition(": ")
            default = rest.partition(" = ")[2].strip()
            if name and name != "self" and not name.startswith("*"):
                names.append([name, re.sub(r"<\w+\.(\w+): -?\d+>", r"\1", default) or None])
        found.append(names)
    return found


def describe(item: Any) -> dict[str, Any]:
    """A class, by its members or methods; a function, by its arguments."""
    if not isinstance(item, type):
        return {"function": arguments(item.__doc__)}
    if hasattr(item, "__members__"):
        return {"members": {name: int(value) for name, value in item.__members__.items()}}
    methods, attributes = {}, []
    for name in sorted(n for n in dir(item) if not n.startswith("_")):
        value = getattr(item, name)
        if callable(value) and not isinstance(value, type):
            methods[name] = arguments(value.__doc__)
        else:
            attributes.append(name)
    return {"methods": methods, "attributes": attributes}


def surface() -> tuple[str, dict[str, Any]]:
    """The version, and every public name with what is in it."""
    import paddle
    import paddle.inference as real

    found = {name: describe(getattr(real, name)) for name in [*real.__all__, "InternalUtils"]}
    for name, theirs in HANDED_OUT.items():
        item = getattr(paddle.base.libpaddle, theirs, None)
        if item is not None:
            found[name] = describe(item)
    return paddle.__version__, found


if __name__ == "__main__":
    version, found = surface()
    lines = [f" {json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(found.items())]
    path = Path(sys.argv[1], f"surface_{version}.json")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
