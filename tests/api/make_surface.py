"""Writes data/paddlelite_surface.json: what a real paddlelite wheel offers.

Run it with an interpreter that has the wheel: ``python make_surface.py OUT.json``.
"""

import json
import re
import sys

import paddlelite.lite as real


def arguments(doc):
    """[[name, default or None], ...] of each overload in a pybind docstring."""
    overloads = re.findall(r"^(?:\d+\. )?\w+\((.*)\) -> ", doc or "", re.M)
    found = []
    for text in overloads:
        names = []
        for part in re.split(r", (?=\w+: )", text):
            name, _, rest = part.partition(":")
            default = rest.partition(" = ")[2].strip()
            if name and name != "self":
                names.append([name.strip(), re.sub(r"<(.*): \d+>", r"\1", default) or None])
        found.append(names)
    return found


def surface():
    """Names to their enum members or methods."""
    out = {}
    for name in sorted(dir(real)):
        item = getattr(real, name)
        if name.startswith("__"):
            continue
        if not isinstance(item, type):
            out[name] = {"function": arguments(item.__doc__)}
        elif hasattr(item, "__members__"):
            out[name] = {"members": {k: int(v) for k, v in item.__members__.items()}}
        else:
            methods = {m for m in dir(item) if not m.startswith("__")}
            own_init = "self" in (item.__init__.__doc__ or "").partition("(")[2].partition(":")[0]
            out[name] = {
                "methods": {m: arguments(getattr(item, m).__doc__) for m in sorted(methods)},
                "init": arguments(item.__init__.__doc__) if own_init else None,
            }
    return out


if __name__ == "__main__":
    with open(sys.argv[1], "w") as file:
        lines = [f" {json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(surface().items())]
        file.write("{\n" + ",\n".join(lines) + "\n}\n")
