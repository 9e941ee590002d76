"""Operations of a PIR region to operators of a block of the Program."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from lite.errors import LiteError, ModelFormatError, UnsupportedOperatorError
from lite.model.pir.document import DTYPES, Operation, Parameter, Region, TensorType, Type
from lite.model.pir.operand import OperandReader
from lite.model.pir.scope import Scope, Shared
from lite.model.pir.table import MISSING, Attribute, Declaration, Operand, declaration
from lite.model.pir.values import Value, as_attr, fill_constant
from lite.model.program import (
    Attr,
    AttrType,
    BlockDesc,
    DataType,
    OpDesc,
    Program,
    VarDesc,
    VarType,
)

Special = Callable[["Translator", Operation], None]

SPECIAL: dict[str, Special] = {}

_WHOLE = frozenset(
    {
        DataType.BOOL,
        DataType.INT8,
        DataType.UINT8,
        DataType.INT16,
        DataType.INT32,
        DataType.INT64,
    }
)
"""Operations whose meaning the table cannot say, by full name without the in-place underscore."""


def special(*names: str) -> Callable[[Special], Special]:
    """Registers a function that translates operations, e.g. ``@special("pd_op.full")``."""

    def register(function: Special) -> Special:
        SPECIAL.update(dict.fromkeys(names, function))
        return function

    return register


def find_special(op: Operation) -> Special | None:
    """The function for an operation, in-place forms included."""
    name = op.full_name
    return SPECIAL.get(name) or SPECIAL.get(name.removesuffix("_"))


def custom_operator(name: str) -> dict[str, Any] | None:
    """The declaration of a user's operator (`custom_op.NAME`) where one is registered."""
    from lite import _core

    return next((dict(row) for row in _core.operator_table() if row["type"] == name), None)


def check_known(region: Region) -> None:
    """Raises UnsupportedOperatorError with every operator that cannot be read and its count."""
    unknown: Counter[str] = Counter()
    for op in region.walk():
        if op.dialect == "pd_op" and declaration(op.name) is not None:
            continue
        if op.dialect == "custom_op" and custom_operator(op.name) is not None:
            continue
        if find_special(op) is None:
            unknown[op.full_name] += 1
    if not unknown:
        return
    listed = ", ".join(f"{name} ({count}x)" for name, count in sorted(unknown.items()))
    hints = []
    if any(name.startswith("custom_op.") for name in unknown):
        hints.append("an operator of a user's library can be given with @lite.operator")
    if any(re.search(r"_grad_?$|(sgd|adamw?|momentum)_$", name) for name in unknown):
        hints.append("this looks like a training program: export with paddle.jit.save after eval()")
    if any(name.startswith("onednn_op.") for name in unknown):
        hints.append("Paddle rewrote it for its CPU: load the program that it was made of")
    text = "; ".join(hints) or "export the model without them"
    raise UnsupportedOperatorError(
        f"the program uses {len(unknown)} operator type(s) that are not known: {listed}. {text}"
    )


class Translator:
    """Reads one region into one block; ``inner`` reads a region of its operations."""

    def __init__(self, program: Program, shared: Shared, block: BlockDesc, outer: Scope) -> None:
        self.program = program
        self.shared = shared
        self.block = block
        self.scope = Scope(outer)

    # -- Names and variables.

    def declare(self, name: str, type: Type) -> None:
        """Declares a variable in this block."""
        if isinstance(type, TensorType):
            holder = VarType.LOD_TENSOR_ARRAY if type.array else VarType.LOD_TENSOR
            self.block.vars[name] = VarDesc(name, holder, type.dtype, type.dims)
        else:
            self.block.vars[name] = VarDesc(name, dtype=None)

    def fresh(self, type: Type, hint: str = "pir") -> str:
        """A new variable of this block."""
        name = self.shared.fresh(hint)
        self.declare(name, type)
        return name

    def define(self, id: int, type: Type, name: str | None = None) -> Value:
        """The value of a result: one variable, or a list of them where the type is a list."""
        if type is None:
            value = Value()
        elif isinstance(type, list):
            value = Value(type, items=[self._element(id, i, t) for i, t in enumerate(type)])
        else:
            name = name or self.shared.name_of(id, self.block.idx)
            self.declare(name, type)
            value = Value(type, name)
        self.bind(id, value)
        return value

    def _element(self, id: int, index: int, type: Type) -> Value:
        if isinstance(type, list):
            raise LiteError("a list of lists is not supported")
        if type is None:
            return Value()
        return Value(type, self.fresh(type, f"pir_{id}_{index}"))

    def bind(self, id: int, value: Value) -> None:
        """Gives an id its value. Raises ModelFormatError where it has one."""
        if id == 0 or id in self.shared.defined:
            raise ModelFormatError(f"the id {id} is given twice, or is 0")
        self.shared.defined.add(id)
        self.scope.values[id] = value

    def value(self, id: int) -> Value:
        """The value of an id; 0 is an absent one. Raises ModelFormatError."""
        if id == 0:
            return Value()
        found = self.scope.find(id)
        if found is None:
            raise ModelFormatError(f"the value {id} is not defined before it is used")
        return found

    def operand(self, op: Operation, index: int) -> Value:
        """Operand ``index``; absent where the operation has fewer."""
        return self.value(op.operands[index]) if index < len(op.operands) else Value()

    # -- Operators.

    def add(
        self,
        type: str,
        inputs: dict[str, list[str]],
        outputs: dict[str, list[str]],
        attrs: dict[str, Attr] | None = None,
    ) -> OpDesc:
        """Appends an operator to the block."""
        op = OpDesc(type, inputs, outputs, attrs or {})
        self.block.ops.append(op)
        return op

    def unary(
        self, type: str, x: str, result: Type, attrs: dict[str, Attr] | None = None, slot: str = "X"
    ) -> str:
        """Appends an operator of one input and returns its new output variable."""
        name = self.fresh(result)
        self.add(type, {slot: [x]}, {"Out": [name]}, attrs)
        return name

    def cast(self, x: str, dims: tuple[int, ...], dtype: DataType, source: DataType) -> str:
        """A variable with the elements of ``x`` as ``dtype``."""
        if dtype is source:
            return x
        attrs = {
            "in_dtype": Attr(AttrType.INT, int(source)),
            "out_dtype": Attr(AttrType.INT, int(dtype)),
        }
        return self.unary("cast", x, TensorType(dtype, dims), attrs)

    def constant_tensor(self, number: Any, dtype: DataType) -> str:
        """A new variable [1] that holds a number."""
        if not isinstance(number, (bool, int, float)):
            raise ModelFormatError(f"{number!r} stands where a number is expected")
        whole = dtype in _WHOLE
        made = fill_constant([1], int(number) if whole else float(number), dtype)
        name = self.fresh(TensorType(dtype, (1,)))
        made.outputs["Out"] = [name]
        self.block.ops.append(made)
        return name

    def constant(self, op: Operation, numbers: list[Any], make: OpDesc) -> Value:
        """The result of an operation that makes a constant; the operator stays if it is used."""
        id, type = op.result()
        value = self.define(id, type)
        value.numbers = numbers
        make.outputs["Out"] = [value.variable()]
        value.used = False
        self.block.ops.append(make)
        self.shared.constants.append((value, self.block, make))
        return value

    def translate(self, region: Region) -> None:
        """Appends everything that a region does."""
        for item in region.operations:
            try:
                if isinstance(item, Parameter):
                    self._parameter(item)
                else:
                    self._operation(item)
            except LiteError as error:
                if str(error).startswith(item.where):
                    raise
                raise type(error)(f"{item.where}: {error}") from None

    def _parameter(self, item: Parameter) -> None:
        if not isinstance(item.type, TensorType):
            item_type = "a list" if item.type else "nothing"
            raise ModelFormatError(f"the parameter is {item_type}, expected a tensor")
        if not item.persistable:
            value = Value(item.type, why_absent=f"{item.name!r} is not in the parameter file")
            self.bind(item.id, value)
            return
        if any(dim < 0 for dim in item.type.dims):
            shape = list(item.type.dims)
            raise ModelFormatError(f"the parameter's shape is {shape}; known sizes are expected")
        if item.name in self.program.root.vars:
            raise ModelFormatError("two parameters have this name")
        name = item.name
        self.program.root.vars[name] = VarDesc(
            name, VarType.LOD_TENSOR, item.type.dtype, item.type.dims, persistable=True
        )
        self.bind(item.id, Value(item.type, name))

    def _operation(self, op: Operation) -> None:
        function = find_special(op)
        if function is not None:
            function(self, op)
        elif op.dialect == "custom_op":
            self.custom(op)
        else:
            self.standard(op)

    def standard(self, op: Operation, name: str = "") -> OpDesc:
        """The translation that the table declares, of the operation or of ``name``."""
        declared = declaration(name or op.name)
        assert declared is not None
        if len(op.operands) > len(declared.operands):
            op.fail(f"{len(op.operands)} operands, expected at most {len(declared.operands)}")
        attributes = op.attributes()
        inputs: dict[str, list[str]] = {}
        attrs: dict[str, Attr] = {}
        for index, operand in enumerate(declared.operands):
            value = self.operand(op, index)
            if operand.kind:
                given = attributes.pop(operand.name, MISSING) if value.absent else MISSING
                OperandReader(self, op, operand, inputs, attrs).read(value, given)
            else:
                self._slot(op, operand, value, inputs)
        self._attributes(op, declared, attributes, attrs)
        return self.add(declared.type, inputs, self._results(op, declared), attrs)

    def _slot(
        self, op: Operation, operand: Operand, value: Value, inputs: dict[str, list[str]]
    ) -> None:
        if operand.slot is None:
            return
        if value.absent:
            if not (operand.optional or (operand.repeated and value.items is not None)):
                op.fail(f"operand {operand.name!r} is missing: {value.why_absent}")
            return
        if value.items is not None and not operand.repeated:
            op.fail(f"operand {operand.name!r} is a list, expected one tensor")
        try:
            inputs[operand.slot] = value.variables()
        except ModelFormatError as error:
            op.fail(f"operand {operand.name!r}: {error}")

    def _results(self, op: Operation, declared: Declaration) -> dict[str, list[str]]:
        if len(op.results) > len(declared.results):
            op.fail(f"{len(op.results)} results, expected at most {len(declared.results)}")
        outputs: dict[str, list[str]] = {}
        for (id, type), result in zip(op.results, declared.results, strict=False):
            if result.slot is None:
                text = f"result {result.name!r} of {op.full_name} has no counterpart here"
                self.bind(id, _nowhere(type, text))
            elif type is None or (result.optional and id not in self.shared.used):
                self.bind(id, Value())
            else:
                value = self.define(id, type)
                if value.items is not None and not result.repeated:
                    op.fail(f"result {result.name!r} is a list, expected one tensor")
                outputs[result.slot] = [
                    item.name or "@EMPTY@" for item in (value.items if value.items else [value])
                ]
        return outputs

    def _attributes(
        self,
        op: Operation,
        declared: Declaration,
        given: dict[str, Any],
        attrs: dict[str, Attr],
    ) -> None:
        for attribute in declared.attributes:
            if attribute.policy == "+":
                attrs.setdefault(attribute.name, as_attr(attribute.default, attribute.type))
                continue
            value = given.pop(attribute.name, attribute.default)
            if value is None or value is MISSING:
                value = attribute.default
            if attribute.policy == "-" or value is MISSING:
                continue
            if attribute.policy == "!":
                if value != attribute.default:
                    op.fail(
                        f"attribute {attribute.name!r} is {value!r}; only {attribute.default!r} is "
                        "supported"
                    )
                continue
            attrs[attribute.attribute] = attr_of(op, attribute, value)
        unknown = sorted(set(given) - _IGNORED)
        if unknown:
            raise UnsupportedOperatorError(
                f"the attributes {', '.join(unknown)} are not known; the file may be newer than "
                "this reader"
            )

    def custom(self, op: Operation) -> None:
        """An operator of the user: operands and results by position, attributes by name."""
        declared = custom_operator(op.name)
        assert declared is not None
        slots = [row[0] for row in declared["inputs"]], [row[0] for row in declared["outputs"]]
        if len(op.operands) > len(slots[0]) or len(op.results) > len(slots[1]):
            op.fail(
                f"{len(op.operands)} operands and {len(op.results)} results; the operator is "
                f"registered with {len(slots[0])} and {len(slots[1])}"
            )
        values = [self.value(id) for id in op.operands]
        inputs = {
            slot: value.variables()
            for slot, value in zip(slots[0], values, strict=False)
            if not value.absent
        }
        defined = [self.define(id, type) for id, type in op.results]
        outputs = {
            slot: value.variables()
            for slot, value in zip(slots[1], defined, strict=False)
            if not value.absent
        }
        attrs = {}
        for name, value in op.attributes().items():
            try:
                attrs[name] = natural_attr(value)
            except (KeyError, ValueError):
                op.fail(f"attribute {name!r} is {str(value)[:60]}, which no attribute can hold")
        self.add(op.name, inputs, outputs, {n: a for n, a in attrs.items() if a is not None})

    # -- Blocks.

    def inner(self, region: Region, arguments: Sequence[Value] = ()) -> Translator:
        """A translator of a region of this block: a new block of the Program."""
        block = BlockDesc(len(self.program.blocks), self.block.idx)
        self.program.blocks.append(block)
        found = Translator(self.program, self.shared, block, self.scope)
        if len(arguments) != len(region.arguments):
            raise ModelFormatError(
                f"a region has {len(region.arguments)} arguments, expected {len(arguments)}"
            )
        for (id, _), value in zip(region.arguments, arguments, strict=True):
            found.scope.values[id] = value
        return found


_IGNORED = frozenset({"place", "name", "data_layout", "use_cudnn", "use_mkldnn"})


def _nowhere(type: Type, why: str) -> Value:
    """A result that nothing here gives; programs may take such a list apart for nobody."""
    items = [_nowhere(one, why) for one in type] if isinstance(type, list) else None
    return Value(type, items=items, why_absent=why)


def natural_attr(value: Any) -> Attr | None:
    """An attribute of the type that the value itself has."""
    single = {bool: AttrType.BOOLEAN, int: AttrType.LONG, float: AttrType.FLOAT}
    several = {bool: AttrType.BOOLEANS, int: AttrType.LONGS, float: AttrType.FLOATS}
    if isinstance(value, str):
        return Attr(AttrType.STRING, value)
    if isinstance(value, list):
        if all(isinstance(item, str) for item in value) and value:
            return Attr(AttrType.STRINGS, value)
        kinds = {type(item) for item in value}
        return as_attr(value, several[kinds.pop()]) if len(kinds) == 1 else None
    return None if value is None else as_attr(value, single[type(value)])


def attr_of(op: Operation, attribute: Attribute, value: Any) -> Attr:
    """An attribute of the table from the file's value. Raises ModelFormatError."""
    if attribute.kind == "dtype":
        name = str(value).lower()
        if name.startswith("undefined"):
            return Attr(AttrType.INT, -1)
        if name not in DTYPES:
            op.fail(f"attribute {attribute.name!r} is {value!r}, expected an element type")
        return Attr(attribute.type, int(DTYPES[name]))
    return fitting_attr(op, attribute.name, value, attribute.type, attribute.kind)


def fitting_attr(op: Operation, name: str, value: Any, type: AttrType, expected: str) -> Attr:
    """``value`` as an attribute of ``type``. Raises ModelFormatError where it does not fit."""
    try:
        return as_attr(value, type)
    except ValueError:
        op.fail(f"attribute {name!r} is {repr(value)[:60]}, expected {expected}")
