"""Operations that make constants: they become attributes wherever their consumers allow it."""

from __future__ import annotations

import math
from typing import Any

from lite.model.pir.document import DTYPES, Operation, TensorType
from lite.model.pir.translate import Translator, fitting_attr, special
from lite.model.pir.values import fill_constant
from lite.model.program import Attr, AttrType, DataType, OpDesc

MAX_NUMBERS = 1024
"""Constants of more elements are tensors only."""

INTEGERS = (DataType.INT8, DataType.UINT8, DataType.INT16, DataType.INT32, DataType.INT64)
"""Element types of whole numbers."""


def _dtype(op: Operation, attributes: dict[str, Any], default: str = "float32") -> DataType:
    name = str(attributes.get("dtype") or default).lower()
    found = DTYPES.get(name)
    if found is None:
        op.fail(f"attribute 'dtype' is {name!r}, expected an element type")
    return found


def _shape(op: Operation, attributes: dict[str, Any], t: TensorType) -> list[int]:
    shape = attributes.get("shape", list(t.dims))
    if not isinstance(shape, list) or not all(type(n) is int and n >= 0 for n in shape):
        op.fail(f"attribute 'shape' is {str(shape)[:60]}, expected known dimensions")
    return shape


def _number(op: Operation, value: Any, dtype: DataType) -> Any:
    if not isinstance(value, (bool, int, float)):
        op.fail(f"attribute 'value' is {value!r}, expected a number")
    if dtype is DataType.BOOL:
        return bool(value)
    if dtype in INTEGERS and math.isfinite(value):
        return int(value)
    return float(value)


_VALUES = {
    DataType.BOOL: ("bool_values", AttrType.INTS),
    DataType.INT8: ("int8_values", AttrType.INTS),
    DataType.UINT8: ("int8_values", AttrType.INTS),
    DataType.INT16: ("int32_values", AttrType.INTS),
    DataType.INT32: ("int32_values", AttrType.INTS),
    DataType.INT64: ("int64_values", AttrType.LONGS),
    DataType.FP64: ("fp64_values", AttrType.FLOAT64S),
    DataType.COMPLEX128: ("fp64_values", AttrType.FLOAT64S),
}


def assign_value(op: Operation, shape: list[int], numbers: list[Any], dtype: DataType) -> OpDesc:
    """The operator; the slot Out is still to be given."""
    name, type = _VALUES.get(dtype, ("fp32_values", AttrType.FLOATS))
    attrs = {
        "shape": Attr(AttrType.INTS, shape),
        "dtype": Attr(AttrType.INT, int(dtype)),
        name: fitting_attr(op, "values", numbers, type, f"numbers of {dtype.name}"),
    }
    return OpDesc("assign_value", {}, {}, attrs)


@special("pd_op.full")
def full(t: Translator, op: Operation) -> None:
    """``full`` and ``full_``: a shape and one number."""
    attributes = op.attributes()
    dtype = _dtype(op, attributes)
    shape = _shape(op, attributes, op.tensor()[1])
    number = _number(op, attributes.get("value", 0.0), dtype)
    count = math.prod(shape)
    numbers = [number] * count if 0 < count <= MAX_NUMBERS else []
    value = t.constant(op, numbers, fill_constant(shape, number, dtype))
    value.numbers = numbers or None


@special("pd_op.full_int_array")
def full_int_array(t: Translator, op: Operation) -> None:
    """A list of integers as a tensor of one dimension."""
    attributes = op.attributes()
    numbers = attributes.get("value", [])
    if not isinstance(numbers, list):
        op.fail(f"attribute 'value' is {numbers!r}, expected a list")
    dtype = _dtype(op, attributes, "int64")
    dtype = dtype if dtype in INTEGERS else DataType.INT64
    numbers = [_number(op, number, dtype) for number in numbers]
    t.constant(op, numbers, assign_value(op, [len(numbers)], numbers, dtype))


_PARTS = {DataType.COMPLEX64: DataType.FP32, DataType.COMPLEX128: DataType.FP64}


def _assigned_complex(
    t: Translator, op: Operation, shape: list[int], numbers: list[Any], part: DataType
) -> None:
    """Pairs of real numbers, then as complex ones."""
    if not all(isinstance(number, (bool, int, float, complex)) for number in numbers):
        op.fail("attribute 'values' holds what is no number")
    wholes = [complex(number) for number in numbers]
    made = assign_value(op, [*shape, 2], [x for n in wholes for x in (n.real, n.imag)], part)
    pairs = t.fresh(TensorType(part, (*shape, 2)))
    made.outputs["Out"] = [pairs]
    t.block.ops.append(made)
    id, type = op.result()
    t.add("as_complex", {"X": [pairs]}, {"Out": t.define(id, type).variables()})


@special("pd_op.assign_value")
def assigned(t: Translator, op: Operation) -> None:
    """``assign_value`` and ``assign_value_``: a shape and its numbers."""
    attributes = op.attributes()
    dtype = _dtype(op, attributes)
    shape = _shape(op, attributes, op.tensor()[1])
    numbers = attributes.get("values", [])
    if not isinstance(numbers, list) or len(numbers) != math.prod(shape):
        op.fail(f"attribute 'values' does not have the {math.prod(shape)} elements of {shape}")
    if dtype in _PARTS:
        return _assigned_complex(t, op, shape, numbers, _PARTS[dtype])
    numbers = [_number(op, number, dtype) for number in numbers]
    value = t.constant(op, numbers, assign_value(op, shape, numbers, dtype))
    if len(numbers) > MAX_NUMBERS:
        value.numbers = None


@special("pd_op.ones", "pd_op.zeros")
def filled(t: Translator, op: Operation) -> None:
    """``full`` with a number that the name says."""
    attributes = op.attributes()
    dtype = _dtype(op, attributes)
    shape = _shape(op, attributes, op.tensor()[1])
    number = _number(op, int(op.name == "ones"), dtype)
    t.constant(op, [number] * math.prod(shape), fill_constant(shape, number, dtype))


@special("pd_op.ones_like", "pd_op.zeros_like", "pd_op.empty_like")
def filled_like(t: Translator, op: Operation) -> None:
    """``fill_any_like`` with a number that the name says."""
    attrs = {
        "value": Attr(AttrType.FLOAT, float(op.name == "ones_like")),
        "dtype": Attr(AttrType.INT, int(op.tensor()[1].dtype)),
    }
    id, type = op.result()
    x = t.operand(op, 0).variable()
    t.add("fill_any_like", {"X": [x]}, {"Out": t.define(id, type).variables()}, attrs)
