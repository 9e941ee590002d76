"""A `.nb` file of meta version 1 or 2 to Program."""

from __future__ import annotations

import math
import os
from typing import NoReturn

from lite.errors import ModelFormatError
from lite.model.naive_buffer import schema
from lite.model.naive_buffer.flat_reader import FlatReader, FlatTable
from lite.model.naive_buffer.program_reader import read_program_section
from lite.model.params import MAX_RANK, NUMPY_TYPES, ParamRecord
from lite.model.program import DataType, Program, VarType
from lite.model.sniff import describe
from lite.model.source import Buffer, BufferSource, FileSource, Source

_HEAD = 26


class _Container:
    """A position in the file; every message names the file and the offset."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.offset = 0

    def fail(self, offset: int, text: str) -> NoReturn:
        raise ModelFormatError(f"{self.source.name}, offset {offset}: {text}")

    def left(self) -> int:
        return self.source.size - self.offset

    def take(self, count: int, what: str) -> bytes:
        data = self.source.read(self.offset, count)
        if len(data) != count:
            self.fail(self.offset, f"expected {count} bytes of {what}, found {len(data)}")
        self.offset += count
        return data

    def integer(self, count: int, what: str) -> int:
        return int.from_bytes(self.take(count, what), "little")

    def skip(self, count: int, what: str) -> None:
        if count > self.left():
            self.fail(self.offset, f"expected {count} bytes of {what}, found {self.left()}")
        self.offset += count


def _read_head(container: _Container) -> tuple[int, int]:
    """Meta version and length of the program section."""
    source = container.source
    head = source.read(0, 4096)
    meta = int.from_bytes(head[:2], "little")
    if len(head) < _HEAD or meta not in (0, 1, 2):
        raise ModelFormatError(
            f"expected a .nb file (meta version 1 or 2 in its first two bytes), found "
            f"{describe(source.name, source.size, head)}"
        )
    if meta == 0:
        raise ModelFormatError(
            f"{source.name}: a .nb file of meta version 0, written before Paddle Lite 2.7, cannot "
            f"be read; convert the model again with paddle_lite_opt"
        )
    container.skip(18, "the head")
    size = container.integer(8, "the length of the program section")
    if size > container.left():
        container.fail(
            18, f"the program section has {size} bytes, of which the file holds {container.left()}"
        )
    return meta, size


def _read_param(container: _Container, table: FlatTable, start: int) -> tuple[str, ParamRecord]:
    """A parameter's name and place; ``start`` is the buffer's offset in the file."""
    name = table.required_text(1)
    if table.integer(2) != schema.PARAM_TENSOR_TAG:
        table.fail(f"parameter {name!r} is no LoDTensor but of kind {table.integer(2)}")
    tensor = table.required_table(3, schema.PARAM_TENSOR)
    number = tensor.integer(3)
    dtype = DataType(number) if number in DataType._value2member_map_ else None
    if dtype not in NUMPY_TYPES:
        known = ", ".join(type.name for type in NUMPY_TYPES)
        tensor.fail(f"parameter {name!r} has the element type {number}, expected one of {known}")
    assert dtype is not None
    shape = tuple(int(dim) for dim in tensor.numbers(2))
    if len(shape) > MAX_RANK or any(not 0 <= dim < 1 << 48 for dim in shape):
        tensor.fail(
            f"parameter {name!r} has the shape {list(shape)[:12]}, expected at most {MAX_RANK} "
            f"dimensions, none negative"
        )
    position, count = tensor.raw(4)
    size = math.prod(shape) * NUMPY_TYPES[dtype](0).itemsize
    if size != count:
        tensor.fail(
            f"parameter {name!r} has {count} bytes of data, expected {size} for "
            f"{dtype.name}{list(shape)}"
        )
    return name, ParamRecord(container.source, start + position, dtype, shape)


def _keep(container: _Container, program: Program, name: str, record: ParamRecord) -> None:
    if name in program.params:
        container.fail(record.offset, f"the parameter {name!r} stands there twice")
    program.params[name] = record()
    program.sources[name] = record


def _read_records(container: _Container, program: Program) -> None:
    at = container.offset
    version = container.integer(2, "the parameters' version")
    if version:
        container.fail(at, f"expected the parameters' version 0, found {version}")
    container.skip(container.integer(2, "the parameters' meta"), "the parameters' meta")
    at = container.offset
    header = container.integer(2, "the parameters' header")
    if header < 6:
        container.fail(at, f"expected a header of 6 bytes or more, found {header}")
    count = container.integer(2, "the number of parameters")
    container.skip(header - 2, "the parameters' header")
    for index in range(count):
        at = container.offset
        what = f"parameter {index + 1} of {count}"
        total = container.integer(4, what)
        if total < 4 or total > container.left():
            container.fail(at, f"{what} has {total} bytes, expected 4 to {container.left()}")
        end = container.offset + total
        distance = container.integer(4, what)
        if not 4 <= distance <= total - 4:
            container.fail(at + 4, f"{what} begins {distance} bytes on, expected 4 to {total - 4}")
        start = at + 4 + distance
        container.offset = start
        data = container.take(end - start, what)
        reader = FlatReader(memoryview(data), container.source.name, start)
        name, record = _read_param(container, reader.root(schema.PARAM), start)
        del data, reader
        _keep(container, program, name, record)


def _read_combined(container: _Container, program: Program) -> None:
    start = container.offset
    data = container.take(container.left(), "the parameters")
    reader = FlatReader(memoryview(data), container.source.name, start)
    if len(data) < 8:
        container.fail(start, f"expected the parameters' flatbuffer, found {len(data)} bytes")
    for table in reader.root(schema.COMBINED_PARAMS).tables(0, schema.PARAM):
        name, record = _read_param(container, table, start)
        _keep(container, program, name, record)


def _check_present(program: Program, name: str) -> None:
    produced = {out for block in program.blocks for op in block.ops for out in op.output_names()}
    read = {item for block in program.blocks for op in block.ops for item in op.input_names()}
    missing = sorted(
        var.name
        for block in program.blocks
        for var in block.vars.values()
        if var.persistable
        and var.type is VarType.LOD_TENSOR
        and var.name in read - produced - program.params.keys()
    )
    if missing:
        shown = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
        raise ModelFormatError(
            f"{name}: {len(missing)} parameters that operators read are missing: {shown}"
        )


def read_nb(model: str | os.PathLike[str] | Buffer) -> Program:
    """A Program with its parameters from a `.nb` file, or from its bytes.

    The release text and bytes after the last parameter are ignored, as real Paddle Lite does.
    Raises ModelFormatError naming file and offset, FileNotFoundError and the like for a path.
    """
    source: Source
    if isinstance(model, (bytes, bytearray, memoryview)):
        source = BufferSource(model, ".nb bytes")
    else:
        path = os.fspath(model)
        if not isinstance(path, str):
            raise TypeError(f"expected a path as str, got {type(path).__name__}")
        source = FileSource(path, ".nb file")
    with source.opened():
        container = _Container(source)
        meta, size = _read_head(container)
        section = container.take(size, "the program section")
        if size < 8:
            container.fail(18, f"a program section of {size} bytes holds no program")
        program = read_program_section(memoryview(section), source.name, _HEAD)
        if meta == 2:
            _read_records(container, program)
        else:
            _read_combined(container, program)
    _check_present(program, source.name)
    return program
