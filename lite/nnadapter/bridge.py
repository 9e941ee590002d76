"""Between the C++ callbacks of a device (lite._nnadapter) and a HAL written in Python.

Everything that a HAL gives back is checked here, so that the C++ side sees lists of bools, bytes
and plain arrays, or a DeviceError that says which method of which class went wrong and where.
"""

from __future__ import annotations

import contextlib
import os
import threading
import traceback
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lite.errors import DeviceError
from lite.nnadapter.hal import InvalidDimensions, Unsupported
from lite.nnadapter.model import Array, Model, Operation, TensorType
from lite.nnadapter.model_codec import load_model, save_model
from lite.nnadapter.types import ResultCode

# What a cache holds: the HAL's own bytes, or the model to build again.
_OWN, _MODEL = b"H", b"M"


def describe_error(error: BaseException) -> tuple[int, str, bool]:
    """The result code and the text of an exception, and whether the user wanted to interrupt."""
    interrupted = isinstance(error.__cause__ or error, KeyboardInterrupt)
    if isinstance(error, DeviceError):
        code = getattr(error, "code", ResultCode.DEVICE_INTERNAL_ERROR)
        return code, _plain_text(_said(error)), interrupted
    text = _plain_text(f"{type(error).__name__}: {_said(error)}")
    return ResultCode.DEVICE_INTERNAL_ERROR, text, interrupted


class Device:
    """A registered name and the class that serves it."""

    def __init__(self, name: str, hal_class: type[Any]) -> None:
        self.name = name
        self.hal_class = hal_class

    def create_context(self, properties: bytes) -> Context:
        """Called for NNAdapterContext_create."""
        context = Context(self.name, self.hal_class, parse_properties(properties))
        context.open()
        return context


def parse_properties(text: bytes) -> dict[str, str]:
    """ "key=value;key=value" as a dictionary; DeviceError for anything else."""
    properties: dict[str, str] = {}
    for part in text.decode(errors="backslashreplace").split(";"):
        if not part.strip():
            continue
        key, equals, value = (word.strip() for word in part.partition("="))
        if not key or not equals:
            raise DeviceError(f"context properties are key=value;key=value, not {part!r}")
        properties[key] = value
    return properties


class Context:
    """A HAL class and what the user told it."""

    def __init__(self, name: str, hal_class: type[Any], properties: dict[str, str]) -> None:
        self.name = name
        self.hal_class = hal_class
        self.properties = properties

    def open(self) -> None:
        """Raises DeviceError where the device cannot be used here."""
        if callable(getattr(self.hal_class, "open", None)):
            with self._stage("open"):
                self._instance().open()

    def validate(self, model: Model) -> list[str | None]:
        """None for an operation that is taken, else why it is not; in the model's order."""
        hal = self._instance()
        if callable(getattr(hal, "judge", None)):
            with self._stage("judge"):
                return self._judged(hal, model.given)
        with self._stage("supports"):
            return [self._reason(hal, op) for op in model.given]

    def compile(
        self, model: Model, inputs: Sequence[Any], outputs: Sequence[Any], save: bool
    ) -> tuple[Program, bytes | None]:
        """A program, and the bytes that `restore` takes if they are wanted."""
        hal = self._instance()
        own = callable(getattr(hal, "save", None)) and callable(getattr(hal, "load", None))
        saved = None
        if save and not own:
            saved = _MODEL + save_model(model)
        with self._stage("build"):
            hal.build(model)
        if save and own:
            with self._stage("save"):
                data = hal.save()
                if not isinstance(data, bytes | bytearray | memoryview):
                    raise TypeError(f"save must return bytes, not {_kind(data)}")
                saved = _OWN + bytes(data)
        return self._program(hal, inputs, outputs), saved

    def restore(self, data: bytes, inputs: Sequence[Any], outputs: Sequence[Any]) -> Program:
        """A program from what `compile` saved."""
        hal = self._instance()
        kind, rest = data[:1], data[1:]
        with self._stage("load"):
            if kind == _OWN and callable(getattr(hal, "load", None)):
                hal.load(rest)
            elif kind == _MODEL:
                hal.build(load_model(rest))
            else:
                raise ValueError("this cache was not written by this HAL")
        return self._program(hal, inputs, outputs)

    def _instance(self) -> Any:
        with self._stage("__init__"):
            hal = self.hal_class()
            with contextlib.suppress(AttributeError):  # a class with __slots__ does without
                hal.properties = dict(self.properties)
            return hal

    def _program(self, hal: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> Program:
        types = [TensorType.of(type) for type in inputs], [TensorType.of(type) for type in outputs]
        return Program(hal, self._stage, *types)

    def _judged(self, hal: Any, ops: Sequence[Operation]) -> list[str | None]:
        answers = hal.judge(list(ops))
        if not isinstance(answers, list | tuple) or len(answers) != len(ops):
            raise TypeError(f"judge must return an answer for each of {len(ops)} operations")
        return [self._text(op, answer) for op, answer in zip(ops, answers, strict=True)]

    def _reason(self, hal: Any, op: Operation) -> str | None:
        try:
            answer = hal.supports(op)
        except Unsupported as no:
            answer = str(no)
        return self._text(op, answer)

    def _text(self, op: Operation, answer: object) -> str | None:
        if isinstance(answer, bool | np.bool_):
            return None if answer else f"{self.name} does not take {op.type}"
        if isinstance(answer, str):
            return _plain_text(answer) or f"{self.name} does not take {op.type}"
        raise TypeError(f"supports must return True or a reason, not {_kind(answer)}")

    def _stage(self, method: str) -> _Stage:
        return _Stage(f"device {self.name}: {self.hal_class.__name__}.{method}")


class _Stage:
    """What a method raises becomes a DeviceError that says where.

    No generator: contextlib passes a StopIteration on as it is.
    """

    def __init__(self, where: str) -> None:
        self.where = where

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is None:
            return
        kind, code = type(error).__name__, ResultCode.DEVICE_INTERNAL_ERROR
        if isinstance(error, InvalidDimensions):
            code = ResultCode.INVALID_DIMENSIONS
        elif isinstance(error, MemoryError):
            kind, code = "out of memory", ResultCode.OUT_OF_MEMORY
        said = _said(error)
        text = f"{kind}: {said}" if said else kind
        raise _failure(f"{self.where}: {text}{_where(error)}", code) from error


class Program:
    """A built HAL and the types of its inputs and outputs."""

    def __init__(
        self,
        hal: Any,
        stage: Callable[[str], contextlib.AbstractContextManager[None]],
        inputs: list[TensorType],
        outputs: list[TensorType],
    ) -> None:
        self.hal = hal
        self.stage = stage
        self.inputs = inputs
        self.outputs = outputs
        self.lock = threading.Lock()
        _programs.add(self)

    def execute(self, inputs: Sequence[Array]) -> list[Array]:
        """The outputs as plain arrays of the right types."""
        with self.lock, self.stage("run"):
            results = self.hal.run(list(inputs))
            return self._checked(results)

    def complain_of_held_inputs(self) -> None:
        """Called when a HAL keeps memory that is not its own."""
        with self.stage("run"):
            raise ValueError(
                "an input, or a view of one, was kept after run returned, but its memory belongs "
                "to the caller; keep a copy (array.copy())"
            )

    def _checked(self, results: Any) -> list[Array]:
        if isinstance(results, np.ndarray):
            results = [results]
        if not isinstance(results, list | tuple):
            raise TypeError(f"run must return a list of arrays, not {_kind(results)}")
        if len(results) != len(self.outputs):
            raise ValueError(
                f"run returned {len(results)} arrays; the model has {len(self.outputs)} outputs"
            )
        return [
            _plain(i, array, type)
            for i, (array, type) in enumerate(zip(results, self.outputs, strict=True))
        ]


def _plain(index: int, array: Any, type: TensorType) -> Array:
    if isinstance(array, np.generic):  # what numpy makes of arrays without dimensions
        array = np.asarray(array)
    if not isinstance(array, np.ndarray):
        raise TypeError(f"output {index} must be a numpy array, not {_kind(array)}")
    if array.dtype != type.dtype:
        raise TypeError(f"output {index} must have dtype {type.dtype}, not {array.dtype}")
    fits = len(array.shape) == len(type.shape) and all(
        known is None or known == given
        for known, given in zip(type.shape, array.shape, strict=True)
    )
    if not fits:
        wanted = "[" + ", ".join("?" if d is None else str(d) for d in type.shape) + "]"
        raise ValueError(f"output {index} must have shape {wanted}, not {list(array.shape)}")
    plain: Array = np.ascontiguousarray(array).reshape(array.shape)
    return plain


def _failure(text: str, code: int) -> DeviceError:
    error = DeviceError(text)
    error.code = code  # type: ignore[attr-defined]
    return error


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as second:  # a __str__ of the vendor's
        return f"its text cannot be made ({type(second).__name__})"


def _plain_text(text: str) -> str:
    """The text as C can hold it: lone surrogates and zero characters become escapes."""
    return text.encode(errors="backslashreplace").decode().replace("\0", "\\x00")


def _kind(value: Any) -> str:
    return "None" if value is None else type(value).__name__


def _where(error: BaseException) -> str:
    """The innermost line of the HAL's own code."""
    here = os.path.abspath(__file__)
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename != here]
    if not frames:
        return ""
    return f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})"


_programs: weakref.WeakSet[Program] = weakref.WeakSet()


def _fresh_locks() -> None:
    for program in list(_programs):
        program.lock = threading.Lock()


# A thread of the parent that held a lock does not exist in the child.
os.register_at_fork(after_in_child=_fresh_locks)
