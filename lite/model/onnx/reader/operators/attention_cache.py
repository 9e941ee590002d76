"""Keys and values of earlier tokens, in a cache that grows, or of a window, in floats or integers.

Definitions: GroupQueryAttention in docs/ContribOperators.md of ONNX Runtime.
"""

from __future__ import annotations

from dataclasses import dataclass

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.operators.weight_blocks import unpacked
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.program import DataType


@dataclass(frozen=True)
class Elements:
    """What a cache holds: floats, or integers of 8 or 4 bits that a scale makes floats of."""

    scale: Tensor | None = None
    bits: int = 0

    def held(self, b: Builder, x: Tensor) -> Tensor:
        """Floats [batch, heads, rows, dim] as the cache has them."""
        if self.scale is None:
            return x
        low = -(1 << (self.bits - 1))
        steps = b.emit("rint", {"x": b.binary("elementwise_div", x, self.scale)})
        steps = b.emit("clip", {"X": steps}, min=float(low), max=float(-low - 1))
        if self.bits == 8:
            return b.cast(steps, DataType.INT8)
        pairs = b.reshape(b.emit("scale", {"X": steps}, scale=1.0, bias=-low), [0, 0, 0, -1, 2])
        first, second = (b.slice(pairs, 4, i, i + 1, drop=True) for i in (0, 1))
        upper = b.emit("scale", {"X": second}, scale=16.0)
        return b.cast(b.binary("elementwise_add", first, upper), DataType.UINT8)

    def floats(self, b: Builder, x: Tensor) -> Tensor:
        """The other way round."""
        if self.scale is None:
            return x
        steps = x if self.bits == 8 else unpacked(b, x, 4)
        steps = b.cast(steps, DataType.FP32)
        if self.bits == 4:
            steps = b.emit("scale", {"X": steps}, scale=1.0, bias=-8.0)
        return b.binary("elementwise_mul", steps, self.scale)


def elements(
    b: Builder, past: Tensor | None, scale: Tensor | None, kind: str, bits: int
) -> Elements:
    """By the attributes and the scale, which broadcasts to [1, heads, 1, dim]."""
    if kind == "NONE" and scale is None:
        return Elements()
    wanted = {8: DataType.INT8, 4: DataType.UINT8}.get(bits)
    if kind not in ("PER_TENSOR", "PER_CHANNEL") or scale is None or past is None:
        raise CannotRead(f"a cache of {kind!r} without its scale, or without a cache")
    if wanted is None or past.dtype is not wanted:
        raise CannotRead(f"a cache of {past.dtype.name} in {bits} bits")
    scale = b.cast(scale, DataType.FP32)
    return Elements(b.reshape(scale, [1]) if kind == "PER_TENSOR" else scale, bits)


@dataclass(frozen=True)
class Places:
    """Of the tokens of a call, in a cache, each [batch]: int64."""

    before: Tensor
    """Tokens of earlier calls."""
    behind: Tensor
    """Those and the new ones."""
    total: Tensor
    """Rows that a cache has at least that is not of a window; one number."""
    window: int = 0
    """At least so many of the last tokens does the cache hold, from its first row on; 0: all."""

    def step(self, b: Builder, past: Tensor | None, x: Tensor) -> tuple[Tensor, Tensor]:
        """Earlier and new tokens' rows, and the cache that the next call gets."""
        if past is None:
            return x, x
        if self.window:
            self._require_window(b, past)
        used, total = self._resident(b, past, self.before), self.total
        if self.window:  # nothing is dropped yet that the first of the new ones sees
            total = b.binary("elementwise_add", _rows(b, past), _rows(b, x))
        inputs = {"Cache": past, "X": x, "Lengths": used, "Total": total}
        whole = b.emit("kv_cache_append", inputs)
        if not self.window:
            return whole, whole
        new = b.binary("elementwise_sub", self.behind, self.before)
        held = b.binary("elementwise_add", used, new)
        dropped = b.binary("elementwise_sub", held, self._resident(b, past, self.behind))
        inputs = {"X": whole, "Starts": dropped, "Count": _rows(b, past)}
        return whole, b.emit("kv_cache_keep", inputs)

    def _require_window(self, b: Builder, past: Tensor) -> None:
        rows, least = _rows(b, past), b.ints([self.window])
        message = "a sliding_window_cache has at least local_window_size rows"
        b.require(b.binary("greater_equal", rows, least), [rows, least], message)

    def in_cache(self, b: Builder, past: Tensor | None, at: Tensor) -> Tensor:
        """Rows of what ``step`` made, for places [batch, length] among all tokens."""
        if past is None or not self.window:
            return at
        gone = b.binary("elementwise_sub", self.before, self._resident(b, past, self.before))
        return b.binary("elementwise_sub", at, b.unsqueeze(gone, [1]))

    def _resident(self, b: Builder, past: Tensor, tokens: Tensor) -> Tensor:
        """Of so many tokens: a cache of C rows drops G = C - window + 1 at once when it is full."""
        if not self.window:
            return tokens
        rows = _rows(b, past)
        group = b.binary("elementwise_sub", rows, b.ints([self.window - 1]))
        over = b.binary("elementwise_sub", tokens, rows)
        over = b.binary("elementwise_max", over, b.ints([0]))
        over = b.binary("elementwise_add", over, b.binary("elementwise_sub", group, b.ints([1])))
        times = b.binary("elementwise_floordiv", over, group)
        return b.binary("elementwise_sub", tokens, b.binary("elementwise_mul", times, group))


def _rows(b: Builder, x: Tensor) -> Tensor:
    return b.slice(b.shape_of(x), 0, 2, 3)
