"""Small programs and parameter records for the model tests."""

from __future__ import annotations

import math
import struct

import numpy as np

from lite.model.program import (
    Attr,
    AttrType,
    BlockDesc,
    DataType,
    OpDesc,
    Program,
    VarDesc,
    VarType,
)

NAMES = [
    "x",
    "conv_0.tmp_0",
    "a/b:0",
    "%in",
    "-1",
    "",
    "a b",
    'q"\\',
    "\u4e2d\u6587",
    "]",
    "#",
    "\n",
]

VALUES: dict[AttrType, list[object]] = {
    AttrType.INT: [0, -1, 2**31 - 1, -(2**31)],
    AttrType.FLOAT: [
        *(0.0, -0.0, float(np.float32(0.1)), 2.0**-149, float(np.finfo("f4").max)),
        *(math.inf, -math.inf),
    ],
    AttrType.STRING: [
        "",
        "a b",
        'say "x"\\',
        "line\n\t\u2028\x7f\x85",
        "\u4e2d",
        "\udcff",
        "\U0001f600",
    ],
    AttrType.INTS: [[], [1, -2]],
    AttrType.FLOATS: [[], [0.5, float(np.float32(1e-7)), 16777216.0]],
    AttrType.STRINGS: [[], ["", "a,b", "]"]],
    AttrType.BOOLEAN: [True, False],
    AttrType.BOOLEANS: [[], [True, False]],
    AttrType.BLOCK: [0, 3],
    AttrType.LONG: [2**63 - 1, -(2**63)],
    AttrType.BLOCKS: [[], [1, 2]],
    AttrType.LONGS: [[], [2**40]],
    AttrType.FLOAT64S: [[], [0.1, 5e-324, -math.inf]],
    AttrType.VAR: NAMES,
    AttrType.VARS: [[], NAMES],
    AttrType.FLOAT64: [0.1, 1e300, -0.0],
    AttrType.SCALAR: [True, 1, -5, 1.0, 1e22, math.inf, 1 + 2j, complex(-0.0, -math.inf)],
    AttrType.SCALARS: [[], [False, 0, 0.0]],
}


def every_attribute() -> dict[str, Attr]:
    """Attributes of every type with every value above."""
    return {
        f"{type.name.lower()}_{index}": Attr(type, value)
        for type, values in VALUES.items()
        for index, value in enumerate(values)
    }


def odd_program() -> Program:
    """Every attribute, variable type and dtype, odd names, two blocks; it cannot be run."""
    block = BlockDesc(0, -1)
    tensors = (VarType.LOD_TENSOR, VarType.LOD_TENSOR_ARRAY, VarType.SELECTED_ROWS)
    for index, name in enumerate([*NAMES, "var", "param", "lod", "persistable"]):
        type = list(VarType)[index % len(VarType)]
        dtype = list(DataType)[index % len(DataType)] if type in tensors else None
        shape = (-1, 3)[: index % 3] if type in tensors else ()
        lod = index % 2 if type in tensors[:2] else 0
        block.vars[name] = VarDesc(name, type, dtype, shape, lod, index % 3 == 0, index % 4 == 0)
    for dtype in DataType:
        name = f"tensor_{dtype.name}"
        block.vars[name] = VarDesc(name, dtype=dtype, shape=(2, -1))
    for type in VarType:
        dtype = DataType.FP32 if type in tensors else None
        block.vars[f"var_{type.name}"] = VarDesc(f"var_{type.name}", type, dtype)
    words = ("var", "target", "block", "param", "program")
    block.ops = [OpDesc(word, {word: ["a"]}, {}) for word in words]
    block.ops += [
        OpDesc("x", {}, {word: ["a"]}) for word in ("var", "target", "lod", "persistable")
    ]
    block.ops.append(OpDesc("attrs", {"X": []}, {"Out": NAMES}, every_attribute()))
    block.ops.append(OpDesc("while", attrs={"sub_block": Attr(AttrType.BLOCK, 1)}, is_target=True))
    return Program([block, BlockDesc(-1373035344, 0, 7)], 2006002, {"conv2d": 1, "a b": -3})


def feed_op(name: str, col: int = 0) -> OpDesc:
    """A feed operator."""
    return OpDesc("feed", {"X": ["feed"]}, {"Out": [name]}, {"col": Attr(AttrType.INT, col)})


def fetch_op(name: str, col: int = 0) -> OpDesc:
    """A fetch operator."""
    return OpDesc("fetch", {"X": [name]}, {"Out": ["fetch"]}, {"col": Attr(AttrType.INT, col)})


def program_of(params: dict[str, tuple[DataType, tuple[int, ...]]]) -> Program:
    """A runnable program whose one operator reads ``params`` (values are not set)."""
    program = Program()
    for var in (
        VarDesc("feed", VarType.FEED_MINIBATCH, None, persistable=True),
        VarDesc("fetch", VarType.FETCH_LIST, None, persistable=True),
        VarDesc("x", shape=(-1, 4)),
        VarDesc("y", shape=(-1, 4)),
        *(VarDesc(name, dtype=t, shape=s, persistable=True) for name, (t, s) in params.items()),
    ):
        program.root.vars[var.name] = var
    op = OpDesc("sum", {"X": ["x", *params]}, {"Out": ["y"]})
    program.root.ops = [feed_op("x"), op, fetch_op("y")]
    return program


def varint(number: int) -> bytes:
    """A protobuf varint (64 bits, two's complement)."""
    number &= 2**64 - 1
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def record(dtype: int, shape: tuple[int, ...], data: bytes, lod: tuple[bytes, ...] = ()) -> bytes:
    """A parameter's record, built by hand."""
    desc = b"\x08" + varint(dtype) + b"".join(b"\x10" + varint(dim) for dim in shape)
    levels = b"".join(struct.pack("<Q", len(level)) + level for level in lod)
    head = struct.pack("<IQ", 0, len(lod)) + levels + struct.pack("<Ii", 0, len(desc))
    return head + desc + data
