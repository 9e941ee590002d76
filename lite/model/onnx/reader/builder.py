"""Builder: a Program that grows by what every family of operators needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lite.core.optimizer.graph import Shape
from lite.model.onnx.reader.program_builder import ProgramBuilder
from lite.model.onnx.reader.values import Tensor
from lite.model.params import NUMPY_TYPES
from lite.model.program import DataType

END = (1 << 31) - 1
"""Stands for "to the end" where attributes have 32 bits."""

FLOATS = (DataType.FP32, DataType.FP64)
SMALL = (DataType.INT8, DataType.UINT8, DataType.INT16, DataType.BOOL)
"""Element types that few kernels compute in: they take the way over int32."""


class Builder(ProgramBuilder):
    """Casts, shapes, parts and sizes of tensors, as operators; constants where all is known."""

    def cast(self, x: Tensor, dtype: DataType) -> Tensor:
        """The elements as another type."""
        if x.dtype is dtype:
            return x
        if x.array is not None:
            with np.errstate(all="ignore"):
                made = x.array.astype(NUMPY_TYPES[dtype])
            if x.dtype not in FLOATS or dtype in FLOATS:
                return Tensor(x.name, dtype, x.shape, made)
        attrs = {"out_dtype": int(dtype)}
        return self.emit("cast", {"X": x}, **attrs)

    def binary(self, type: str, x: Tensor, y: Tensor) -> Tensor:
        """An elementwise operator of two operands of one type that broadcast."""
        return self.emit(type, {"X": x, "Y": y})

    def reshape(self, x: Tensor, dims: Sequence[int]) -> Tensor:
        """Another shape; 0 copies a dimension, -1 is what is left."""
        if not dims:
            if x.shape == ():
                return x
            axes = () if x.shape is None else range(x.rank)  # none: all of 1
            made = self.emit("squeeze2", {"X": x}, out="Out", axes=axes)
            made.shape = ()
            return made
        return self.emit("reshape2", {"X": x}, shape=dims)

    def flat(self, x: Tensor) -> Tensor:
        """All elements in one dimension."""
        return x if x.shape is not None and x.rank == 1 else self.reshape(x, [-1])

    def squeeze(self, x: Tensor, axes: Sequence[int]) -> Tensor:
        """Fewer dimensions; they are 1."""
        if not axes:
            return x
        made = self.emit("squeeze2", {"X": x}, axes=axes)
        if made.shape is None and x.shape is not None:
            dropped = {axis % x.rank for axis in axes}
            made.shape = tuple(dim for i, dim in enumerate(x.shape) if i not in dropped)
        return made

    def unsqueeze(self, x: Tensor, axes: Sequence[int]) -> Tensor:
        """More dimensions of 1: at these positions of the result."""
        return self.emit("unsqueeze2", {"X": x}, axes=axes) if axes else x

    def transpose(self, x: Tensor, axes: Sequence[int]) -> Tensor:
        """The axes in another order."""
        if list(axes) == list(range(len(axes))):
            return x
        return self.emit("transpose2", {"X": x}, axis=axes)

    def turned(self, matrix: Tensor) -> Tensor:
        """A constant matrix's transpose: one, however many read it."""
        assert matrix.array is not None
        key = id(matrix.array)  # which is held beside what is made of it
        if key not in self._turned:
            array = np.ascontiguousarray(matrix.array.T)
            integers = None if matrix.integers is None else matrix.integers.T
            made = Tensor(matrix.name, matrix.dtype, array.shape, array, integers=integers)
            self._turned[key] = matrix.array, made
        return self._turned[key][1]

    def slice(self, x: Tensor, axis: int, start: int, end: int = END, drop: bool = False) -> Tensor:
        """Elements [start, end) of an axis; ``drop`` takes the axis away."""
        dropped = [axis] if drop else []
        return self.emit(
            "slice", {"Input": x}, axes=[axis], starts=[start], ends=[end], decrease_axis=dropped
        )

    def concat(self, parts: Sequence[Tensor], axis: int) -> Tensor:
        """Several tensors as one."""
        return parts[0] if len(parts) == 1 else self.emit("concat", {"X": parts}, axis=axis)

    def reduce(
        self, kind: str, x: Tensor, axes: Sequence[int] | Tensor | None, keep: bool
    ) -> Tensor:
        """``reduce_<kind>``; axes of None are all, and a tensor's are known as the model runs."""
        if isinstance(axes, Tensor):
            inputs = {"X": x, "AxisTensor": self.int32(axes)}
            return self.emit(f"reduce_{kind}", inputs, keep_dim=keep)
        attrs = {"dim": [0] if axes is None else axes, "reduce_all": axes is None}
        return self.emit(f"reduce_{kind}", {"X": x}, keep_dim=keep, **attrs)

    def shape_of(self, x: Tensor) -> Tensor:
        """The dimensions as int64 [rank]."""
        if x.shape is not None and None not in x.shape:
            return self.ints([dim for dim in x.shape if dim is not None])
        found = self._shapes.get(x.name)
        if found is None:
            made = self.emit("shape", {"Input": x})
            found = self._shapes[x.name] = self.cast(made, DataType.INT64)
            found.sizes = x.shape
        return found

    def int32(self, x: Tensor) -> Tensor:
        """Sizes and positions as operators take them: int32, what is beyond it clamped."""
        if x.array is not None:
            clamped = np.clip(x.array, -END - 1, END)
            return Tensor(x.name, DataType.INT32, x.shape, clamped.astype(np.int32))
        if any(abs(size or 0) > END for size in x.sizes or ()):
            end = self.like(END, x)
            x = self.binary("elementwise_min", x, end)
            x = self.binary("elementwise_max", x, self.like(-END - 1, x))
        return self.cast(x, DataType.INT32)

    def full(self, sizes: Tensor, value: Any, dtype: DataType) -> Tensor:
        """A tensor of one number whose shape is a tensor of sizes."""
        number = np.asarray(value).astype(NUMPY_TYPES[dtype]).reshape(()).item()
        attrs: dict[str, Any] = {"dtype": int(dtype), "str_value": _number_text(number)}
        return self.filled("fill_constant", sizes, **attrs)

    def filled(self, type: str, sizes: Tensor, **attrs: Any) -> Tensor:
        """What an operator makes that has a shape for all it reads."""
        if sizes.array is not None:
            return self.emit(type, {}, shape=[int(n) for n in sizes.array.reshape(-1)], **attrs)
        return self.emit(type, {"ShapeTensor": self.int32(sizes)}, **attrs)

    def require(self, condition: Tensor, shown: Sequence[Tensor], message: str) -> None:
        """A run whose condition is false is refused, with what is ``shown``."""
        data = {"Cond": [self.use(condition)], "Data": [self.use(x) for x in shown]}
        self.append("assert", data, {}, {"summarize": -1, "message": message})

    def require_sizes(self, tensor: Tensor, shape: Shape) -> None:
        """Sizes that are believed of an input: a run with others is refused."""
        tensor.shape = None
        known = [axis for axis, dim in enumerate(shape) if dim is not None]
        wanted = self.ints([dim for dim in shape if dim is not None])
        if known:
            tensor.shape = (None,) * len(shape)
            sizes = self.shape_of(tensor)
            if len(known) < len(shape):
                sizes = self.emit("gather", {"X": sizes, "Index": self.ints(known)}, axis=0)
            same = self.emit("equal_all", {"X": sizes, "Y": wanted})
            message = "the model is read for inputs of its declared sizes only"
            self.require(same, [sizes, wanted], message)
            self._shapes.pop(tensor.name)
        tensor.shape = shape


def _number_text(number: Any) -> str:
    return str(int(number)) if isinstance(number, bool) else repr(number)
