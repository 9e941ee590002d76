"""libnnadapter.so from Python: every function of the C API, with numpy arrays and exceptions.

A code other than NO_ERROR raises DeviceError with the text of the thread's last error; its `code`
attribute is the ResultCode. Functions without a wrapper here are reached through `library()`.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lite.errors import DeviceError

from .abi import (
    ACCESS,
    CALLBACK,
    TYPE_POINTER,
    OperandType,
    Quantisation,
    call,
    error_of,
    extension,
    include_dir,
    library,
    operand_type,
)
from .devices import ensure_devices, registered
from .types import DeviceType, OperationType, Precision, ResultCode, precision_of

Array = np.ndarray[Any, np.dtype[Any]]


class _Handle:
    """Owns one object of the C API."""

    _destroy = ""

    def __init__(self) -> None:
        self.handle = ctypes.c_void_p()

    def close(self) -> None:
        """Destroys the object; a second call does nothing."""
        if self.handle:
            getattr(library(), self._destroy)(self.handle)
            self.handle = ctypes.c_void_p()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self.close()


class Device(_Handle):
    """A device by its name; DeviceError lists where it was looked for.

    Those that `lite.nnadapter.ensure_devices` knows are registered by this.
    """

    _destroy = "NNAdapterDevice_release"

    def __init__(self, name: str) -> None:
        super().__init__()
        try:
            call("Device_acquire", name.encode(), ctypes.byref(self.handle))
        except DeviceError as error:
            if not _registered_on_demand(name, error):
                raise
            call("Device_acquire", name.encode(), ctypes.byref(self.handle))

    def _get(self, what: str, result: Any) -> Any:
        call(f"Device_get{what}", self.handle, ctypes.byref(result))
        return result.value

    @property
    def name(self) -> str:
        """Its name."""
        return str(self._get("Name", ctypes.c_char_p()).decode())

    @property
    def vendor(self) -> str:
        """Who made it."""
        return str(self._get("Vendor", ctypes.c_char_p()).decode())

    @property
    def type(self) -> DeviceType:
        """CPU, GPU or accelerator."""
        return DeviceType(self._get("Type", ctypes.c_int32()))

    @property
    def version(self) -> int:
        """Version of the contract that it was made for."""
        return int(self._get("Version", ctypes.c_int32()))


class Context(_Handle):
    """Devices in order of preference, and what they are told."""

    _destroy = "NNAdapterContext_destroy"

    def __init__(
        self,
        devices: Sequence[Device | str],
        properties: str = "",
        callback: Callable[[int, int], int] | None = None,
    ) -> None:
        super().__init__()
        self.devices = [Device(d) if isinstance(d, str) else d for d in devices]
        self._callback = CALLBACK(callback) if callback else None
        call(
            "Context_create",
            _array([d.handle for d in self.devices]),
            len(self.devices),
            properties.encode(),
            ctypes.cast(self._callback, ctypes.c_void_p) if self._callback else None,
            ctypes.byref(self.handle),
        )


class Operand:
    """An operand of a model that is being built."""

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self.handle = handle

    @property
    def type(self) -> OperandType:
        """A copy of its type as it is known now."""
        pointer = TYPE_POINTER()
        call("Model_getOperandType", self.handle, ctypes.byref(pointer))
        return _copied(pointer.contents)


class Model(_Handle):
    """A network of operations, built operand by operand."""

    _destroy = "NNAdapterModel_destroy"

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[Any] = []
        self.operations = 0
        self.outputs: list[Operand] = []
        call("Model_create", ctypes.byref(self.handle))

    def operand(self, kind: OperandType) -> Operand:
        """Adds an operand."""
        handle = ctypes.c_void_p()
        call("Model_addOperand", self.handle, ctypes.byref(kind), ctypes.byref(handle))
        return Operand(handle)

    def tensor(
        self,
        dtype: Any,
        shape: Sequence[int],
        candidates: Sequence[Sequence[int]] = (),
        quantisation: Quantisation | None = None,
        precision: Precision | None = None,
    ) -> Operand:
        """Adds a variable: a model's input, or a result of known type."""
        code = precision_of(dtype) if precision is None else precision
        kind = operand_type(code, shape, candidates=candidates, quantisation=quantisation)
        return self.operand(kind)

    def infer(self) -> Operand:
        """Adds a result whose type addOperation finds."""
        return self.operand(operand_type(None, None))

    def constant(
        self,
        value: Any,
        dtype: Any = None,
        *,
        quantisation: Quantisation | None = None,
        precision: Precision | None = None,
        copy: bool = True,
    ) -> Operand:
        """Adds a constant; a Python number becomes shape [1], int32 or float32."""
        if dtype is None and not isinstance(value, np.ndarray):
            dtype = _scalar_dtype(value)
        array = np.ascontiguousarray(np.atleast_1d(np.asarray(value, dtype=dtype)))
        code = precision_of(array.dtype) if precision is None else precision
        result = self.operand(operand_type(code, array.shape, quantisation=quantisation))
        self.set_value(result, array, copy)
        return result

    def set_value(self, operand: Operand, array: Array, copy: bool = True) -> None:
        """Makes an operand a constant of a contiguous array's elements."""
        if not copy:
            self._kept.append(array)
        call("Model_setOperandValue", operand.handle, array.ctypes.data, array.nbytes, copy)

    def operation(
        self,
        kind: int | str,
        inputs: Sequence[Operand | None],
        outputs: Sequence[Operand | None] | int = 1,
    ) -> list[Operand]:
        """Adds an operation; `outputs` may say how many operands to infer. Returns the outputs."""
        code = OperationType[kind] if isinstance(kind, str) else kind
        results = [self.infer() for _ in range(outputs)] if isinstance(outputs, int) else outputs
        handle = ctypes.c_void_p()
        call(
            *("Model_addOperation", self.handle, code),
            *(len(inputs), _array(_handles(inputs))),
            *(len(results), _array(_handles(results))),
            ctypes.byref(handle),
        )
        self.operations += 1
        return [o for o in results if o is not None]

    def finish(self, inputs: Sequence[Operand], outputs: Sequence[Operand]) -> Model:
        """Names the model's inputs and outputs, checks it and closes it; returns itself."""
        call(
            *("Model_identifyInputsAndOutputs", self.handle),
            *(len(inputs), _array([i.handle for i in inputs])),
            *(len(outputs), _array([o.handle for o in outputs])),
        )
        self.outputs = list(outputs)
        call("Model_finish", self.handle)
        self._kept.clear()  # finish gathered what was not copied
        return self

    def supported(self, context: Context) -> list[bool]:
        """Which operations, in the order they were added, some device of the context takes."""
        flags = (ctypes.c_bool * self.operations)()
        call("Model_getSupportedOperations", self.handle, context.handle, flags)
        return list(flags)

    def refusals(self, context: Context) -> list[str]:
        """Why no device takes an operation; empty where one does, or no driver says why."""
        self.supported(context)
        texts = []
        for operation in range(self.operations):
            text = ctypes.c_char_p()
            call("Model_getRefusal", operation, ctypes.byref(text))
            texts.append((text.value or b"").decode(errors="replace"))
        return texts


class Compilation(_Handle):
    """A model made ready for the devices of a context, or one restored from a cache."""

    _destroy = "NNAdapterCompilation_destroy"

    def __init__(
        self,
        model: Model | None,
        context: Context,
        *,
        token: str | None = None,
        directory: str | None = None,
        cache: bytes | None = None,
    ) -> None:
        super().__init__()
        self._kept = (model, context, cache)
        self.outputs = [o.type for o in model.outputs] if model else []
        call(
            *("Compilation_create", model.handle if model else None),
            *(token.encode() if token is not None else None, cache, len(cache or b"")),
            *(directory.encode() if directory is not None else None, context.handle),
            ctypes.byref(self.handle),
        )

    def finish(self) -> Compilation:
        """Compiles; returns itself."""
        call("Compilation_finish", self.handle)
        return self

    def types(self) -> tuple[list[OperandType], list[OperandType]]:
        """Types of inputs and outputs, as the devices have them."""
        counts = [ctypes.c_uint32(), ctypes.c_uint32()]
        query = "Compilation_queryInputsAndOutputs"
        first, second = (ctypes.byref(count) for count in counts)
        call(query, self.handle, first, None, second, None)
        pointers = [(TYPE_POINTER * max(1, count.value))() for count in counts]
        call(query, self.handle, first, pointers[0], second, pointers[1])
        found = [
            [_copied(pointer[i].contents) for i in range(count.value)]
            for count, pointer in zip(counts, pointers, strict=True)
        ]
        return found[0], found[1]


class Execution(_Handle):
    """Runs a compilation, as often as wished."""

    _destroy = "NNAdapterExecution_destroy"

    def __init__(self, compilation: Compilation) -> None:
        super().__init__()
        self._compilation = compilation
        self._lock = threading.RLock()
        call("Execution_create", compilation.handle, ctypes.byref(self.handle))
        self._inputs, outputs = compilation.types()
        self._outputs = compilation.outputs or outputs

    def run(self, inputs: Sequence[Array]) -> list[Array]:
        """Outputs for the inputs' elements and shapes; neither is changed.

        Another thread that runs it waits. Raises DeviceError for what the device does not take.
        """
        arrays = [np.asarray(i, order="C") for i in inputs]
        for index, (array, kind) in enumerate(zip(arrays, self._inputs, strict=False)):
            if array.dtype != kind.dtype:  # its memory would be read as that
                expected = f"expected {kind.dtype}; convert the array first"
                raise DeviceError(f"input {index} is {array.dtype}, {expected}")
        with self._lock:  # what the runtime holds of one run must outlive it
            try:
                function, code, failure, results = extension().compute(
                    self.handle.value or 0, arrays, [kind.dtype for kind in self._outputs]
                )
            except ValueError as error:
                raise DeviceError(str(error)) from None
            if code != ResultCode.NO_ERROR:
                raise DeviceError(failure) if failure else error_of(function, code)
        missing = [i for i, r in enumerate(results) if r is None]
        if missing:
            raise DeviceError(f"the device computed nothing for outputs {missing}")
        return list(results)


def run(
    model: Model,
    devices: Sequence[str],
    inputs: Sequence[Array],
    properties: str = "",
) -> list[Array]:
    """Compiles a finished model for devices and runs it once."""
    with Context(devices, properties) as context:
        return Execution(Compilation(model, context).finish()).run(inputs)


def _registered_on_demand(name: str, error: DeviceError) -> bool:
    """Whether a device that was not found is one in Python, which is there now."""
    code = error.code  # type: ignore[attr-defined]
    if code != ResultCode.DEVICE_NOT_FOUND or name in registered():
        return False
    try:
        ensure_devices([name])
    except DeviceError as missing:
        missing.code = code  # type: ignore[attr-defined]
        raise missing from error
    return name in registered()


def _handles(operands: Sequence[Operand | None]) -> list[ctypes.c_void_p | None]:
    return [o.handle if o is not None else None for o in operands]


def _array(handles: Sequence[ctypes.c_void_p | None]) -> Any:
    return (ctypes.c_void_p * max(1, len(handles)))(*handles)


def _copied(kind: OperandType) -> OperandType:
    copy = OperandType()
    ctypes.pointer(copy)[0] = kind
    return copy


def _scalar_dtype(value: Any) -> type[Any]:
    first = np.asarray(value)
    if first.dtype == np.bool_:
        return np.bool_
    return np.int32 if np.issubdtype(first.dtype, np.integer) else np.float32


__all__ = [
    "ACCESS",
    "Compilation",
    "Context",
    "Device",
    "Execution",
    "Model",
    "Operand",
    "OperandType",
    "Quantisation",
    "call",
    "error_of",
    "include_dir",
    "library",
    "operand_type",
    "run",
]
