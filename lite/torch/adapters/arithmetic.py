"""Elementwise operators whose operands are tensors or numbers, with torch's promotion."""

from __future__ import annotations

from typing import Any

import torch

from lite.torch.builder import Builder
from lite.torch.registry import adapter, promoted
from lite.torch.values import Meta, NotTranslatableError, Tensor, is_symbolic

Outs = list[Meta]


def _is_plain(value: object) -> bool:
    return isinstance(value, (bool, int, float)) or (
        isinstance(value, torch.SymInt) and not is_symbolic(value)
    )


def _scaled(b: Builder, x: Tensor, scale: float, bias: float) -> Tensor:
    return b.emit("scale", {"X": x}, {"scale": scale, "bias": bias})


def _sum(b: Builder, out: Meta, x: Any, y: Any, alpha: Any, sign: int) -> Tensor:
    if out.dtype is torch.bool:
        if sign < 0 or alpha != 1:
            raise NotTranslatableError("bools that are subtracted or weighted")
        return b.binary("logical_or", b.operand(x, torch.bool), b.operand(y, torch.bool))
    if out.dtype.is_floating_point and isinstance(x, Tensor) and _is_plain(y) and _is_plain(alpha):
        return _scaled(b, b.cast(x, out.dtype), 1.0, sign * float(y) * float(alpha))
    right = b.operand(y, out.dtype)
    if alpha != 1:
        right = b.binary("elementwise_mul", right, b.operand(alpha, out.dtype))
    kind = "elementwise_add" if sign > 0 else "elementwise_sub"
    return b.binary(kind, b.operand(x, out.dtype), right)


@adapter
def add(b: Builder, outs: Outs, self: Any, other: Any, alpha: Any = 1) -> Tensor:
    """``self + alpha * other``."""
    return _sum(b, outs[0], self, other, alpha, 1)


@adapter
def sub(b: Builder, outs: Outs, self: Any, other: Any, alpha: Any = 1) -> Tensor:
    """``self - alpha * other``."""
    return _sum(b, outs[0], self, other, alpha, -1)


@adapter
def rsub(b: Builder, outs: Outs, self: Any, other: Any, alpha: Any = 1) -> Tensor:
    """``other - alpha * self``."""
    return _sum(b, outs[0], other, self, alpha, -1)


@adapter
def mul(b: Builder, outs: Outs, self: Any, other: Any) -> Tensor:
    """``self * other``."""
    dtype = outs[0].dtype
    if dtype is torch.bool:
        return b.binary("logical_and", b.operand(self, dtype), b.operand(other, dtype))
    if dtype.is_floating_point and isinstance(self, Tensor) and _is_plain(other):
        return _scaled(b, b.cast(self, dtype), float(other), 0.0)
    return b.binary("elementwise_mul", b.operand(self, dtype), b.operand(other, dtype))


@adapter
def div(b: Builder, outs: Outs, self: Any, other: Any, rounding_mode: str | None = None) -> Tensor:
    """``self / other``; whole numbers by ``rounding_mode``."""
    dtype = outs[0].dtype
    x, y = b.operand(self, dtype), b.operand(other, dtype)
    if rounding_mode is None:
        return b.binary("elementwise_div", x, y)
    if dtype.is_floating_point:
        if rounding_mode == "floor":
            return b.binary("elementwise_floordiv", x, y)
        return b.emit("trunc", {"X": b.binary("elementwise_div", x, y)})
    if rounding_mode != "floor":
        raise NotTranslatableError("division of whole numbers that rounds towards zero")
    return _floor_divided(b, x, y)


def _floor_divided(b: Builder, x: Tensor, y: Tensor) -> Tensor:
    # (x - (x mod y)) / y is exact, whichever way the operator itself rounds.
    rest = b.binary("elementwise_mod", x, y)
    return b.binary("elementwise_floordiv", b.binary("elementwise_sub", x, rest), y)


@adapter
def floor_divide(b: Builder, outs: Outs, self: Any, other: Any) -> Tensor:
    """``self // other``, which rounds down."""
    return div(b, outs, self, other, "floor")  # type: ignore[no-any-return]


@adapter
def remainder(b: Builder, outs: Outs, self: Any, other: Any) -> Tensor:
    """Python's ``self % other``."""
    dtype = outs[0].dtype
    return b.binary("elementwise_mod", b.operand(self, dtype), b.operand(other, dtype))


def _compare(kind: str) -> Any:
    def compare(b: Builder, outs: Outs, self: Any, other: Any) -> Tensor:
        dtype = promoted(
            [
                self,
                int(other)
                if isinstance(other, torch.SymInt) and _is_plain(other)
                else 0
                if is_symbolic(other)
                else other,
            ]
        )
        x, y = b.operand(self, dtype), b.operand(other, dtype)
        return b.binary(kind, x, y, dtype=torch.bool)

    compare.__name__ = kind
    return adapter(compare)


for _kind in ("equal", "not_equal", "less_than", "less_equal", "greater_than", "greater_equal"):
    _compare(_kind)


def _logical(kind: str) -> Any:
    def logical(b: Builder, outs: Outs, self: Any, other: Any) -> Tensor:
        dtype = outs[0].dtype if kind.startswith("bitwise") else torch.bool
        x, y = b.operand(self, dtype), b.operand(other, dtype)
        return b.binary(kind, x, y, dtype=dtype)

    logical.__name__ = kind
    return adapter(logical)


for _kind in (
    "logical_and",
    "logical_or",
    "logical_xor",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
):
    _logical(_kind)


def _extreme(kind: str) -> Any:
    def extreme(b: Builder, outs: Outs, self: Any, other: Any) -> Tensor:
        dtype = outs[0].dtype
        if dtype is torch.bool:
            logical = "logical_or" if kind == "maximum" else "logical_and"
            return b.binary(logical, b.operand(self, dtype), b.operand(other, dtype))
        op = "elementwise_max" if kind == "maximum" else "elementwise_min"
        return b.binary(op, b.operand(self, dtype), b.operand(other, dtype))

    extreme.__name__ = kind
    return adapter(extreme)


for _kind in ("maximum", "minimum"):
    _extreme(_kind)


@adapter
def clamp(b: Builder, outs: Outs, self: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Between ``min`` and ``max``, numbers or tensors, each of which may be absent."""
    dtype = outs[0].dtype
    x = b.cast(self, dtype)
    bounds = [bound for bound in (min, max) if bound is not None]
    if dtype is torch.float32 and all(_is_plain(bound) for bound in bounds):
        attrs = {key: float(v) for key, v in (("min", min), ("max", max)) if v is not None}
        return b.emit("clip", {"X": x}, attrs)
    if min is not None:
        x = b.binary("elementwise_max", x, b.operand(min, dtype))
    if max is not None:
        x = b.binary("elementwise_min", x, b.operand(max, dtype))
    return x


@adapter
def hardtanh(b: Builder, outs: Outs, self: Tensor, min_val: Any = -1, max_val: Any = 1) -> Tensor:
    """clamp; 0 to 6 is relu6."""
    if outs[0].dtype is torch.float32 and (min_val, max_val) == (0, 6):
        return b.emit("relu6", {"X": self}, {"threshold": 6.0})
    return clamp(b, outs, self, min_val, max_val)  # type: ignore[no-any-return]


@adapter
def power(b: Builder, outs: Outs, self: Any, exponent: Any) -> Tensor:
    """``self ** exponent``."""
    dtype = outs[0].dtype
    if isinstance(self, Tensor) and _is_plain(exponent):
        x = b.cast(self, dtype)
        if exponent == 1:
            return x
        if exponent == 2:
            return (
                b.emit("square", {"X": x})
                if dtype.is_floating_point
                else b.binary("elementwise_mul", x, x)
            )
        if exponent == 3:
            return b.binary("elementwise_mul", x, b.binary("elementwise_mul", x, x))
        if exponent == 0.5 and dtype.is_floating_point:
            return b.emit("sqrt", {"X": x})
        if exponent == -0.5 and dtype.is_floating_point:
            return b.emit("rsqrt", {"X": x})
        if dtype.is_floating_point:
            return b.emit("pow", {"X": x}, {"factor": float(exponent)})
    if not dtype.is_floating_point:
        raise NotTranslatableError("powers of whole numbers")
    return b.binary("elementwise_pow", b.operand(self, dtype), b.operand(exponent, dtype))


@adapter
def where(b: Builder, outs: Outs, condition: Tensor, self: Any, other: Any) -> Tensor:
    """``self`` where the condition holds, else ``other``."""
    dtype, shape = outs[0].dtype, outs[0].shape
    mask = b.cast(condition, torch.bool)
    x, y = b.operand(self, dtype), b.operand(other, dtype)
    inputs = {"Condition": mask, "X": x, "Y": y}
    return b.emit("where", inputs, {"broadcast": True}, dtype=dtype, shape=shape)


@adapter
def masked_fill(b: Builder, outs: Outs, self: Tensor, mask: Tensor, value: Any) -> Tensor:
    """``value`` where the mask holds, else ``self``."""
    return where(b, outs, mask, value, self)  # type: ignore[no-any-return]


@adapter
def addcmul(
    b: Builder, outs: Outs, self: Tensor, tensor1: Tensor, tensor2: Tensor, value: Any = 1
) -> Tensor:
    """``self + value * tensor1 * tensor2``."""
    dtype = outs[0].dtype
    product = b.binary("elementwise_mul", b.cast(tensor1, dtype), b.cast(tensor2, dtype))
    return _sum(b, outs[0], self, product, value, 1)


@adapter
def addcdiv(
    b: Builder, outs: Outs, self: Tensor, tensor1: Tensor, tensor2: Tensor, value: Any = 1
) -> Tensor:
    """``self + value * tensor1 / tensor2``."""
    dtype = outs[0].dtype
    quotient = b.binary("elementwise_div", b.cast(tensor1, dtype), b.cast(tensor2, dtype))
    return _sum(b, outs[0], self, quotient, value, 1)


@adapter
def lerp(b: Builder, outs: Outs, self: Tensor, end: Tensor, weight: Any) -> Tensor:
    """``self + weight * (end - self)``."""
    dtype = outs[0].dtype
    x = b.cast(self, dtype)
    step = b.binary("elementwise_sub", b.cast(end, dtype), x)
    step = b.binary("elementwise_mul", step, b.operand(weight, dtype))
    return b.binary("elementwise_add", x, step)


@adapter
def identity(b: Builder, outs: Outs, self: Tensor, **_: Any) -> Tensor:
    """The tensor itself: copies, aliases, dropout of eval and what only checks."""
    return self


@adapter
def to(b: Builder, outs: Outs, self: Tensor, **_: Any) -> Tensor:
    """The elements in the result's type."""
    return b.cast(self, outs[0].dtype)


@adapter
def copy(b: Builder, outs: Outs, self: Tensor, src: Tensor, non_blocking: bool = False) -> Tensor:
    """``src`` in the shape and type of ``self``."""
    from lite.torch.adapters.shapes import broadcast_to

    return broadcast_to(b, b.cast(src, outs[0].dtype), outs[0].shape)


@adapter
def dropout(b: Builder, outs: Outs, input: Tensor, p: float, train: Any) -> Any:
    """The identity of evaluation."""
    if train and p > 0:
        raise NotTranslatableError("dropout that draws random numbers (call model.eval())")
    return [input, None]
