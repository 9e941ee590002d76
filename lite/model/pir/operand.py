"""An operand that was an attribute in older programs: shapes, axes, bounds, numbers."""

from __future__ import annotations

from typing import Any, Protocol

from lite.errors import LiteError
from lite.model.pir.document import Operation, TensorType, Type
from lite.model.pir.table import MISSING, Operand
from lite.model.pir.values import Value, as_attr
from lite.model.program import Attr, AttrType, DataType, OpDesc

_INT32 = 1 << 31
_CLAMPED = frozenset({"starts", "ends", "steps", "strides"})
"""Operands in which what lies beyond 32 bits means "the end"."""


class BlockWriter(Protocol):
    """Adds operators and variables to a block, as the Translator does."""

    def fresh(self, type: Type, hint: str = "pir") -> str:
        """A new variable."""
        ...

    def add(
        self,
        type: str,
        inputs: dict[str, list[str]],
        outputs: dict[str, list[str]],
        attrs: dict[str, Attr] | None = None,
    ) -> OpDesc:
        """Appends an operator."""
        ...

    def unary(
        self, type: str, x: str, result: Type, attrs: dict[str, Attr] | None = None, slot: str = "X"
    ) -> str:
        """Appends an operator of one input and returns its new output variable."""
        ...

    def constant_tensor(self, number: Any, dtype: DataType) -> str:
        """A new variable [1] that holds a number."""
        ...

    def cast(self, x: str, dims: tuple[int, ...], dtype: DataType, source: DataType) -> str:
        """A variable with the elements of ``x`` as ``dtype``."""
        ...


class OperandReader:
    """Puts one such operand of one operation into attributes or slots."""

    def __init__(
        self,
        translator: BlockWriter,
        op: Operation,
        operand: Operand,
        inputs: dict[str, list[str]],
        attrs: dict[str, Attr],
    ) -> None:
        self.translator = translator
        self.op = op
        self.operand = operand
        self.inputs = inputs
        self.attrs = attrs

    def read(self, value: Value, given: Any) -> None:
        """``given`` is an attribute of this name: versions before the operand existed have it."""
        if value.absent and value.items is None:
            self._absent(self.operand.default if given is MISSING else given)
        elif self.operand.kind == "ints":
            self._ints(value)
        elif value.numbers is not None and self.operand.attribute is not None:
            if len(value.numbers) != 1:
                self._fail(f"has {len(value.numbers)} elements, expected one")
            self._set(value.numbers[0])
        else:
            self._into_slot(value)

    def _fail(self, what: str) -> None:
        self.op.fail(f"operand {self.operand.name!r} {what}")

    def _absent(self, default: Any) -> None:
        if default is MISSING:
            self._fail("is missing")
        if default is not None and self.operand.attribute is not None:
            self._set(default)

    def _set(self, numbers: Any) -> None:
        type, name = self.operand.type, self.operand.attribute
        assert type is not None and name is not None
        if self.operand.kind == "ints" and not isinstance(numbers, list):
            numbers = [numbers]
        if self.operand.name in _CLAMPED and type is AttrType.INTS:
            numbers = [min(max(int(n), -_INT32), _INT32 - 1) for n in numbers]
        if type is AttrType.STRING and isinstance(numbers, (int, float)):
            numbers = repr(numbers)  # the older attribute holds a number as text
        try:
            self.attrs[name] = as_attr(numbers, type)
        except ValueError:
            self._fail(f"is {str(numbers)[:60]}, which {type.name} cannot hold")

    def _ints(self, value: Value) -> None:
        if value.numbers is not None and self.operand.attribute is not None:
            self._set(value.numbers)
            return
        if value.items is None:
            self._into_slot(value)
            return
        known = [item.numbers for item in value.items]
        if self.operand.attribute is not None:
            flat = [n[0] if n is not None and len(n) == 1 else -1 for n in known]
            if all(n is not None for n in known):
                self._set([number for numbers in known if numbers for number in numbers])
                return
            self._set(flat)
        self._into_slot(value)

    def _into_slot(self, value: Value) -> None:
        wants_list = value.items is not None
        slots = self.operand.slots
        if not slots:
            raise LiteError(
                f"operand {self.operand.name!r} is computed as the model runs, which "
                f"{self.op.full_name} cannot take here"
            )
        chosen = next((slot for slot in slots if slot[1] == wants_list), slots[0])
        if self.operand.kind == "num":
            variables = value.variables()
        elif chosen[1]:
            variables = list(map(self._one, value.items)) if value.items else self._parts(value)
        else:
            self._placeholder(value)
            variables = [self._joined(value) if value.items else self._int32(value)]
        self.inputs[chosen[0]] = variables

    def _placeholder(self, value: Value) -> None:
        """As many unknown numbers as the tensor has, where its type says so."""
        if self.operand.attribute is None or value.items is not None:
            return
        dims = value.tensor().dims
        if len(dims) == 1 and 0 <= dims[0] <= 64 and self.operand.name in ("starts", "ends"):
            self._set([-1] * dims[0])

    def _int32(self, value: Value) -> str:
        """Sizes and positions as older programs have them, and as Paddle Lite reads them."""
        type = value.tensor()
        return self.translator.cast(value.variable(), type.dims, DataType.INT32, type.dtype)

    def _one(self, item: Value) -> str:
        """An element of a list as a tensor [1]."""
        type, t = item.tensor(), self.translator
        if item.numbers is not None and len(item.numbers) == 1:
            # What lies beyond 32 bits means the end.
            number = min(max(int(item.numbers[0]), -_INT32), _INT32 - 1)
            return t.constant_tensor(number, DataType.INT32)
        name = self._int32(item)
        if type.dims != ():
            return name
        shape = {"shape": Attr(AttrType.INTS, [1])}
        return t.unary("reshape2", name, TensorType(DataType.INT32, (1,)), shape)

    def _joined(self, value: Value) -> str:
        """A list as one tensor."""
        t = self.translator
        assert value.items is not None
        names = list(map(self._one, value.items))
        name = t.fresh(TensorType(DataType.INT32, (len(names),)))
        t.add("concat", {"X": names}, {"Out": [name]}, {"axis": Attr(AttrType.INT, 0)})
        return name

    def _parts(self, value: Value) -> list[str]:
        """One tensor as a list of tensors [1]; its type must say how many."""
        type = value.tensor()
        if type.dims in ((), (1,)):
            return [self._one(value)]
        if len(type.dims) != 1 or not 0 < type.dims[0] <= 64:
            self._fail(f"is computed with the shape {list(type.dims)}, expected a known size")
        t = self.translator
        part = TensorType(DataType.INT32, (1,))
        names = [t.fresh(part) for _ in range(type.dims[0])]
        attrs = {"axis": Attr(AttrType.INT, 0), "num": Attr(AttrType.INT, len(names))}
        t.add("split", {"X": [self._int32(value)]}, {"Out": names}, attrs)
        return names
