"""A client of libneuralnetworks.so in ctypes: a model of one operation, built, compiled, run."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from contextlib import ExitStack
from ctypes import byref, c_char_p, c_float, c_int32, c_size_t, c_uint32, c_void_p
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from lite.api.cpp import sdk_path

from .types import OPERATIONS, STORED, Type

Array = np.ndarray[Any, np.dtype[Any]]


class OperandType(ctypes.Structure):
    """ANeuralNetworksOperandType."""

    _fields_ = (
        ("type", c_int32),
        ("count", c_uint32),
        ("dimensions", ctypes.POINTER(c_uint32)),
        ("scale", c_float),
        ("zero_point", c_int32),
    )


class ChannelScales(ctypes.Structure):
    """ANeuralNetworksSymmPerChannelQuantParams."""

    _fields_ = (
        ("channel", c_uint32),
        ("count", c_uint32),
        ("scales", ctypes.POINTER(c_float)),
    )


class NnapiError(Exception):
    """A function's result code that is not NO_ERROR."""

    def __init__(self, function: str, code: int) -> None:
        super().__init__(f"{function} returned {code}")
        self.function, self.code = function, code


@cache
def library() -> ctypes.CDLL:
    """libneuralnetworks.so as the SDK has it."""
    return ctypes.CDLL(str(sdk_path() / "lib" / "libneuralnetworks.so"))


def call(function: str, *arguments: Any) -> None:
    """ANeuralNetworks<function>; NnapiError unless it returns NO_ERROR."""
    code = getattr(library(), f"ANeuralNetworks{function}")(*arguments)
    if code != 0:
        raise NnapiError(function, code)


@dataclass
class Operand:
    """One operand of a model. `value` is what is stored: a numpy array of the type's elements."""

    type: Type
    shape: tuple[int, ...] = ()
    scale: float = 0.0
    zero: int = 0
    value: Array | None = None
    constant: bool = False
    channels: tuple[int, Array] | None = None  # the axis and its scales, PER_CHANNEL only
    left_out: bool = False
    declared: tuple[int, ...] | None = None  # the shape in the model, 0 for unknown dimensions

    def described(self, shape: Sequence[int]) -> OperandType:
        """The type as the C API takes it."""
        dims = (c_uint32 * len(shape))(*shape) if len(shape) else None
        return OperandType(self.type, len(shape), dims, self.scale, self.zero)


@dataclass
class Network:
    """Operands, operations as (name, inputs, outputs), and which operands the model's are."""

    operands: list[Operand]
    operations: list[tuple[str, list[int], list[int]]]
    inputs: list[int]
    outputs: list[int]
    kept: list[Any] = field(default_factory=list)


def _owned(stack: ExitStack, kind: str, *arguments: Any) -> c_void_p:
    """A new object of `kind` ("Model"), freed with the stack. The handle comes last."""
    handle = c_void_p()
    call(f"{kind}_create", *arguments, byref(handle))
    stack.callback(_free, kind, handle)
    return handle


def _free(kind: str, handle: c_void_p) -> None:
    function = getattr(library(), f"ANeuralNetworks{kind}_free")
    function.restype = None
    function(handle)


def _set_value(model: c_void_p, network: Network, index: int, operand: Operand) -> None:
    if operand.channels is not None:
        axis, scales = operand.channels
        quantisation = ChannelScales(axis, len(scales), (c_float * len(scales))(*scales))
        call("Model_setOperandSymmPerChannelQuantParams", model, index, byref(quantisation))
    if operand.left_out and operand.constant:
        call("Model_setOperandValue", model, index, None, c_size_t(0))
    elif operand.constant and operand.value is not None:
        data = np.ascontiguousarray(operand.value)
        network.kept.append(data)
        call("Model_setOperandValue", model, index, c_void_p(data.ctypes.data),
             c_size_t(data.nbytes))  # fmt: skip


def _indices(values: Sequence[int]) -> tuple[int, Any]:
    return len(values), (c_uint32 * len(values))(*values)


def built(network: Network, stack: ExitStack) -> c_void_p:
    """A finished model."""
    model = _owned(stack, "Model")
    for index, operand in enumerate(network.operands):
        shape = operand.shape if operand.declared is None else operand.declared
        call("Model_addOperand", model, byref(operand.described(shape)))
        _set_value(model, network, index, operand)
    for name, inputs, outputs in network.operations:
        call("Model_addOperation", model, OPERATIONS[name], *_indices(inputs), *_indices(outputs))
    call("Model_identifyInputsAndOutputs", model, *_indices(network.inputs),
         *_indices(network.outputs))  # fmt: skip
    call("Model_finish", model)
    return model


def device(name: str) -> c_void_p:
    """A device by its name."""
    count = c_uint32()
    call("_getDeviceCount", byref(count))
    names = []
    for index in range(count.value):
        handle, text = c_void_p(), c_char_p()
        call("_getDevice", index, byref(handle))
        call("Device_getName", handle, byref(text))
        names.append((text.value or b"").decode())
        if names[-1] == name:
            return handle
    raise LookupError(f"no device {name}, but {', '.join(names)}")


def compiled(model: c_void_p, stack: ExitStack, devices: Sequence[str]) -> c_void_p:
    """A finished compilation, for any device where none is named."""
    if devices:
        handles = (c_void_p * len(devices))(*(device(name) for name in devices))
        result = c_void_p()
        call("Compilation_createForDevices", model, handles, len(devices), byref(result))
        stack.callback(_free, "Compilation", result)
    else:
        result = _owned(stack, "Compilation", model)
    call("Compilation_finish", result)
    return result


def supported(network: Network, devices: Sequence[str]) -> list[bool]:
    """What the devices say of each operation."""
    with ExitStack() as stack:
        model = built(network, stack)
        handles = (c_void_p * len(devices))(*(device(name) for name in devices))
        flags = (ctypes.c_bool * len(network.operations))()
        call("Model_getSupportedOperationsForDevices", model, handles, len(devices), flags)
        return list(flags)


def _result(execution: c_void_p, index: int, operand: Operand, buffer: Array) -> Array:
    """The elements of an output in the shape that it turned out to have."""
    rank = c_uint32()
    call("Execution_getOutputOperandRank", execution, index, byref(rank))
    if rank.value == 0:  # a scalar, which has no dimensions to ask for
        return buffer.reshape(())
    dims = (c_uint32 * rank.value)()
    call("Execution_getOutputOperandDimensions", execution, index, dims)
    count = int(np.prod(list(dims), dtype=np.int64))
    return buffer[:count].reshape(list(dims))


def run(network: Network, devices: Sequence[str] = ()) -> list[Array]:
    """The outputs' stored elements, in their shapes."""
    with ExitStack() as stack:
        execution = _owned(stack, "Execution", compiled(built(network, stack), stack, devices))
        kept = []
        for index, position in enumerate(network.inputs):
            operand = network.operands[position]
            if operand.left_out:
                call("Execution_setInput", execution, index, None, None, c_size_t(0))
                continue
            data = np.ascontiguousarray(operand.value)
            kept.append(data)
            known = operand.declared is None
            described = None if known else byref(operand.described(operand.shape))
            call("Execution_setInput", execution, index, described, c_void_p(data.ctypes.data),
                 c_size_t(data.nbytes))  # fmt: skip
        outputs = []
        for index, position in enumerate(network.outputs):
            operand = network.operands[position]
            buffer = np.zeros(int(np.prod(operand.shape)), STORED[operand.type])
            outputs.append((operand, buffer))
            call("Execution_setOutput", execution, index, None, c_void_p(buffer.ctypes.data),
                 c_size_t(buffer.nbytes))  # fmt: skip
        call("Execution_compute", execution)
        return [_result(execution, i, *output) for i, output in enumerate(outputs)]
