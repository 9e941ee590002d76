"""Chooses a kernel of real Paddle Lite for each operator, so that it can run the file too.

The choice is by the element type of the operator's main input: among the kernels that take it the
first target wins, Host last. Our own runtime needs only the alias, and not even that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lite.core.optimizer.graph import Node, Value
from lite.model.program import DataType, VarType

KERNEL_ATTR = "__@kernel_type_attr@__"

_TARGETS = {"Host": 1, "X86": 2, "ARM": 4, "NNAdapter": 18}
_PRECISIONS = {"Float": 1, "Int8": 2, "Int32": 3, "Any": 4, "FP16": 5, "Int64": 7}
_LAYOUTS = {"NCHW": 1, "Any": 2, "NHWC": 3}

PRECISIONS: dict[DataType, int] = {
    DataType.FP32: 1,
    DataType.INT8: 2,
    DataType.INT32: 3,
    DataType.FP16: 5,
    DataType.BOOL: 6,
    DataType.INT64: 7,
    DataType.INT16: 8,
    DataType.UINT8: 9,
    DataType.FP64: 10,
}
"""Paddle Lite's PrecisionType of each element type."""

_ALIAS_WORD = re.compile(
    r"float32|float|fp32|fp16|double|uint8|int64|int32|int16|int8|i64|i32|bool|bl"
)
_WORD_DTYPES = {
    "float32": DataType.FP32,
    "float": DataType.FP32,
    "fp32": DataType.FP32,
    "fp16": DataType.FP16,
    "double": DataType.FP64,
    "uint8": DataType.UINT8,
    "int64": DataType.INT64,
    "i64": DataType.INT64,
    "int32": DataType.INT32,
    "i32": DataType.INT32,
    "int16": DataType.INT16,
    "int8": DataType.INT8,
    "bool": DataType.BOOL,
    "bl": DataType.BOOL,
}
_PRECISION_DTYPES = {"Float": DataType.FP32, "Int32": DataType.INT32, "Int64": DataType.INT64}

_KEY_SLOTS = {
    "gather": ("Index", "Axis"),
    "lookup_table": ("W", "Ids"),
    "lookup_table_v2": ("W", "Ids"),
    "scatter_nd_add": ("X", "Index"),
}
"""Operators whose alias names the element types of two inputs."""

_DEFAULT_WORDS = {
    "lookup_table": (DataType.FP32, DataType.INT64),
    "lookup_table_v2": (DataType.FP32, DataType.INT64),
    "reduce_all": (DataType.BOOL,),
    "reduce_any": (DataType.BOOL,),
    "scatter_nd_add": (DataType.FP32, DataType.INT32),
    "one_hot_v2": (DataType.INT64,),
}
"""What the alias ``def`` stands for where the precision does not say it."""

_CONVERSIONS = frozenset({"calib", "calib_once"})
"""Operators whose alias names the element types of the input and of the output."""

_BY_OUTPUT = frozenset({"range", "linspace", "fill_zeros_like", "meshgrid"})
_MAIN_SLOTS = ("X", "Input", "Logits", "W")


@dataclass(frozen=True, slots=True)
class Kernel:
    """A row of the table; prints as the annotation in a `.nb` file."""

    op: str
    target: str
    precision: str
    layout: str
    alias: str
    dtypes: tuple[DataType, ...]

    def __str__(self) -> str:
        numbers = (_TARGETS[self.target], _PRECISIONS[self.precision], _LAYOUTS[self.layout])
        return "/".join((self.op, self.alias, *map(str, numbers)))

    @property
    def for_array(self) -> bool:
        """Whether the kernel takes a tensor array instead of a tensor."""
        return self.alias.startswith("array_") or self.alias.endswith("tensor_array")


_SUBGRAPH = Kernel("subgraph", "NNAdapter", "Any", "NCHW", "def", ())


@cache
def kernel_table() -> dict[str, tuple[Kernel, ...]]:
    """All kernels by operator type; ``feed`` and ``fetch`` have one each."""
    table: dict[str, list[Kernel]] = {}
    for line in (Path(__file__).parent / "kernels.csv").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        op, target, precision, layout, alias = line.split(",")
        words = tuple(_WORD_DTYPES[word] for word in _ALIAS_WORD.findall(alias))
        if not words and op in _DEFAULT_WORDS:
            words = _DEFAULT_WORDS[op]
        kernel = Kernel(op, target, precision, layout, alias, words)
        table.setdefault(op, []).append(kernel)
    return {op: tuple(rows) for op, rows in table.items()}


def is_array(node: Node, value: Value) -> bool:
    """Whether a value is a list of tensors."""
    for block in (node.block, node.block.graph.root):
        desc = block.desc.vars.get(value.name)
        if desc is not None:
            return desc.type == VarType.LOD_TENSOR_ARRAY
    return False


def _keys(node: Node) -> tuple[list[DataType], bool]:
    """The element types that decide, and whether the main input is a tensor array."""
    if node.type in _KEY_SLOTS:
        values = [node.input(slot) for slot in _KEY_SLOTS[node.type]]
        found = [v.dtype or DataType.FP32 for v in values if v is not None]
        return (found + found[-1:])[:2], False
    if node.type in _CONVERSIONS:
        pair = [node.input("Input"), node.output("Out")]
        return [v.dtype or DataType.FP32 for v in pair if v is not None], False
    slots = () if node.type in _BY_OUTPUT else _MAIN_SLOTS
    value = next((v for v in map(node.input, slots) if v is not None), None)
    if value is None:
        value = node.output("Out") or next(node.output_values(), None)
    if value is None:
        return [DataType.FP32], False
    return [value.dtype if value.dtype is not None else DataType.FP32], is_array(node, value)


def _fit(kernel: Kernel, keys: list[DataType]) -> int:
    """How well a kernel's element types fit: 3 by alias, 2 by precision, 1 takes any, 0 not."""
    if kernel.dtypes:
        return 3 if list(kernel.dtypes[: len(keys)]) == keys[: len(kernel.dtypes)] else 0
    wanted = _PRECISION_DTYPES.get(kernel.precision)
    if wanted is None:
        return 1 if kernel.precision == "Any" else 0
    return 2 if wanted == keys[0] else 0


def has_int8_kernel(node: Node) -> bool:
    """Whether a file names a kernel for the operator that takes int8."""
    parts = node.string(KERNEL_ATTR).split("/")
    return len(parts) == 5 and parts[3] == "2"


def _int8_alias(node: Node) -> str:
    """The alias of the kernel that a file names, where the kernel decides what is computed."""
    parts = node.string(KERNEL_ATTR).split("/")
    if len(parts) != 5 or not (parts[3] == "2" or node.type in _CONVERSIONS):
        return ""
    return parts[1]


def _same_alias(rows: tuple[Kernel, ...], order: list[str], alias: str) -> Kernel | None:
    """The first target's kernel of that alias; X86 and ARM write some with and without ``_``."""
    found = [k for k in rows if k.target in order and _plain(k.alias) == _plain(alias)]
    return min(found, key=lambda kernel: order.index(kernel.target), default=None)


def _plain(alias: str) -> str:
    return alias.replace("_out", "out")


def pick(node: Node, targets: tuple[str, ...]) -> Kernel | None:
    """The kernel for an operator, or None where Paddle Lite has none for these targets."""
    if node.type == "subgraph":
        return _SUBGRAPH
    rows = kernel_table().get(node.type)
    if not rows:
        return None
    order = [{"x86": "X86", "arm": "ARM", "host": "Host"}[target] for target in targets]
    order += [] if "Host" in order else ["Host"]
    special = _int8_alias(node)
    if special:
        return _same_alias(rows, order, special)
    keys, of_array = _keys(node)
    of_array = of_array and any(kernel.for_array for kernel in rows)
    best: tuple[tuple[bool, int, int, bool], Kernel] | None = None
    for kernel in rows:
        if kernel.target not in order or kernel.for_array != of_array:
            continue
        narrow = kernel.precision in ("Int8", "FP16") and not kernel.alias.startswith("def_")
        if narrow and node.type not in _CONVERSIONS:
            continue
        fit = _fit(kernel, keys)
        place = -order.index(kernel.target)
        score = (fit > 0, place, fit, kernel.alias == "def")
        if best is None or score > best[0]:
            best = score, kernel
    return None if best is None else best[1]


def fits(node: Node, kernel: Kernel) -> bool:
    """Whether a kernel takes the element types that its operator has."""
    return bool(_int8_alias(node)) or _fit(kernel, _keys(node)[0]) > 0


def int8_kernel(node: Node, targets: tuple[str, ...]) -> Kernel | None:
    """The kernel that takes int8 and returns floats, or None where Paddle Lite has none."""
    order = [{"x86": "X86", "arm": "ARM", "host": "Host"}[target] for target in targets]
    for target in order[:1]:
        for kernel in kernel_table().get(node.type, ()):
            if (kernel.target, kernel.precision) != (target, "Int8"):
                continue
            if kernel.alias in ("fp32_out", "fp32out"):
                return kernel
    return None
