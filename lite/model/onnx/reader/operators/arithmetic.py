"""Arithmetic, comparisons and logic on elements, in the types that kernels here compute in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lite.model.onnx.reader.builder import FLOATS, SMALL, Builder
from lite.model.onnx.reader.translate import Call, adapter, held_type
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.program import DataType

Emit = Callable[..., Tensor]


def wide(b: Builder, x: Tensor) -> Tensor:
    """The elements in a type that kernels compute in."""
    return b.cast(x, DataType.INT32) if x.dtype in SMALL else x


def wrapped(b: Builder, x: Tensor, bits: int) -> Tensor:
    """What remains of a result in unsigned integers of so many bits."""
    if bits not in (16, 32) or x.dtype in FLOATS:
        x.bits = bits
        return x
    mask = b.constant(np.asarray((1 << bits) - 1, np.int64 if bits == 32 else np.int32))
    made = b.binary("bitwise_and", x, mask)
    made.bits = bits
    return made


def computed(b: Builder, emit: Emit, *operands: Tensor) -> Tensor:
    """The result of an operator of elements: small integers take the way over int32."""
    dtype, bits = operands[0].dtype, operands[0].bits
    made = emit(*(wide(b, x) for x in operands))
    return wrapped(b, b.cast(made, dtype), bits)


def arithmetic(b: Builder, type: str, x: Tensor, y: Tensor) -> Tensor:
    """An elementwise operator of two operands of one type."""
    if x.dtype is not y.dtype:
        raise CannotRead(f"operands of {x.dtype.name.lower()} and {y.dtype.name.lower()}")
    return computed(b, lambda p, q: b.binary(type, p, q), x, y)


def legacy_operand(b: Builder, x: Tensor, y: Tensor, axis: int | None, broadcast: int) -> Tensor:
    """The second operand before operator set 7, whose first axis may be given."""
    if not broadcast or axis is None or axis == -1:
        return y
    axis = axis + x.rank if axis < 0 else axis
    missing = x.rank - axis - y.rank
    return b.unsqueeze(y, range(y.rank, y.rank + missing)) if missing > 0 else y


_BINARY = {
    "Add": "elementwise_add",
    "Sub": "elementwise_sub",
    "Mul": "elementwise_mul",
    "Div": "elementwise_div",
    "Equal": "equal",
    "Greater": "greater_than",
    "Less": "less_than",
    "GreaterOrEqual": "greater_equal",
    "LessOrEqual": "less_equal",
    "And": "logical_and",
    "Or": "logical_or",
    "Xor": "logical_xor",
}


@adapter
def binary(b: Builder, call: Call, A: Tensor, B: Tensor, **legacy: Any) -> Tensor:
    """Arithmetic of two operands; integers are divided towards zero."""
    B = legacy_operand(b, A, B, legacy.get("axis"), legacy.get("broadcast", 0))
    if call.node.type == "Div" and A.dtype not in FLOATS:
        return computed(b, lambda x, y: b.emit("trunc_divide", {"x": x, "y": y}), A, B)
    return arithmetic(b, _BINARY[call.node.type], A, B)


@adapter
def comparison(b: Builder, call: Call, A: Tensor, B: Tensor, **legacy: Any) -> Tensor:
    """A question about two operands, or logic."""
    B = legacy_operand(b, A, B, legacy.get("axis"), legacy.get("broadcast", 0))
    type = _BINARY[call.node.type]
    if not type.startswith("logical"):
        A, B = wide(b, A), wide(b, B)
    if type == "equal" and A.dtype in FLOATS:
        # Paddle's equal takes floats for equal that are nearly so.
        pair = b.binary("greater_equal", A, B), b.binary("less_equal", A, B)
        return b.binary("logical_and", *pair)
    return b.binary(type, A, B)


@adapter
def several(b: Builder, call: Call, data: list[Tensor]) -> Tensor:
    """Max, Min, Sum and Mean of any number of tensors."""
    types = {"Max": "elementwise_max", "Min": "elementwise_min"}
    total = data[0]
    for other in data[1:]:
        total = arithmetic(b, types.get(call.node.type, "elementwise_add"), total, other)
    if call.node.type == "Mean" and len(data) > 1:
        return b.emit("scale", {"X": total}, scale=1 / len(data))
    return total if len(data) > 1 else b.emit("assign", {"X": total})


@adapter
def modulo(b: Builder, call: Call, A: Tensor, B: Tensor, fmod: int) -> Tensor:
    """The remainder, with the divisor's sign or (``fmod``) with the dividend's."""
    if not fmod:
        return arithmetic(b, "elementwise_mod", A, B)
    dtype = A.dtype
    x, y = wide(b, A), wide(b, B)
    size = b.binary("elementwise_mod", b.emit("abs", {"X": x}), b.emit("abs", {"X": y}))
    return b.cast(b.binary("elementwise_mul", size, b.emit("sign", {"X": x})), dtype)


@adapter
def power(b: Builder, call: Call, X: Tensor, Y: Tensor, **legacy: Any) -> Tensor:
    """To a power; the result has the type of the base."""
    Y = legacy_operand(b, X, Y, legacy.get("axis"), legacy.get("broadcast", 0))
    if X.dtype is Y.dtype:
        return arithmetic(b, "elementwise_pow", X, Y)
    if X.dtype in FLOATS or Y.dtype not in FLOATS:
        wider = X.dtype if X.dtype in FLOATS else DataType.INT64
        made = b.binary("elementwise_pow", b.cast(X, wider), b.cast(Y, wider))
        return b.cast(made, X.dtype)
    made = b.binary("elementwise_pow", b.cast(X, DataType.FP64), b.cast(Y, DataType.FP64))
    return b.cast(made, X.dtype)


@adapter
def negative(b: Builder, call: Call, X: Tensor) -> Tensor:
    """The other sign."""
    if X.dtype in FLOATS:
        return b.emit("scale", {"X": X}, scale=-1.0)
    return arithmetic(b, "elementwise_sub", b.like(0, X), X)


@adapter
def relu(b: Builder, call: Call, X: Tensor) -> Tensor:
    """The larger one of elements and 0, integers among them."""
    if X.dtype in FLOATS:
        return b.emit("relu", {"X": X})
    return arithmetic(b, "elementwise_max", X, b.like(0, X))


@adapter
def bitwise(b: Builder, call: Call, A: Tensor, B: Tensor | None = None) -> Tensor:
    """Logic on bits."""
    type = {
        "BitwiseAnd": "bitwise_and",
        "BitwiseOr": "bitwise_or",
        "BitwiseXor": "bitwise_xor",
        "BitwiseNot": "bitwise_not",
    }[call.node.type]
    if B is None:
        return computed(b, lambda x: b.emit(type, {"X": x}), A)
    return arithmetic(b, type, A, B)


@adapter
def bit_shift(b: Builder, call: Call, X: Tensor, Y: Tensor, direction: str) -> Tensor:
    """Unsigned integers shifted."""
    if direction not in ("LEFT", "RIGHT"):
        raise CannotRead(f"direction {direction!r}")
    type = f"bitwise_{direction.lower()}_shift"
    if X.bits == 64 and direction == "RIGHT":
        return b.emit(type, {"x": X, "y": Y}, is_arithmetic=False)
    return computed(b, lambda x, y: b.emit(type, {"x": x, "y": y}), X, Y)


@adapter
def where(b: Builder, call: Call, condition: Tensor, X: Tensor, Y: Tensor) -> Tensor:
    """One of two, element by element."""
    return chosen(b, condition, X, Y)


def chosen(b: Builder, condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """``x`` where a condition holds, else ``y``; all three broadcast."""

    def emit(first: Tensor, second: Tensor) -> Tensor:
        return b.emit("where", {"Condition": condition, "X": first, "Y": second}, broadcast=True)

    return computed(b, emit, x, y)


@adapter
def cast(b: Builder, call: Call, input: Tensor, to: Any, **others: Any) -> Tensor:
    """Another element type."""
    if isinstance(to, str):  # operator sets below 6
        raise CannotRead(f"a type by name, {to!r}")
    return converted(b, input, *held_type(int(to), "the result"))


def converted(b: Builder, x: Tensor, dtype: DataType, bits: int) -> Tensor:
    """Elements as a type, those of ``bits`` within it."""
    if bits in (2, 4) and x.bits != bits:
        raise CannotRead(f"a cast to integers of {bits} bits")
    if bits in (16, 32) and x.bits != bits:
        wider = x if x.dtype is DataType.BOOL else b.cast(x, DataType.INT64)
        made = wrapped(b, b.cast(wider, DataType.INT64), bits if bits == 32 else 0)
        if bits == 16:
            mask = b.constant(np.asarray(0xFFFF, np.int64))
            made = b.cast(b.binary("bitwise_and", made, mask), dtype)
        made.bits = bits
        return made
    if x.dtype is dtype:
        made = b.emit("assign", {"X": x})
    elif x.dtype in FLOATS and dtype in SMALL and dtype is not DataType.BOOL:
        made = b.cast(b.cast(x, DataType.INT32), dtype)  # beyond their range, bits are kept
    else:
        made = b.cast(x, dtype)
    made.bits = bits
    return made


@adapter
def cast_like(
    b: Builder, call: Call, input: Tensor, target_type: Tensor, saturate: int, **others: Any
) -> Tensor:
    """The element type of another tensor."""
    return converted(b, input, target_type.dtype, target_type.bits)


@adapter
def identity(b: Builder, call: Call, input: Any, **others: Any) -> Any:
    """The same value: no operator."""
    return input


@adapter
def dropout(b: Builder, call: Call, data: Tensor, **others: Any) -> Any:
    """Nothing, as models that are deployed do not train: a run that asks for it fails where the
    mode is computed, as of an input `deterministic`."""
    mode, ratio = others.get("training_mode"), others.get("ratio")
    if mode is not None and (ratio is None or ratio.array is None or ratio.array.any()):
        if b.is_fed(mode) or (mode.array is not None and mode.array.any()):
            raise CannotRead("a model in training mode")
        if mode.array is None:
            deployed = b.use(b.emit("logical_not", {"X": mode}))
            attrs = {"message": "Dropout is asked for training, which is not done here"}
            b.append("assert", {"Cond": [deployed]}, {}, attrs)
    if not call.wants(1):
        return data
    ones = b.full(b.shape_of(data), True, DataType.BOOL)
    return [data, ones if call.version >= 10 else b.cast(ones, data.dtype)]


@adapter
def is_inf(b: Builder, call: Call, X: Tensor, detect_negative: int, detect_positive: int) -> Tensor:
    """Whether elements are infinite, of both signs or one."""
    found = b.emit("isinf_v2", {"X": X})
    if detect_negative and detect_positive:
        return found
    if not detect_negative and not detect_positive:
        return b.full(b.shape_of(X), False, DataType.BOOL)
    side = "greater_than" if detect_positive else "less_than"
    return b.binary("logical_and", found, b.binary(side, X, b.like(0, X)))
