"""Builder: a Program, operator by operator, over torch's element types and symbolic sizes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import sympy
import torch

from lite.model.declared import Declared, declared
from lite.model.program import Attr, AttrType, BlockDesc, OpDesc, Program, VarDesc
from lite.torch.values import Dim, NotTranslatableError, Shape, Tensor, data_type, is_symbolic, same

_COMPARISONS = {
    "StrictGreaterThan": "greater_than",
    "StrictLessThan": "less_than",
    "GreaterThan": "greater_equal",
    "LessThan": "less_equal",
    "Equality": "equal",
    "Unequality": "not_equal",
}
"""sympy's comparisons."""

_LARGEST = 2**31 - 1  # slices clamp: attributes hold 32 bits, torch says 2**63 - 1 for "the end"

Inputs = Mapping[str, "Tensor | Sequence[Tensor] | None"]


def operator(type: str) -> Declared:
    """What the framework declares of an operator."""
    found = declared(type)
    if found is None:
        raise NotTranslatableError(f"the framework has no operator {type}")
    return found


class Builder:
    """Appends operators to a block of ``program``: the main one, or an inner one."""

    def __init__(self, every_size: bool = False) -> None:
        """``every_size`` takes sizes that no input shows for known: of a part of a graph."""
        self.program = Program()
        self._block = self.program.root
        self._every_size = every_size
        self._count = 0
        self._symbols: dict[sympy.Expr, tuple[Tensor, int]] = {}
        self._sizes: dict[sympy.Expr, Tensor] = {}
        self._feeds = 0

    # -- Variables.

    def variable(self, dtype: torch.dtype, shape: Shape, name: str = "") -> Tensor:
        """A new variable; ``name`` must be free."""
        if not name:
            self._count += 1
            name = f"t{self._count}"
        dims = tuple(-1 if is_symbolic(dim) else int(dim) for dim in shape)
        self._block.vars[name] = VarDesc(name, dtype=data_type(dtype), shape=dims)
        return Tensor(name, dtype, tuple(shape))

    def feed(self, name: str, dtype: torch.dtype, shape: Shape) -> Tensor:
        """The next input of the program; free sizes in its shape become known by it."""
        tensor = self.variable(dtype, shape, name)
        self._op("feed", {}, {"Out": [name]}, {"col": Attr(AttrType.INT, self._feeds)})
        self._feeds += 1
        self.learn(tensor)
        return tensor

    def feed_size(self, name: str, size: torch.SymInt) -> Tensor:
        """An input that holds a size which no tensor's shape shows: int32 [1]."""
        tensor = self.feed(name, torch.int32, (1,))
        self._sizes[size.node.expr] = tensor
        return tensor

    def parameter(self, array: np.ndarray[Any, Any], dtype: torch.dtype, name: str = "") -> Tensor:
        """A constant; the array is not copied."""
        tensor = self.variable(dtype, array.shape, name)
        var = self._block.vars.pop(tensor.name)
        var.persistable = True
        self.program.root.vars[tensor.name] = var
        self.program.params[tensor.name] = array
        return tensor

    def learn(self, tensor: Tensor) -> None:
        """Remembers where free sizes stand that are the size of a dimension."""
        for axis, dim in enumerate(tensor.shape):
            if is_symbolic(dim) and dim.node.expr.is_Symbol:
                self._symbols.setdefault(dim.node.expr, (tensor, axis))

    def rename(self, dim: torch.SymInt, size: Dim) -> None:
        """A free size of an inner graph is a size of the outer one."""
        if not is_symbolic(dim) or same(dim, size):
            return
        if is_symbolic(size):
            self._sizes[dim.node.expr] = self.size(size)
        else:
            self._sizes[dim.node.expr] = self.full((1,), int(size), torch.int32)

    # -- Blocks.

    @contextlib.contextmanager
    def own_sizes(self) -> Iterator[None]:
        """Sizes that are computed within are not known after it."""
        sizes, symbols = dict(self._sizes), dict(self._symbols)
        try:
            yield
        finally:
            self._sizes, self._symbols = sizes, symbols

    @contextlib.contextmanager
    def inner_block(self) -> Iterator[BlockDesc]:
        """Operators within go to a new block, which ``add_block`` makes an operator's."""
        outer = self._block
        self._block = BlockDesc(len(self.program.blocks), outer.idx)
        self.program.blocks.append(self._block)
        try:
            with self.own_sizes():
                yield self._block
        finally:
            self._block = outer

    def add_block(
        self,
        type: str,
        block: BlockDesc,
        inputs: dict[str, list[str]],
        outputs: dict[str, list[str]],
        attrs: dict[str, Attr],
    ) -> None:
        """Appends an operator that runs a block."""
        self._op(type, inputs, outputs, {"sub_block": Attr(AttrType.BLOCK, block.idx), **attrs})

    # -- Operators.

    def _op(
        self,
        type: str,
        inputs: dict[str, list[str]],
        outputs: dict[str, list[str]],
        attrs: dict[str, Attr],
    ) -> None:
        self._block.ops.append(OpDesc(type, inputs, outputs, attrs))

    def emit(
        self,
        type: str,
        inputs: Inputs,
        attrs: Mapping[str, Any] | None = None,
        *,
        dtype: torch.dtype | None = None,
        shape: Shape | None = None,
        out: str = "",
        name: str = "",
    ) -> Tensor:
        """Appends an operator of one result that matters, in slot ``out`` (the first by default).

        Its type and shape are the first input's where they are not given.
        """
        first = next((value for value in inputs.values() if isinstance(value, Tensor)), None)
        if dtype is None or shape is None:
            if first is None:
                raise ValueError(f"{type}: the result's type and shape are not given")
            dtype, shape = dtype or first.dtype, first.shape if shape is None else shape
        slot = out or operator(type).outputs[0]
        result = self.variable(dtype, shape, name)
        self.emit_all(type, inputs, attrs or {}, {slot: [result]})
        return result

    def emit_all(
        self,
        type: str,
        inputs: Inputs,
        attrs: Mapping[str, Any],
        outputs: Mapping[str, Sequence[Tensor]],
    ) -> None:
        """Appends an operator with every result given. Inputs that are None are absent."""
        known = operator(type)
        listed = {
            slot: [value.name] if isinstance(value, Tensor) else [item.name for item in value]
            for slot, value in inputs.items()
            if value is not None
        }
        typed = {}
        for key, value in attrs.items():
            if key not in known.attrs:
                raise NotTranslatableError(f"the operator {type} has no attribute {key}")
            typed[key] = known.attr(key, value)
        named = {slot: [item.name for item in values] for slot, values in outputs.items()}
        self._op(type, listed, named, typed)

    # -- What every family needs.

    def cast(self, x: Tensor, dtype: torch.dtype) -> Tensor:
        """The elements as another type."""
        if x.dtype is dtype:
            return x
        return self.emit("cast", {"X": x}, {"out_dtype": data_type(dtype)}, dtype=dtype)

    def full(self, shape: Shape, value: float, dtype: torch.dtype) -> Tensor:
        """A tensor of one number."""
        attrs: dict[str, Any] = {"dtype": data_type(dtype), "str_value": _number(value, dtype)}
        numbers, sizes = self.sizes(shape)
        attrs["shape"] = numbers
        return self.emit(
            "fill_constant", {"ShapeTensorList": sizes}, attrs, dtype=dtype, shape=shape
        )

    def scalar(self, value: float, dtype: torch.dtype) -> Tensor:
        """A 0-D tensor of one number, which broadcasts."""
        return self.full((), value, dtype)

    def operand(self, value: object, dtype: torch.dtype) -> Tensor:
        """A tensor, number or size as an operand of a type."""
        if isinstance(value, Tensor):
            return self.cast(value, dtype)
        if is_symbolic(value):
            return self.reshape(self.cast(self.size(value), dtype), ())
        if isinstance(value, (bool, int, float, torch.SymInt)):
            return self.scalar(int(value) if isinstance(value, torch.SymInt) else value, dtype)
        raise NotTranslatableError(f"{type(value).__name__} is no operand that is computed here")

    def binary(
        self, type: str, x: Tensor, y: Tensor, *, dtype: torch.dtype | None = None
    ) -> Tensor:
        """An elementwise operator of two operands that broadcast."""
        attrs = {"axis": -1} if "axis" in operator(type).attrs else {}
        shape = broadcast(x.shape, y.shape)
        return self.emit(type, {"X": x, "Y": y}, attrs, dtype=dtype or x.dtype, shape=shape)

    def transpose(self, x: Tensor, axes: Sequence[int]) -> Tensor:
        """The axes in another order."""
        if list(axes) == list(range(x.rank)):
            return x
        shape = tuple(x.shape[axis] for axis in axes)
        made = self.emit("transpose2", {"X": x}, {"axis": axes}, shape=shape)
        swap = [*range(x.rank - 2), x.rank - 1, x.rank - 2]
        return Tensor(made.name, made.dtype, made.shape, x) if list(axes) == swap else made

    def reshape(self, x: Tensor, shape: Shape) -> Tensor:
        """The same elements in another shape."""
        if len(shape) == x.rank and all(same(a, b) for a, b in zip(shape, x.shape, strict=True)):
            return x
        free = [axis for axis, dim in enumerate(shape) if is_symbolic(dim)]
        kept = {
            axis for axis in free if axis < x.rank and same(shape[axis], x.shape[axis])
        }  # 0 in the attribute
        rest = [axis for axis in free if axis not in kept]
        if any(not is_symbolic(dim) and int(dim) == 0 for dim in shape):
            kept = set()
            rest = free
        if len(rest) <= 1 and not (rest and any(same(dim, 0) for dim in shape)):
            dims = [0 if a in kept else -1 if a in rest else int(d) for a, d in enumerate(shape)]
            return self.emit("reshape2", {"X": x}, {"shape": dims}, shape=shape)
        numbers, sizes = self.sizes(shape)
        return self.emit(
            "reshape2", {"X": x, "ShapeTensor": sizes}, {"shape": numbers}, shape=shape
        )

    def flat(self, x: Tensor) -> Tensor:
        """All elements in one axis."""
        if x.rank == 1:
            return x
        count: Dim = 1
        for dim in x.shape:
            count = count * dim
        if x.rank == 0:
            return self.reshape(x, (1,))
        attrs = {"start_axis": 0, "stop_axis": x.rank - 1}
        return self.emit("flatten_contiguous_range", {"X": x}, attrs, shape=(count,))

    def product(self, x: Tensor, y: Tensor, swap_y: bool = False) -> Tensor:
        """The matrix product over the last two axes; transposes of operands are read in place."""
        attrs = {"trans_x": x.swapped is not None, "trans_y": (y.swapped is not None) != swap_y}
        columns = y.shape[-2] if swap_y else y.shape[-1]
        shape = (*broadcast(x.shape[:-2], y.shape[:-2]), x.shape[-2], columns)
        inputs = {"X": x.swapped or x, "Y": y.swapped or y}
        return self.emit("matmul_v2", inputs, attrs, shape=shape)

    def slice(
        self,
        x: Tensor,
        axis: int,
        start: Dim,
        end: Dim,
        drop: bool = False,
        shape: Shape | None = None,
    ) -> Tensor:
        """Elements [start, end) of an axis; ``drop`` takes the axis away."""
        length = x.shape[axis]
        attrs: dict[str, Any] = {"axes": [axis], "decrease_axis": [axis] if drop else []}
        inputs: dict[str, Tensor | Sequence[Tensor] | None] = {"Input": x}
        for key, slot, value in (
            ("starts", "StartsTensorList", start),
            ("ends", "EndsTensorList", end),
        ):
            if is_symbolic(value) and not (key == "ends" and same(value, length)):
                attrs[key], inputs[slot] = [-1], [self.size(value)]
            else:
                attrs[key] = [_LARGEST if is_symbolic(value) else min(int(value), _LARGEST)]
        if shape is None:
            size = length - start if not is_symbolic(end) and int(end) >= _LARGEST else end - start
            shape = (*x.shape[:axis], *([] if drop else [size]), *x.shape[axis + 1 :])
        return self.emit("slice", inputs, attrs, shape=shape)

    # -- Sizes.

    def sizes(self, shape: Shape) -> tuple[list[int], list[Tensor] | None]:
        """A shape as an attribute, with a list of int32 [1] where some are free."""
        if not any(is_symbolic(dim) for dim in shape):
            return [int(dim) for dim in shape], None
        tensors = [
            self.size(dim) if is_symbolic(dim) else self.full((1,), int(dim), torch.int32)
            for dim in shape
        ]
        return [-1 if is_symbolic(dim) else int(dim) for dim in shape], tensors

    def size(self, dim: torch.SymInt) -> Tensor:
        """A free size as int32 [1], computed from the inputs' shapes."""
        return self._expression(dim.node.expr)

    def truth(self, condition: torch.SymBool) -> Tensor:
        """A comparison of sizes as bool [1]."""
        expr = condition.node.expr
        if expr in (sympy.true, sympy.false):
            return self.full((1,), bool(expr), torch.bool)
        type = _COMPARISONS.get(expr.func.__name__)
        if type is None:
            raise NotTranslatableError(f"the condition {expr} is not computed here")
        left, right = (self._expression(arg) for arg in expr.args)
        return self.binary(type, left, right, dtype=torch.bool)

    def _expression(self, expr: sympy.Expr) -> Tensor:
        made = self._sizes.get(expr)
        if made is None:
            made = self._sizes[expr] = self._compute(expr)
        return made

    def _compute(self, expr: sympy.Expr) -> Tensor:
        if expr.is_Integer:
            return self.full((1,), int(expr), torch.int32)
        if expr.is_Symbol:
            found = self._symbols.get(expr)
            if found is None and self._every_size:
                return self.variable(torch.int32, (1,))
            if found is None:
                raise NotTranslatableError(f"the size {expr} stands in no input's shape")
            tensor, axis = found
            shape = self.emit("shape", {"Input": tensor}, dtype=torch.int32, shape=(tensor.rank,))
            return self.slice(shape, 0, axis, axis + 1)
        return self._function(expr)

    def _function(self, expr: sympy.Expr) -> Tensor:
        name = type(expr).__name__
        if name in ("Add", "Mul"):
            if not all(arg.is_integer for arg in expr.args):
                raise NotTranslatableError(f"the size {expr} is no sum or product of whole numbers")
            type_ = "elementwise_add" if name == "Add" else "elementwise_mul"
            parts = [self._expression(arg) for arg in expr.args]
            total = parts[0]
            for part in parts[1:]:
                total = self.binary(type_, total, part)
            return total
        types = {
            "FloorDiv": "elementwise_floordiv",
            "CleanDiv": "elementwise_floordiv",
            "IntTrueDiv": "",
            "PythonMod": "elementwise_mod",
            "Mod": "elementwise_mod",
            "Max": "elementwise_max",
            "Min": "elementwise_min",
        }
        if types.get(name) and len(expr.args) == 2:
            return self.binary(types[name], *(self._expression(arg) for arg in expr.args))
        if expr.is_Pow and expr.exp.is_Integer and 0 < int(expr.exp) < 8:
            base = total = self._expression(expr.base)
            for _ in range(int(expr.exp) - 1):
                total = self.binary("elementwise_mul", total, base)
            return total
        raise NotTranslatableError(f"the size {expr} holds {name}, which is not computed here")


def broadcast(a: Shape, b: Shape) -> Shape:
    """The shape of an elementwise operator's result."""
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    shorter = (1,) * (len(longer) - len(shorter)) + tuple(shorter)
    return tuple(y if same(x, 1) else x for x, y in zip(longer, shorter, strict=True))


def adjacent(numbers: Sequence[int]) -> bool:
    """Whether numbers follow each other without a gap."""
    return all(b == a + 1 for a, b in pairwise(numbers))


def _number(value: float, dtype: torch.dtype) -> str:
    if dtype is torch.bool:
        return str(int(bool(value)))
    return repr(float(value)) if dtype.is_floating_point else str(int(value))
