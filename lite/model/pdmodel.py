"""ProgramDesc protobuf (`.pdmodel`, `__model__`) to Program, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lite.errors import LiteError, ModelFormatError
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
from lite.model.sniff import HEAD_BYTES, Kind, describe

DEBUG_ATTRS = frozenset({"op_callstack", "op_namescope", "op_role", "op_role_var"})
"""Attributes of training and debugging that no reader keeps."""

_SCALAR_BOOLEAN, _SCALAR_LONG, _SCALAR_FLOAT64, _SCALAR_COMPLEX128 = 1, 2, 3, 4
_DATA_TYPES = {int(type): type for type in DataType}
_VAR_TYPES = {int(type): type for type in VarType}


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _texts(items: Any) -> list[str]:
    return [item.decode("utf-8", "surrogateescape") for item in items]


def _scalar(message: Any) -> bool | int | float | complex:
    type = message.type
    if type == _SCALAR_BOOLEAN:
        return bool(message.b)
    if type == _SCALAR_LONG:
        return int(message.i)
    if type == _SCALAR_FLOAT64:
        return float(message.r)
    if type == _SCALAR_COMPLEX128:
        return complex(message.c.r, message.c.i)
    raise ModelFormatError(f"a scalar has type {type}, expected 1 to 4")


_READERS: tuple[tuple[AttrType, Callable[[Any], Any]], ...] = (
    (AttrType.INT, lambda attr: attr.i),
    (AttrType.FLOAT, lambda attr: attr.f),
    (AttrType.STRING, lambda attr: _text(attr.s)),
    (AttrType.INTS, lambda attr: list(attr.ints)),
    (AttrType.FLOATS, lambda attr: list(attr.floats)),
    (AttrType.STRINGS, lambda attr: _texts(attr.strings)),
    (AttrType.BOOLEAN, lambda attr: attr.b),
    (AttrType.BOOLEANS, lambda attr: list(attr.bools)),
    (AttrType.BLOCK, lambda attr: attr.block_idx),
    (AttrType.LONG, lambda attr: attr.l),
    (AttrType.BLOCKS, lambda attr: list(attr.blocks_idx)),
    (AttrType.LONGS, lambda attr: list(attr.longs)),
    (AttrType.FLOAT64S, lambda attr: list(attr.float64s)),
    (AttrType.VAR, lambda attr: _text(attr.var_name)),
    (AttrType.VARS, lambda attr: _texts(attr.vars_name)),
    (AttrType.FLOAT64, lambda attr: attr.float64),
    (AttrType.SCALAR, lambda attr: _scalar(attr.scalar)),
    (AttrType.SCALARS, lambda attr: [_scalar(item) for item in attr.scalars]),
)


def _read_attrs(messages: Any) -> dict[str, Attr]:
    attrs: dict[str, Attr] = {}
    for message in messages:
        name = _text(message.name)
        if name in DEBUG_ATTRS:
            continue
        number = message.type
        if not 0 <= number < len(_READERS):
            raise ModelFormatError(
                f"attribute {name!r} has type {number}, expected 0 to {len(_READERS) - 1}"
            )
        type, read = _READERS[number]
        attr = Attr(type, read(message))
        # Paddle 2.4 to 2.6 write an operator's own and its extra attributes, is_test twice; it
        # reads the last.
        if attrs.setdefault(name, attr).type is not type:
            raise ModelFormatError(
                f"attribute {name!r} is there twice, as {attrs[name].value!r} and {attr.value!r}"
            )
        attrs[name] = attr
    return attrs


def _read_slots(messages: Any) -> dict[str, list[str]]:
    slots = {_text(slot.parameter): _texts(slot.arguments) for slot in messages}
    if len(slots) != len(messages):
        raise ModelFormatError(f"a slot stands there twice among {sorted(slots)}")
    return slots


COMPUTED_ATTRS = {
    ("output_size", AttrType.VAR): "OutputSizeTensor",
    ("output_size", AttrType.VARS): "OutputSizeTensorList",
}
"""Attributes for which Paddle 2.6 names a variable, or several of one element, and the inputs that
have them here."""


def _read_op(message: Any) -> OpDesc:
    op = OpDesc(
        _text(message.type),
        _read_slots(message.inputs),
        _read_slots(message.outputs),
        _read_attrs(message.attrs),
        message.is_target,
    )
    for (name, type), slot in COMPUTED_ATTRS.items():
        attr = op.attrs.get(name)
        if attr is not None and attr.type is type:
            value = op.attrs.pop(name).value
            op.inputs[slot] = value if type is AttrType.VARS else [value]
    return op


def _read_var(message: Any) -> VarDesc:
    name = _text(message.name)
    holder = message.type
    type = _VAR_TYPES.get(holder.type)
    if type is None:
        raise ModelFormatError(f"variable {name!r} has the unknown type {holder.type}")
    var = VarDesc(name, type, None, (), 0, message.persistable, message.need_check_feed)
    tensor = None
    if type is VarType.LOD_TENSOR or type is VarType.LOD_TENSOR_ARRAY:
        field = "lod_tensor" if type is VarType.LOD_TENSOR else "tensor_array"
        if holder.HasField(field):
            described = getattr(holder, field)
            var.lod_level = described.lod_level
            tensor = described.tensor
    elif type is VarType.SELECTED_ROWS and holder.HasField("selected_rows"):
        tensor = holder.selected_rows
    if tensor is not None:
        var.dtype = _DATA_TYPES.get(tensor.data_type)
        var.shape = tuple(tensor.dims)
    return var


def _read_block(message: Any, index: int) -> BlockDesc:
    block = BlockDesc(message.idx, message.parent_idx, message.forward_block_idx)
    for item in message.vars:
        var = _read_var(item)
        if var.name in block.vars:
            raise ModelFormatError(f"block {index} declares the variable {var.name!r} twice")
        block.vars[var.name] = var
    for position, item in enumerate(message.ops):
        try:
            block.ops.append(_read_op(item))
        except ModelFormatError as error:
            where = f"block {index}, operator {position} ({_text(item.type)})"
            raise ModelFormatError(f"{where}: {error}") from None
    return block


def _first_missing(message: Any) -> str:
    """The path of the first required field that is missing.

    Protobuf's own list of all of them can be a hundred times larger than the file.
    """
    from lite.model.framework_proto import required_fields

    required = required_fields(message.DESCRIPTOR.name)
    for field in message.DESCRIPTOR.fields:
        name: str = field.name
        value = getattr(message, name)
        if name in required and not message.HasField(name):
            return name
        if field.message_type is None:
            continue
        repeated = hasattr(value, "add")
        for index, item in enumerate(value if repeated else [value]):
            if not item.IsInitialized() and (repeated or message.HasField(name)):
                place = f"{name}[{index}]" if repeated else name
                return f"{place}.{_first_missing(item)}"
    return "of an unknown name"


def read_pdmodel(data: bytes | bytearray | memoryview, name: str = "model") -> Program:
    """A Program (without parameters) from a serialised ProgramDesc.

    ``name`` stands in messages. Attributes of ``DEBUG_ATTRS`` are left out. Raises
    ModelFormatError.
    """
    from google.protobuf.message import DecodeError

    from lite.model.framework_proto import message_class

    data = bytes(data)
    message = message_class("ProgramDesc")()

    def described() -> str:
        return describe(name, len(data), data[:HEAD_BYTES], Kind.PROGRAM)

    try:
        message.ParseFromString(data)
    except (DecodeError, RecursionError) as error:
        reason = str(error) or type(error).__name__
        raise ModelFormatError(
            f"expected a Paddle program (ProgramDesc protobuf), found {described()} ({reason})"
        ) from None
    if not message.blocks:
        raise ModelFormatError(
            f"expected a Paddle program with at least one block, found {described()}"
        )
    if not message.IsInitialized():
        raise ModelFormatError(
            f"{described()}: the required field {_first_missing(message)} is missing"
        )
    try:
        program = Program([_read_block(block, i) for i, block in enumerate(message.blocks)])
    except ModelFormatError as error:
        raise ModelFormatError(f"{name}: {error}") from None
    program.version = message.version.version
    for pair in message.op_version_map.pair:
        program.op_versions[_text(pair.op_name)] = pair.op_version.version
    return program


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _write_scalar(message: Any, value: bool | complex) -> None:
    if isinstance(value, bool):
        message.type, message.b = _SCALAR_BOOLEAN, value
    elif isinstance(value, int):
        message.type, message.i = _SCALAR_LONG, value
    elif isinstance(value, complex):
        message.type = _SCALAR_COMPLEX128
        message.c.r, message.c.i = value.real, value.imag
    else:
        message.type, message.r = _SCALAR_FLOAT64, value


def _write_scalars(message: Any, values: list[Any]) -> None:
    for value in values:
        _write_scalar(message.scalars.add(), value)


_FIELDS: dict[AttrType, str] = {
    AttrType.INT: "i",
    AttrType.FLOAT: "f",
    AttrType.BOOLEAN: "b",
    AttrType.BLOCK: "block_idx",
    AttrType.LONG: "l",
    AttrType.FLOAT64: "float64",
    AttrType.INTS: "ints",
    AttrType.FLOATS: "floats",
    AttrType.BOOLEANS: "bools",
    AttrType.BLOCKS: "blocks_idx",
    AttrType.LONGS: "longs",
    AttrType.FLOAT64S: "float64s",
}
_TEXT_FIELDS = {
    AttrType.STRING: "s",
    AttrType.VAR: "var_name",
    AttrType.STRINGS: "strings",
    AttrType.VARS: "vars_name",
}


def _write_attr(message: Any, name: str, attr: Attr) -> None:
    message.name = _bytes(name)
    message.type = int(attr.type)
    value = attr.value
    if attr.type is AttrType.SCALAR:
        _write_scalar(message.scalar, value)
    elif attr.type is AttrType.SCALARS:
        _write_scalars(message, value)
    elif attr.type in _TEXT_FIELDS:
        field = _TEXT_FIELDS[attr.type]
        if isinstance(value, str):
            setattr(message, field, _bytes(value))
        else:
            getattr(message, field).extend(map(_bytes, value))
    else:
        field = _FIELDS[attr.type]
        if isinstance(value, (list, tuple)):
            getattr(message, field).extend(value)
        else:
            setattr(message, field, value)


def _write_slots(messages: Any, slots: dict[str, list[str]]) -> None:
    for slot, names in slots.items():
        messages.add(parameter=_bytes(slot), arguments=map(_bytes, names))


def _write_var(message: Any, var: VarDesc) -> None:
    message.name = _bytes(var.name)
    message.persistable = var.persistable
    message.need_check_feed = var.need_check_feed
    message.type.type = int(var.type)
    if var.dtype is None:
        return
    if var.type is VarType.LOD_TENSOR or var.type is VarType.LOD_TENSOR_ARRAY:
        lod = var.type is VarType.LOD_TENSOR
        described = message.type.lod_tensor if lod else message.type.tensor_array
        described.lod_level = var.lod_level
        tensor = described.tensor
    elif var.type is VarType.SELECTED_ROWS:
        tensor = message.type.selected_rows
    else:
        return
    tensor.data_type = int(var.dtype)
    tensor.dims.extend(var.shape)


def _write_block(message: Any, block: BlockDesc) -> None:
    message.idx = block.idx
    message.parent_idx = block.parent_idx
    message.forward_block_idx = block.forward_block_idx
    for var in block.vars.values():
        _write_var(message.vars.add(), var)
    for op in block.ops:
        item = message.ops.add(type=_bytes(op.type))
        if op.is_target:
            item.is_target = True
        _write_slots(item.inputs, op.inputs)
        _write_slots(item.outputs, op.outputs)
        for name, attr in op.attrs.items():
            try:
                _write_attr(item.attrs.add(), name, attr)
            except (TypeError, ValueError) as error:
                raise LiteError(
                    f"operator {op.type}: attribute {name!r} is not a value of type "
                    f"{attr.type.name}: {error}"
                ) from None


def write_pdmodel(program: Program) -> bytes:
    """The serialised ProgramDesc of a Program, as Paddle reads it; parameters are not in it.

    Raises LiteError where an attribute's value does not fit its type.
    """
    from lite.model.framework_proto import message_class

    message = message_class("ProgramDesc")()
    for block in program.blocks:
        _write_block(message.blocks.add(), block)
    message.version.version = program.version
    for op, number in program.op_versions.items():
        pair = message.op_version_map.pair.add(op_name=_bytes(op))
        pair.op_version.version = number
    data: bytes = message.SerializeToString(deterministic=True)
    return data
