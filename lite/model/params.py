"""Parameters: a combined file (`.pdiparams`, `__params__`) or one file for each.

Both hold LoDTensor records: u32 version 0; u64 number of LoD levels, each a u64 byte length and
its bytes; u32 version 0; i32 length of a TensorDesc message; the message; the data, row-major,
little-endian, without padding. A combined file is the records of all persistable tensors in
bytewise order of their names, which stand only in the program.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from lite.errors import ModelFormatError
from lite.model.program import DataType, Program, VarDesc, VarType
from lite.model.sniff import HEAD_BYTES, sniff
from lite.model.source import FileSource, Source

ALIGNMENT = 64
MAX_RANK = 9
"""Dimensions that a Paddle tensor may have; a damaged file may claim any number."""

NUMPY_TYPES: dict[DataType, Any] = {
    DataType.BOOL: np.bool_,
    DataType.INT16: np.int16,
    DataType.INT32: np.int32,
    DataType.INT64: np.int64,
    DataType.FP16: np.float16,
    DataType.FP32: np.float32,
    DataType.FP64: np.float64,
    DataType.UINT8: np.uint8,
    DataType.INT8: np.int8,
    DataType.COMPLEX64: np.complex64,
    DataType.COMPLEX128: np.complex128,
}
"""The element types that parameters have in memory; bf16 widens to float32 when read."""

DATA_TYPES = {np.dtype(type): number for number, type in NUMPY_TYPES.items()}
"""The other way around."""

_SIZES = {type: np.dtype(array).itemsize for type, array in NUMPY_TYPES.items()}
_SIZES[DataType.BF16] = 2


def empty_aligned(shape: Sequence[int], dtype: Any) -> np.ndarray:
    """An uninitialised array with an allocation of its own that begins on 64 bytes."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    raw = np.empty(size + ALIGNMENT - 1, np.uint8)
    start = -raw.__array_interface__["data"][0] % ALIGNMENT
    array: np.ndarray = raw[start : start + size].view(dtype).reshape(shape)
    return array


@dataclass(slots=True, frozen=True)
class ParamRecord:
    """Where one parameter's data is; calling it reads the data into an array of its own."""

    source: Source
    offset: int
    dtype: DataType
    shape: tuple[int, ...]

    def __call__(self) -> np.ndarray:
        """The parameter, bf16 as float32, every bool as 0 or 1. Raises ModelFormatError."""
        if self.dtype is DataType.BF16:
            wide = empty_aligned(self.shape, np.uint32)
            half = np.empty(self.shape, np.uint16)
            self.source.read_into(self.offset, _bytes_of(half))
            np.left_shift(half, 16, out=wide, dtype=np.uint32)
            return wide.view(np.float32)
        array = empty_aligned(self.shape, NUMPY_TYPES[self.dtype])
        self.source.read_into(self.offset, _bytes_of(array))
        if self.dtype is DataType.BOOL:
            np.not_equal(array.view(np.uint8), 0, out=array)
        return array


def _bytes_of(array: np.ndarray) -> memoryview:
    return memoryview(array.reshape(-1).view(np.uint8))  # type: ignore[arg-type]


def write_data(write: Callable[[memoryview], object], array: np.ndarray) -> None:
    """Hands over the bytes of an array, row-major and little-endian, every bool as 0 or 1."""
    if array.size:
        plain = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
        if plain.dtype == np.bool_:
            plain = np.not_equal(plain.view(np.uint8), 0)
        write(_bytes_of(plain))


def persistable_vars(program: Program) -> list[VarDesc]:
    """The variables whose values parameter files hold, in bytewise order of their names."""
    found: dict[bytes, VarDesc] = {}
    for block in program.blocks:
        for var in block.vars.values():
            if var.persistable and var.type is VarType.LOD_TENSOR:
                found.setdefault(var.name.encode("utf-8", "surrogateescape"), var)
    return [found[name] for name in sorted(found)]


class _Scanner:
    """Reads one record's head; every message names file, offset and parameter."""

    def __init__(self, source: Source, var: VarDesc, position: str, offset: int) -> None:
        self.source = source
        self.var = var
        self.position = position
        self.start = self.offset = offset

    def fail(self, expected: str, found: str) -> NoReturn:
        text = (
            f"{self.source.name}, offset {self.offset}: parameter {self.var.name!r}"
            f"{self.position}: expected {expected}, found {found}"
        )
        what = sniff(self.source.read(0, HEAD_BYTES))[1] if self.start == 0 else None
        raise ModelFormatError(f"{text}; the file looks like {what}" if what else text)

    def left(self) -> int:
        return self.source.size - self.offset

    def take(self, count: int, what: str) -> bytes:
        data = self.source.read(self.offset, count)
        if len(data) != count:
            self.fail(f"{count} bytes of {what}", f"the end of the file {len(data)} bytes on")
        self.offset += count
        return data

    def integer(self, count: int, what: str, signed: bool = False) -> int:
        return int.from_bytes(self.take(count, what), "little", signed=signed)

    def version(self, what: str) -> None:
        number = self.integer(4, what)
        if number:
            self.offset -= 4
            self.fail(f"{what} 0", str(number))

    def lod(self) -> None:
        levels = self.integer(8, "the number of LoD levels")
        if levels * 8 > self.left():
            self.offset -= 8
            self.fail(f"LoD levels in {self.left()} bytes", f"{levels} of them")
        for _ in range(levels):
            length = self.integer(8, "the length of a LoD level")
            if length > self.left():
                self.offset -= 8
                self.fail(f"a LoD level in {self.left()} bytes", f"a length of {length}")
            self.offset += length

    def desc(self) -> tuple[DataType, tuple[int, ...]]:
        from google.protobuf.message import DecodeError

        from lite.model.framework_proto import message_class

        length = self.integer(4, "the length of the tensor's description", signed=True)
        if not 0 <= length <= min(self.left(), 1024):
            self.offset -= 4
            self.fail("the tensor's description in 0 to 1024 bytes", f"a length of {length}")
        message = message_class("TensorDesc")()
        data = self.take(length, "the tensor's description")
        try:
            message.ParseFromString(data)
        except DecodeError:
            message.Clear()
        if not message.IsInitialized():
            self.offset -= length
            self.fail("the tensor's description", f"{length} bytes {data[:16].hex(' ')}")
        return self.dtype(message.data_type), tuple(message.dims)

    def dtype(self, number: int) -> DataType:
        if number not in _SIZES:
            self.fail(f"an element type among {', '.join(t.name for t in _SIZES)}", str(number))
        return DataType(number)

    def record(self) -> ParamRecord:
        self.version("the tensor's version")
        self.lod()
        self.version("the description's version")
        dtype, shape = self.desc()
        var = self.var
        declared = f"{var.dtype.name if var.dtype is not None else 'any type'}{list(var.shape)}"
        if not (_shape_fits(shape, var.shape) and _dtype_fits(dtype, var.dtype)):
            self.fail(
                f"{declared} as the program declares it",
                f"{dtype.name}{list(shape)}; are these the parameters of another model?",
            )
        if len(shape) > MAX_RANK or any(not 0 <= dim < 1 << 48 for dim in shape):
            self.fail(f"at most {MAX_RANK} dimensions, none negative", str(list(shape)))
        size = math.prod(shape) * _SIZES[dtype]
        if size > self.left():
            self.fail(f"{size} bytes of data for {dtype.name}{list(shape)}", f"{self.left()}")
        record = ParamRecord(self.source, self.offset, dtype, shape)
        self.offset += size
        return record


def _shape_fits(found: tuple[int, ...], declared: tuple[int, ...]) -> bool:
    """Whether a record is the declared one; PaddleSlim stores scales of [n] as [] or [1, n]."""
    if len(found) != len(declared):
        return found == (1, *declared) or (not found and declared == (1,))
    return all(a == b or b == -1 for a, b in zip(found, declared, strict=True))


def _dtype_fits(found: DataType, declared: DataType | None) -> bool:
    """Whether a record is the declared one; a quantised weight stays declared as fp32."""
    if declared is DataType.FP32 and found in (DataType.INT8, DataType.INT16):
        return True
    return declared in (None, found)


def _keep(program: Program, var: VarDesc, record: ParamRecord) -> None:
    program.params[var.name] = record()
    program.sources[var.name] = record
    dtype = DataType.FP32 if record.dtype is DataType.BF16 else record.dtype
    for block in program.blocks:
        if var.name in block.vars:
            block.vars[var.name].dtype = dtype
            block.vars[var.name].shape = record.shape


def load_combined(program: Program, source: Source) -> None:
    """Fills ``program.params`` from one combined source.

    The whole source is checked before the first array is made. Raises ModelFormatError naming
    file, offset, parameter, what was expected and what was found.
    """
    variables = persistable_vars(program)
    records: list[ParamRecord] = []
    offset = 0
    with source.opened():
        for index, var in enumerate(variables):
            scanner = _Scanner(source, var, f" ({index + 1} of {len(variables)})", offset)
            records.append(scanner.record())
            offset = scanner.offset
        if offset != source.size:
            raise ModelFormatError(
                f"{source.name}, offset {offset}: expected the end of the file after "
                f"{len(variables)} parameters, found {source.size - offset} bytes more; are these "
                f"the parameters of another model?"
            )
        for var, record in zip(variables, records, strict=True):
            _keep(program, var, record)


def param_path(folder: str, name: str) -> str:
    """The file of one parameter below ``folder``; ModelFormatError where it would leave it."""
    parts = name.replace("\\", "/").split("/")
    if not name or "\0" in name or ".." in parts or os.path.isabs(name) or parts[0].endswith(":"):
        raise ModelFormatError(
            f"parameter {name!r} cannot be a file in {folder}: a name is relative and without '..'"
        )
    path = os.path.join(folder, name)
    root = os.path.realpath(folder)
    if os.path.commonpath([root, os.path.realpath(path)]) != root:
        raise ModelFormatError(f"parameter {name!r} leads out of {folder} by a symbolic link")
    return path


def load_separate(program: Program, folder: str) -> None:
    """Fills ``program.params`` from one file a parameter, named like it, in ``folder``.

    Raises FileNotFoundError listing all that are missing and used by an operator, ModelFormatError
    as ``load_combined``.
    """
    used = {name for block in program.blocks for op in block.ops for name in op.input_names()}
    found: list[tuple[VarDesc, str]] = []
    missing: list[str] = []
    for var in persistable_vars(program):
        path = param_path(folder, var.name)
        if os.path.exists(path):
            found.append((var, path))
        elif var.name in used:
            missing.append(var.name)
    if missing:
        shown = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
        raise FileNotFoundError(
            f"{folder}: {len(missing)} of {len(missing) + len(found)} parameter files are missing "
            f"(one file for each parameter, named like it): {shown}"
        )
    for var, path in found:
        source = FileSource(path, "parameter file")
        with source.opened():
            scanner = _Scanner(source, var, "", 0)
            record = scanner.record()
            if scanner.left():
                scanner.fail("the end of the file", f"{scanner.left()} bytes more")
            _keep(program, var, record)


def pack_nibbles(integers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Integers of 4 bits [..., 2 n] as bytes [..., n], the first of two in the lower half."""
    return np.asarray(integers[..., ::2] | (integers[..., 1::2] << 4))
