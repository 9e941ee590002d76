"""Small PIR documents, written by hand, for the reader's tests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

FLOAT, BOOL, INT64 = "0.t_f32", "0.t_bool", "0.t_i64"
_TAGS = {bool: "0.a_bool", int: "0.a_i32", float: "0.a_f32", str: "0.a_str"}


def tensor(*dims: int, dtype: str = FLOAT) -> dict[str, Any]:
    return {"#": "0.t_dtensor", "D": [{"#": dtype}, list(dims), "NCHW", [], 0]}


def attribute(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    if isinstance(value, list):
        return {"#": "0.a_array", "D": [attribute(item) for item in value]}
    return {"#": _TAGS[type(value)], "D": value}


def dtype(name: str) -> dict[str, Any]:
    return {"#": "1.a_dtype", "D": name}


def ints(*numbers: int) -> dict[str, Any]:
    return {"#": "1.a_intarray", "D": list(numbers)}


def op(
    tag: str,
    operands: Sequence[int] = (),
    results: dict[int, Any] | None = None,
    regions: Sequence[dict[str, Any]] = (),
    /,
    **attributes: Any,
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "#": tag,
        "I": [{"%": id} for id in operands],
        "O": [{"%": id, "TT": type} for id, type in (results or {}).items()],
        "A": [{"N": key, "AT": attribute(value)} for key, value in attributes.items()],
    }
    if regions:
        found["regions"] = list(regions)
    return found


def feed(id: int, name: str, *dims: int, dtype_tag: str = FLOAT) -> dict[str, Any]:
    return op("1.data", [], {id: tensor(*dims, dtype=dtype_tag)}, name=name, shape=ints(*dims))


def fetch(id: int, source: int, col: int = 0, *dims: int) -> dict[str, Any]:
    return op("1.fetch", [source], {id: tensor(*dims)}, name=f"fetch_name_{col}", col=col)


def region(*ops: dict[str, Any], arguments: dict[int, Any] | None = None) -> dict[str, Any]:
    listed = [{"#": id, "TT": type} for id, type in (arguments or {}).items()]
    return {"#": "region_1", "blocks": [{"#": "block_1", "args": listed, "ops": list(ops)}]}


def document(*ops: dict[str, Any], version: Any = 4, **changes: Any) -> bytes:
    content = {
        "base_code": {"magic": "pir", "trainable": True, "version": version},
        "program": {"regions": [region(*ops)]},
    }
    return json.dumps(content | changes).encode()
