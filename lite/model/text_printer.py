"""Operators and programs to text; the syntax stands in ``lite.model.text``."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from lite.model.program import ITEM_TYPES, Attr, AttrType, OpDesc, Port, Program, VarDesc

KEY = re.compile(r"[A-Za-z0-9_.@%/+\-]+")
"""A slot, attribute, operator or declared name that stands bare."""

NAME = re.compile(r"[A-Za-z0-9_.@%/+\-:]+")
"""A name in a list that stands bare."""

ATTR_WORDS: dict[AttrType, str] = {
    AttrType.INT: "int",
    AttrType.FLOAT: "float",
    AttrType.STRING: "string",
    AttrType.INTS: "ints",
    AttrType.FLOATS: "floats",
    AttrType.STRINGS: "strings",
    AttrType.BOOLEAN: "bool",
    AttrType.BOOLEANS: "bools",
    AttrType.BLOCK: "block",
    AttrType.LONG: "long",
    AttrType.BLOCKS: "blocks",
    AttrType.LONGS: "longs",
    AttrType.FLOAT64S: "float64s",
    AttrType.VAR: "var",
    AttrType.VARS: "vars",
    AttrType.FLOAT64: "float64",
    AttrType.SCALAR: "scalar",
    AttrType.SCALARS: "scalars",
}
"""The word that stands before a value of each attribute type."""


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _key(name: str) -> str:
    return name if KEY.fullmatch(name) else _quote(name)


def _name(name: str) -> str:
    return name if NAME.fullmatch(name) else _quote(name)


def _float32(value: float) -> str:
    """The shortest text that reads back as the same float32."""
    return str(np.float32(value)) if math.isfinite(value) else repr(value)


def _scalar(value: Any) -> str:
    if isinstance(value, complex):
        return f"{value.real!r}{value.imag:+}j"
    return _boolean(value) if isinstance(value, bool) else repr(value)


def _boolean(value: Any) -> str:
    return "true" if value else "false"


def _integer(value: Any) -> str:
    return str(int(value))


def _float64(value: Any) -> str:
    return repr(float(value))


_PRINTERS: dict[AttrType, Callable[[Any], str]] = {
    AttrType.INT: _integer,
    AttrType.FLOAT: _float32,
    AttrType.STRING: _quote,
    AttrType.BOOLEAN: _boolean,
    AttrType.BLOCK: _integer,
    AttrType.LONG: _integer,
    AttrType.VAR: _name,
    AttrType.FLOAT64: _float64,
    AttrType.SCALAR: _scalar,
}


def print_attr(attr: Attr) -> str:
    """An attribute's type word and value, as in ``ints [1, 2]``."""
    item = ITEM_TYPES.get(attr.type)
    if item is None:
        return f"{ATTR_WORDS[attr.type]} {_PRINTERS[attr.type](attr.value)}"
    return f"{ATTR_WORDS[attr.type]} [{', '.join(map(_PRINTERS[item], attr.value))}]"


def _print_slots(slots: Mapping[str, Iterable[str]]) -> str:
    return ", ".join(
        f"{_key(slot)}: [{', '.join(map(_name, names))}]" for slot, names in slots.items()
    )


def print_op(op: OpDesc) -> str:
    """One operator on one line."""
    outputs = f"{_print_slots(op.outputs)} = " if op.outputs else ""
    attrs = ", ".join(f"{_key(name)}: {print_attr(attr)}" for name, attr in op.attrs.items())
    target = "target " if op.is_target else ""
    tail = f" {{{attrs}}}" if attrs else ""
    return f"{target}{outputs}{_key(op.type)}({_print_slots(op.inputs)}){tail}"


def print_var(var: VarDesc) -> str:
    """A variable's declaration on one line, as in ``var x: lod_tensor fp32[-1,13]``."""
    words = [f"var {_key(var.name)}:", var.type.name.lower()]
    if var.dtype is not None or var.shape:
        dtype = "none" if var.dtype is None else var.dtype.name.lower()
        words.append(f"{dtype}[{','.join(map(str, var.shape))}]")
    if var.lod_level:
        words.append(f"lod {var.lod_level}")
    if var.persistable:
        words.append("persistable")
    if var.need_check_feed:
        words.append("feed_check")
    return " ".join(words)


def _print_port(port: Port) -> str:
    """What an ONNX model declares, as in ``x: float [N, 3, 224, 224]``."""
    if port.shape is None:
        return f"{_name(port.name)}: {port.type}"
    dims = ("?" if dim is None else str(dim) if isinstance(dim, int) else dim for dim in port.shape)
    return f"{_name(port.name)}: {port.type} [{', '.join(map(_name, dims))}]"


def print_program(program: Program) -> str:
    """The whole program, ending in a newline: what is read first, the operators, comes first."""
    lines = [f"program version {program.version}"]
    if program.origin is not None:
        lines += [f"# input {_print_port(port)}" for port in program.origin.inputs]
        lines += [f"# output {_print_port(port)}" for port in program.origin.outputs]
    for block in program.blocks:
        forward = f" forward {block.forward_block_idx}" if block.forward_block_idx != -1 else ""
        lines.append(f"block {block.idx} parent {block.parent_idx}{forward} {{")
        lines += [f"  {print_op(op)}" for op in block.ops]
        lines += [f"  {print_var(var)}" for var in block.vars.values()]
        lines.append("}")
    for name, array in program.params.items():
        lines.append(f"param {_key(name)}: {array_dtype(array)}[{','.join(map(str, array.shape))}]")
    lines += [f"op_version {_key(op)}: {number}" for op, number in program.op_versions.items()]
    return "\n".join(lines) + "\n"


_ARRAY_DTYPES = {
    "bool": "bool",
    "int16": "int16",
    "int32": "int32",
    "int64": "int64",
    "float16": "fp16",
    "float32": "fp32",
    "float64": "fp64",
    "uint8": "uint8",
    "int8": "int8",
}


def array_dtype(array: np.ndarray) -> str:
    """The word for an array's element type."""
    name: str = array.dtype.name
    return _ARRAY_DTYPES.get(name, name)
