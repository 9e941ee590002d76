"""One Paddle operator while it becomes ONNX nodes: slots as names, attributes as numbers; which
function writes it, and what it cannot say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from lite.core.optimizer.graph import Node, Shape, Value
from lite.model.declared import declared
from lite.model.onnx.writer import GraphWriter, element_type
from lite.model.params import NUMPY_TYPES
from lite.model.program import DataType

MOST = 1 << 24
"""So many numbers may a constant have that no parameter is."""


class CannotExport(Exception):  # noqa: N818
    """This operator, with these attributes, cannot be said in ONNX; the text is why."""


class NeedsOpset(Exception):  # noqa: N818
    """The model must be written again for a later operator set."""

    def __init__(self, opset: int) -> None:
        super().__init__(f"operator set {opset}")
        self.opset = opset


def numpy_type(number: Any) -> np.dtype[Any]:
    """The array type of a ``DataType`` number. Raises CannotExport for what ONNX has not."""
    try:
        found: np.dtype[Any] = np.dtype(NUMPY_TYPES[DataType(number)])
    except (KeyError, ValueError):
        raise CannotExport(f"element type {number}") from None
    if found.kind == "c":
        raise CannotExport("complex numbers")
    return found


class Names(Protocol):
    """The block that an operator is in, on its way into a GraphProto."""

    opset: int
    writer: GraphWriter

    def name_of(self, value: Value) -> str:
        """The ONNX name of a value; a parameter is written when it is first used."""
        ...


class Op:
    """One operator in the scope of its block."""

    def __init__(self, scope: Names, node: Node) -> None:
        self.scope = scope
        self.source = node
        self.type = node.type
        self.opset = scope.opset
        self.node = scope.writer.node

    # -- Attributes.

    def attr(self, name: str, default: Any = None) -> Any:
        """An attribute, else its declared default, else ``default``."""
        found = self.source.attr(name)
        if found is None:
            known = declared(self.type)
            found = known.defaults.get(name) if known is not None else None
        return default if found is None else found

    def integers(self, name: str) -> list[int]:
        """A list of integers; a single one is a list of one."""
        value = self.attr(name, [])
        return [int(v) for v in value] if isinstance(value, (list, tuple)) else [int(value)]

    def flag(self, name: str, default: bool = False) -> bool:
        """A boolean attribute."""
        return bool(self.attr(name, default))

    def number(self, name: str, default: float = 0.0) -> float:
        """A floating-point attribute."""
        return float(self.attr(name, default))

    # -- Values.

    def value(self, slot: str, index: int = 0) -> Value:
        """An input. Raises CannotExport where it is absent."""
        found = self.source.input(slot, index)
        if found is None:
            raise CannotExport(f"input {slot} is missing")
        return found

    def has(self, slot: str) -> bool:
        """Whether an input is there."""
        return self.source.input(slot) is not None

    def __getitem__(self, slot: str) -> str:
        return self.scope.name_of(self.value(slot))

    def get(self, slot: str) -> str | None:
        """An input's name, or None where it is absent."""
        return self[slot] if self.has(slot) else None

    def names(self, slot: str) -> list[str]:
        """The names of all tensors of an input."""
        return [self.scope.name_of(value) for value in self.source.inputs.get(slot, [])]

    def count(self, slot: str) -> int:
        """How many tensors an output has."""
        return len(self.source.outputs.get(slot, []))

    def wants(self, slot: str) -> bool:
        """Whether somebody reads an output."""
        found = self.source.output(slot)
        return found is not None and not found.dead

    def array(self, slot: str, index: int = 0) -> np.ndarray | None:
        """An input's elements where they are constant."""
        found = self.source.input(slot, index)
        return None if found is None else found.array

    def dtype(self, slot: str, index: int = 0) -> np.dtype[Any]:
        """An input's element type."""
        found = self.value(slot, index)
        if found.dtype is None:
            raise CannotExport(f"the element type of {found.name} is unknown")
        return numpy_type(found.dtype)

    def shape(self, slot: str, index: int = 0) -> Shape:
        """An input's dimensions, None where one is free. Raises CannotExport without a rank."""
        found = self.value(slot, index)
        if found.shape is None:
            raise CannotExport(f"the number of dimensions of {found.name} is unknown")
        return found.shape

    def rank(self, slot: str, index: int = 0) -> int:
        """An input's number of dimensions."""
        return len(self.shape(slot, index))

    def static(self, slot: str) -> list[int]:
        """An input's dimensions. Raises CannotExport where one is free."""
        shape = self.shape(slot)
        if any(dim is None for dim in shape):
            raise CannotExport(f"{self.value(slot).name} has free dimensions {list(shape)}")
        return [dim for dim in shape if dim is not None]

    def axis(self, value: int, rank: int) -> int:
        """An axis from 0. Raises CannotExport where there is none."""
        if not -rank <= value < max(rank, 1):
            raise CannotExport(f"axis {value} of {rank} dimensions")
        return value + rank if value < 0 else value

    def out_dtype(self, slot: str = "Out") -> np.dtype[Any]:
        """The inferred element type of an output."""
        found = self.source.output(slot)
        if found is None or found.dtype is None:
            raise CannotExport(f"the element type of output {slot} is unknown")
        return numpy_type(found.dtype)

    def refuse_weights(self, slot: str, only: str = "") -> None:
        """Raises CannotExport for integers, or one type of them, that were weights once."""
        found = self.dtype(slot)
        if (found == only) if only else (found.kind != "f"):
            raise CannotExport("weights in integers; export the model before it is optimised")

    # -- Nodes.

    def need_opset(self, opset: int) -> None:
        """Asks for an operator set at least."""
        if self.opset < opset:
            raise NeedsOpset(opset)

    def const(self, value: Any, dtype: Any = None) -> str:
        """A constant: arrays keep their type, Python's numbers become int64 or float32."""
        if dtype is None and isinstance(value, (np.ndarray, np.generic)):
            dtype = value.dtype
        return self.scope.writer.constant(value, dtype)

    def need_small(self, count: float) -> None:
        """Refuses constants, or repetitions, that an attribute makes too many of."""
        if count > MOST:
            raise CannotExport(f"{count:.0f} numbers, more than {MOST}")

    def ints(self, values: Sequence[int]) -> str:
        """A constant list of int64."""
        return self.const(np.asarray(list(values), np.int64))

    def cast(self, name: str, dtype: Any) -> str:
        """Elements of another type."""
        return str(self.node("Cast", [name], to=element_type(dtype)))

    def reshape(self, name: str, dims: Sequence[int]) -> str:
        """Another shape; 0 copies a dimension, -1 is what is left."""
        return str(self.node("Reshape", [name, self.ints(dims)]))

    def flat(self, name: str) -> str:
        """All elements in one dimension."""
        return self.reshape(name, [-1])

    def unsqueeze(self, name: str, axes: Sequence[int]) -> str:
        """More dimensions of 1."""
        return str(self._with_ints("Unsqueeze", name, "axes", axes)) if axes else name

    def squeeze(self, name: str, axes: Sequence[int]) -> str:
        """Fewer dimensions of 1."""
        return str(self._with_ints("Squeeze", name, "axes", axes)) if axes else name

    def _with_ints(
        self, type: str, name: str, attribute: str, numbers: Sequence[int], **attributes: Any
    ) -> Any:
        """A node whose numbers were an attribute before operator set 13."""
        if self.opset >= 13:
            return self.node(type, [name, self.ints(numbers)], **attributes)
        attributes[attribute] = list(numbers)
        return self.node(type, [name], **attributes)

    def softmax(self, type: str, name: str, axis: int, rank: int) -> str:
        """Softmax or LogSoftmax; before operator set 13 over all axes from one on."""
        last = rank - 1
        if self.opset >= 13 or axis == last:
            return str(self.node(type, [name], axis=axis))
        swapped = [last if i == axis else axis if i == last else i for i in range(rank)]
        made = self.node(type, [self.transpose(name, swapped)], axis=last)
        return self.transpose(str(made), swapped)

    def transpose(self, name: str, axes: Sequence[int]) -> str:
        """Other order of dimensions."""
        same = list(axes) == list(range(len(axes)))
        return name if same else str(self.node("Transpose", [name], perm=list(axes)))

    def concat(self, names: Sequence[str], axis: int = 0) -> str:
        """Several tensors as one."""
        return names[0] if len(names) == 1 else str(self.node("Concat", names, axis=axis))

    def slice(
        self,
        name: str,
        starts: Sequence[int],
        ends: Sequence[int],
        axes: Sequence[int],
        steps: Sequence[int] | None = None,
    ) -> str:
        """A part; numbers beyond the end mean the end."""
        parts = [starts, ends, axes] + ([steps] if steps is not None else [])
        return str(self.node("Slice", [name, *(self.ints(part) for part in parts)]))

    def reduce(self, kind: str, name: str, axes: Sequence[int] | None, keep: bool = True) -> str:
        """Reduce<kind>; axes of None mean all. They were attributes before operator set 18, those
        of sums before 13."""
        type = f"Reduce{kind}"
        if self.opset >= (13 if kind == "Sum" else 18):
            listed = None if axes is None else self.ints(axes)
            return str(self.node(type, [name, listed], keepdims=int(keep)))
        attribute = None if axes is None else list(axes)
        return str(self.node(type, [name], axes=attribute, keepdims=int(keep)))

    def shape_of(self, name: str, start: int | None = None, end: int | None = None) -> str:
        """The dimensions as int64, or some of them."""
        whole = str(self.node("Shape", [name]))
        if start is None and end is None:
            return whole
        return self.slice(whole, [start or 0], [2**31 if end is None else end], [0])

    def split(self, name: str, sizes: Sequence[int], axis: int) -> list[str]:
        """Parts of given sizes."""
        made = self._with_ints("Split", name, "split", sizes, outputs=len(sizes), axis=axis)
        return [made] if len(sizes) == 1 else list(made)

    def like(self, slot: str, value: float) -> str:
        """A scalar constant of an input's element type."""
        dtype = self.dtype(slot)
        return self.const(np.asarray(value).astype(dtype))

    def int64(self, value: Value) -> str:
        """A value of shape arithmetic as a list of int64."""
        wide = self.cast(self.scope.name_of(value), np.int64)
        # A Reshape more confuses some runtimes.
        return wide if value.rank == 1 else self.flat(wide)

    def one_int64(self, value: Value) -> str:
        """The same of a single number, which a free dimension does not tell."""
        found = self.int64(value)
        return found if value.rank != 1 or value.shape == (1,) else self.reshape(found, [1])

    def numbers(self, attribute: str, tensor: str = "", listed: str = "") -> list[int] | str:
        """Integers from a tensor, a list of tensors or an attribute: numbers if they are known.

        Otherwise the name of an int64 list.
        """
        if listed and self.has(listed):
            arrays = [value.array for value in self.source.inputs[listed]]
            if all(array is not None for array in arrays):
                return [int(a.reshape(-1)[0]) for a in arrays if a is not None and a.size]
            return self.concat([self.one_int64(value) for value in self.source.inputs[listed]])
        if tensor and self.has(tensor):
            array = self.array(tensor)
            if array is not None:
                return [int(v) for v in array.reshape(-1)]
            return self.int64(self.value(tensor))
        return self.integers(attribute)

    def listed(self, numbers: list[int] | str) -> str:
        """The name of an int64 list of what ``numbers`` gave."""
        return numbers if isinstance(numbers, str) else self.ints(numbers)


Function = Callable[[Op], Any]

FUNCTIONS: dict[str, Function] = {}
"""By operator type. A function returns the main output's name, a list with one for each of the
output's tensors, or a dict of these by output slot."""


def operator(*types: str, opset: int = 0) -> Callable[[Function], Function]:
    """Enters a function for some operator types, which need an operator set at least."""

    def add(function: Function) -> Function:
        def run(op: Op) -> Any:
            op.need_opset(opset)
            return function(op)

        for name in types:
            assert name not in FUNCTIONS, name
            FUNCTIONS[name] = run if opset else function
        return function

    return add
