"""The JSON of `inference.json`, checked and typed: regions of blocks of operations.

Every shape of the file is checked here, so that what follows works on facts. Attributes are decoded
when they are asked for.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

from lite.errors import LiteError, ModelFormatError, UnsupportedOperatorError
from lite.model.program import DataType

PADDLE_3_0 = 1
"""The version that Paddle 3.0 writes, whose operators differ in details from later ones."""

NEWEST_VERSION = 4
"""Of the formats that are known; 4 is Paddle 3.3's."""

MAX_DEPTH = 32
"""Regions nested deeper than this are refused."""

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")

_NUMBERED = dict(zip("01234", ("builtin", "pd_op", "cf", "custom_op", "dist_op"), strict=True))
"""Dialects that files name by a number."""

DTYPES: dict[str, DataType] = {
    "bool": DataType.BOOL,
    "uint8": DataType.UINT8,
    "int8": DataType.INT8,
    "int16": DataType.INT16,
    "int32": DataType.INT32,
    "int64": DataType.INT64,
    "float16": DataType.FP16,
    "bfloat16": DataType.BF16,
    "float32": DataType.FP32,
    "float64": DataType.FP64,
    "complex64": DataType.COMPLEX64,
    "complex128": DataType.COMPLEX128,
}
"""Element types as attributes name them."""

_ELEMENTS: dict[str, DataType] = {
    "0.t_bool": DataType.BOOL,
    "0.t_ui8": DataType.UINT8,
    "0.t_i8": DataType.INT8,
    "0.t_i16": DataType.INT16,
    "0.t_i32": DataType.INT32,
    "0.t_i64": DataType.INT64,
    "0.t_f16": DataType.FP16,
    "0.t_bf16": DataType.BF16,
    "0.t_f32": DataType.FP32,
    "0.t_f64": DataType.FP64,
    "0.t_c64": DataType.COMPLEX64,
    "0.t_c128": DataType.COMPLEX128,
    "0.t_index": DataType.INT64,
}
_SPECIAL_NUMBERS = {
    "nan": math.nan,
    "inf": math.inf,
    "+inf": math.inf,
    "-inf": -math.inf,
}


@dataclass(frozen=True, slots=True)
class TensorType:
    """A tensor (or an array of them): element type and dimensions, -1 where unknown."""

    dtype: DataType
    dims: tuple[int, ...]
    array: bool = False


Type = TensorType | list["Type"] | None
"""None is an absent value, a list the type of a list of values."""


@dataclass(slots=True)
class Operation:
    """One operation as the file has it."""

    dialect: str
    name: str
    operands: list[int]
    results: list[tuple[int, Type]]
    where: str
    raw_attributes: list[Any]
    raw_result_attributes: list[Any]
    regions: list[Region] = field(default_factory=list)

    @property
    def full_name(self) -> str:
        """As error messages show it, e.g. ``pd_op.conv2d``."""
        return f"{self.dialect}.{self.name}"

    def fail(self, what: str) -> NoReturn:
        """Raises ModelFormatError at this operation."""
        raise ModelFormatError(f"{self.where}: {what}")

    def result(self) -> tuple[int, Type]:
        """The one result. Raises ModelFormatError where there is another count."""
        if len(self.results) != 1:
            self.fail(f"{len(self.results)} results, expected one")
        return self.results[0]

    def tensor(self) -> tuple[int, TensorType]:
        """The one result, a tensor. Raises ModelFormatError where it is something else."""
        id, type = self.result()
        if not isinstance(type, TensorType):
            self.fail("expected a tensor as result")
        return id, type

    def attributes(self) -> dict[str, Any]:
        """Name -> decoded value. Raises ModelFormatError."""
        found: dict[str, Any] = {}
        for item in self.raw_attributes:
            name = item.get("N") if isinstance(item, dict) else None
            if not isinstance(name, str):
                self.fail(f"an attribute is {_shown(item)}, expected {{N: name, AT: value}}")
            if name in _MEANINGLESS:
                continue
            found[name] = _attribute(item.get("AT"), f"{self.where}: attribute {name!r}")
        return found


_MEANINGLESS = frozenset(
    {"struct_name", "op_dist_attr", "op_role", "op_callstack", "op_namescope", "dist_attr"}
)


@dataclass(slots=True)
class Parameter:
    """A `p` entry: a parameter of the model, which stands in the parameter file if persistable."""

    id: int
    type: Type
    name: str
    persistable: bool
    where: str


@dataclass(slots=True)
class Region:
    """A region's one block: its arguments, operations and parameters."""

    arguments: list[tuple[int, Type]]
    operations: list[Operation | Parameter]

    def walk(self) -> Iterator[Operation]:
        """Every operation, those of inner regions after the one that owns them."""
        for item in self.operations:
            if isinstance(item, Operation):
                yield item
                for region in item.regions:
                    yield from region.walk()


@dataclass(slots=True)
class Document:
    """A whole file."""

    version: int
    region: Region


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise ModelFormatError(f"{what} is {_shown(value)}, expected a list")
    return value


def _is_int(value: Any) -> bool:
    return type(value) is int and -(1 << 63) <= value < 1 << 63


def _tag(value: Any, what: str) -> str:
    tag = value.get("#") if isinstance(value, dict) else None
    if not isinstance(tag, str):
        raise ModelFormatError(f"{what} is {_shown(value)}, expected an object with a tag '#'")
    return tag


def _element(value: Any, where: str) -> DataType:
    tag = _tag(value, f"{where}: an element type")
    if tag not in _ELEMENTS:
        raise LiteError(f"{where}: the element type {tag!r} is not supported")
    return _ELEMENTS[tag]


def _type(value: Any, where: str, depth: int = 0) -> Type:
    tag = _tag(value, f"{where}: a type")
    if tag == "NULL":
        return None
    payload = value.get("D")
    if tag == "0.t_vec" and depth < 4:
        items = _list(payload, f"{where}: the payload of a list's type")
        return [_type(item, where, depth + 1) for item in items]
    if tag in ("0.t_dtensor", "1.t_dense_tensor_array"):
        payload = _list(payload, f"{where}: the payload of {tag}")
        if len(payload) < 2:
            raise ModelFormatError(f"{where}: {tag} has {len(payload)} parts, expected two or more")
        dims = _list(payload[1], f"{where}: dimensions")
        if not all(map(_is_int, dims)):
            raise ModelFormatError(f"{where}: dimensions are {_shown(dims)}")
        shape = tuple(max(dim, -1) for dim in dims)
        return TensorType(_element(payload[0], where), shape, tag != "0.t_dtensor")
    raise LiteError(f"{where}: values of the type {tag!r} are not supported")


def _number(value: dict[str, Any], tag: str, what: str) -> Any:
    """The payload of a number's tag: D, or VD where it is not finite."""
    if "D" not in value and isinstance(value.get("VD"), str):
        special = _SPECIAL_NUMBERS.get(value["VD"].lower())
        if special is not None:
            return special
    number = value.get("D")
    if tag in ("0.a_f32", "0.a_f64") and type(number) in (int, float):
        try:
            return float(number)  # type: ignore[arg-type]
        except OverflowError:
            pass
    elif _is_int(number):
        return number
    raise ModelFormatError(f"{what} has {_shown(number)} as {tag}")


def _complex(value: dict[str, Any], tag: str, what: str) -> complex:
    """The payload of a complex number's tag: two numbers, in D or VD."""
    parts = value.get("D", value.get("VD"))
    if not isinstance(parts, list) or len(parts) != 2:
        raise ModelFormatError(f"{what} has {_shown(parts)} as {tag}, expected two numbers")
    real, imag = (
        _number({"VD" if isinstance(part, str) else "D": part}, "0.a_f64", what) for part in parts
    )
    return complex(real, imag)


def _attribute(value: Any, what: str, depth: int = 0) -> Any:
    """A decoded attribute: bool, int, float, complex, str, a list of these, or None."""
    tag = _tag(value, what)
    payload = value.get("D")
    if tag == "NULL":
        return None
    if tag in ("0.a_i32", "0.a_i64", "0.a_index", "0.a_f32", "0.a_f64"):
        return _number(value, tag, what)
    if tag == "0.a_bool" and type(payload) in (bool, int):
        return bool(payload)
    if tag in ("0.a_str", "0.a_tensorname", "1.a_dtype", "1.a_layout") and isinstance(payload, str):
        return payload
    if tag == "0.a_array" and depth < 4:
        return [_attribute(item, what, depth + 1) for item in _list(payload, what)]
    if tag == "1.a_intarray":
        items = _list(payload, what)
        if all(map(_is_int, items)):
            return items
    if tag == "1.a_scalar" and isinstance(payload, list) and len(payload) == 2:
        return _scalar(payload[1], what)
    if tag == "1.a_place":
        return None
    if tag in ("0.a_c64", "0.a_c128"):
        return _complex(value, tag, what)
    if tag.startswith("4.") or tag == "1.a_scalar":
        raise LiteError(f"{what} is of the type {tag}, which is not supported")
    raise ModelFormatError(f"{what} is {_shown(value)}, which is not understood")


def _scalar(value: Any, what: str) -> bool | int | float:
    if isinstance(value, (bool, float)) or _is_int(value):
        return value  # type: ignore[no-any-return]
    raise ModelFormatError(f"{what} is the scalar {_shown(value)}")


def _id(value: Any, what: str, key: str = "%") -> int:
    number = value.get(key) if isinstance(value, dict) else None
    if not _is_int(number):
        raise ModelFormatError(f"{what} is {_shown(value)}, expected an object with an id {key!r}")
    return number  # type: ignore[return-value]


def _values(value: Any, where: str, what: str, key: str = "%") -> list[tuple[int, Type]]:
    found = []
    for index, item in enumerate(_list(value, f"{where}: the {what}s")):
        place = f"{where}: {what} {index}"
        found.append((_id(item, place, key), _type(item.get("TT"), place)))
    return found


def _parameter(item: dict[str, Any], where: str) -> Parameter:
    attributes, marks = item.get("A"), item.get("OA")
    name = attributes[3] if isinstance(attributes, list) and len(attributes) > 3 else None
    if not isinstance(name, str) or not name:
        raise ModelFormatError(f"{where}: a parameter's A is {_shown(attributes)}, without a name")
    results = item.get("O")
    ((number, type),) = _values([results], where, "result")
    persistable = bool(marks[0]) if isinstance(marks, list) and marks else True
    if marks is None and name.endswith("__non_persistable"):
        persistable = False
    return Parameter(number, type, name, persistable, f"{where} (parameter {name!r})")


def _operation(item: Any, where: str, depth: int) -> Operation | Parameter:
    tag = _tag(item, where)
    if tag == "p":
        return _parameter(item, where)
    dialect, dot, name = tag.partition(".")
    dialect = _NUMBERED.get(dialect, dialect)
    if not dot or not name:
        raise ModelFormatError(f"{where}: the operator is {tag[:60]!r}, expected DIALECT.NAME")
    where = f"{where} ({dialect}.{name})"
    operands = [
        _id(operand, f"{where}: operand {index}")
        for index, operand in enumerate(_list(item.get("I", []), f"{where}: the operands"))
    ]
    operation = Operation(
        dialect,
        name,
        operands,
        _values(item.get("O", []), where, "result"),
        where,
        _list(item.get("A", []), f"{where}: the attributes"),
        _list(item.get("OA", []), f"{where}: the results' attributes"),
    )
    inner = _list(item.get("regions", []), f"{where}: the regions")
    operation.regions = [
        _region(region, f"{where}, region {index}", depth + 1) for index, region in enumerate(inner)
    ]
    return operation


def _region(value: Any, where: str, depth: int = 0) -> Region:
    if depth > MAX_DEPTH:
        raise ModelFormatError(f"{where}: regions are nested deeper than {MAX_DEPTH}")
    blocks = _list(
        value.get("blocks") if isinstance(value, dict) else value, f"{where}: the blocks"
    )
    if len(blocks) != 1 or not isinstance(blocks[0], dict):
        raise ModelFormatError(f"{where} has {len(blocks)} blocks, expected one")
    block = blocks[0]
    prefix = f"{where}, " if where else ""
    operations = [
        _operation(item, f"{prefix}operator {index}", depth)
        for index, item in enumerate(_list(block.get("ops"), f"{where}: the operators"))
    ]
    return Region(_values(block.get("args", []), where, "argument", "#"), operations)


def _parsed(data: bytes) -> Any:
    try:
        content = json.loads(data.decode("utf-8-sig"))
        if _SURROGATE.search(data):  # halves of a pair are no text: what is read must be writable
            json.dumps(content, ensure_ascii=False).encode()
        return content
    except UnicodeDecodeError as error:
        raise ModelFormatError(f"offset {error.start}: the file is not UTF-8") from None
    except RecursionError:
        raise ModelFormatError("the JSON is nested too deeply") from None
    except ValueError as error:  # JSONDecodeError, half a pair, an integer of too many digits
        raise ModelFormatError(f"the file is not JSON: {error}") from None


def parse_document(data: bytes, newer: bool = False) -> Document:
    """A checked file. ``newer`` also takes versions above ``NEWEST_VERSION``.

    Raises ModelFormatError for a broken file, LiteError for types that are not supported.
    """
    content = _parsed(data)
    base = content.get("base_code") if isinstance(content, dict) else None
    if not isinstance(base, dict) or base.get("magic") != "pir":
        raise ModelFormatError("expected Paddle's PIR: an object with base_code.magic 'pir'")
    version = base.get("version")
    if not _is_int(version) or version < 0:  # type: ignore[operator]
        raise ModelFormatError(f"base_code.version is {_shown(version)}, expected a number")
    if version > NEWEST_VERSION and not newer:  # type: ignore[operator]
        raise UnsupportedOperatorError(
            f"the file has PIR version {version}; known are 0 to {NEWEST_VERSION} (Paddle 3.0 to "
            "3.3). Set LITE_PIR_NEWER=1 to try it all the same"
        )
    program = content.get("program")
    regions = program.get("regions") if isinstance(program, dict) else None
    if not isinstance(regions, list) or len(regions) != 1:
        raise ModelFormatError("expected program.regions with one region")
    return Document(version, _region(regions[0], ""))  # type: ignore[arg-type]
