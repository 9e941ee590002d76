"""Makes configurations.json.xz of what was sampled from Paddle Lite's published operator tests.

python make_configurations.py SAMPLED.jsonl: a line a configuration with `ops` (type, inputs,
outputs, attrs), `inputs` and `weights` (name to shape and dtype) and the names of the `outputs`.
Equal ones are kept once, tensors that no operator reads and attributes that nobody declares are
dropped, and each number gets the type that Paddle 2.6.2 declares, so that plain JSON says it.

The file is a list of configurations [operators, tensors, outputs]; an operator is [type, inputs,
outputs, attributes], a tensor's name leads to [dtype, shape, whether it is a parameter].
"""

from __future__ import annotations

import ast
import json
import lzma
import sys
from pathlib import Path
from typing import Any

from paddle.base.framework import OpProtoHolder

from lite._core import operator_table

FILE = Path(__file__).with_name("configurations.json.xz")
FLOAT, FLOATS = 1, 4


def declared(type: str) -> dict[str, int]:
    """The types of an operator's attributes, by Paddle's numbers."""
    known = OpProtoHolder.instance().op_proto_map
    ours = {row["type"]: row["attrs"] for row in operator_table()}
    own = {name: -1 for name, *_ in ours.get(type, [])}
    return own | {attr.name: attr.type for attr in known[type].attrs} if type in known else own


def attribute(value: Any, kind: int) -> Any:
    if kind == FLOAT:
        return round(float(value), 4)
    if kind == FLOATS:
        return [round(float(v), 4) for v in (value if isinstance(value, list) else [value])]
    return value


def compact(sampled: dict[str, Any]) -> list[Any]:
    ops = []
    for op in sampled["ops"]:
        kinds = declared(op["type"])
        attrs = {k: attribute(v, kinds[k]) for k, v in op["attrs"].items() if k in kinds}
        slots = [{s: names for s, names in op[k].items() if names} for k in ("inputs", "outputs")]
        ops.append([op["type"], *slots, attrs])
    read = {name for op in ops for names in op[1].values() for name in names}
    tensors = {
        name: [tensor["dtype"], tensor["shape"], part == "weights"]
        for part in ("inputs", "weights")
        for name, tensor in sampled[part].items()
        if name in read
    }
    outputs = sampled["outputs"]
    if isinstance(outputs, str):  # a set, as Python prints it
        outputs = sorted(ast.literal_eval(outputs))
    return [ops, tensors, outputs]


def main(path: str) -> None:
    lines = Path(path).read_text().splitlines()
    texts = dict.fromkeys(json.dumps(compact(json.loads(line))) for line in lines)
    FILE.write_bytes(lzma.compress(f"[{','.join(texts)}]".encode(), preset=9))
    print(f"{len(lines)} lines, {len(texts)} configurations, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1])
