"""A compiled device whose compiler is a toolkit in a process of its own.

The tool (``Toolkit.tool``) answers ``check`` (nothing, where an ONNX compiles), ``build`` (a
program's name, and what a board runs) and ``run`` (the outputs, or false where it has no program of
the name). `arguments` are those of the first two; ``build`` is also told which programs to forget.
A device with a `<NAME>_PRECISION` among its keys has a tool that answers ``calibrate``, too (the
layers of an ONNX that can be int8, those that need not be, and what to build of), and ``build`` is
told whether it is that.
"""

from __future__ import annotations

import io
import json
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from lite.errors import DeviceError
from lite.nnadapter.driver.compiled.hal import CompiledHal, last_line
from lite.nnadapter.driver.compiled.quantization import (
    PRECISIONS,
    Calibrated,
    Recorded,
    Runner,
    is_int8,
    is_recording,
    key_of,
    plan_of,
    precision_key,
    record,
)
from lite.nnadapter.driver.compiled.toolkit import Toolkit
from lite.nnadapter.driver.compiled.worker import Refused, Worker, WorkerEnded
from lite.nnadapter.driver.environment import setting
from lite.nnadapter.model import Array, Model

OutputTypes = list[tuple["np.dtype[Any]", tuple[int, ...]]]
Board = Callable[[bytes, OutputTypes], Runner]
"""From what a toolkit compiled, and the outputs' types, to what runs it."""

_LENGTH = 8


class ToolkitHal(CompiledHal):
    """Questions go to one process, programs live in another, which no question can end."""

    toolkit: ClassVar[Toolkit]
    seconds: ClassVar[float] = 60
    """Of silence, after which a question about a small model has no answer; machines that do
    other work as well are slow."""
    seconds_per_megabyte: ClassVar[float] = 20

    _onnx = ""
    _model = b""
    _binary = b""
    _program = ""
    _loaded: Runner | None = None

    @abstractmethod
    def arguments(self) -> dict[str, str]:
        """What a model is compiled for; raises DeviceError for settings that are wrong."""

    def float_arguments(self) -> dict[str, str]:
        """The same, for what is compiled in floats: of another chip, where this one has none."""
        return self.arguments()

    def board(self) -> Board | None:
        """What runs compiled programs on a board, where there is no toolkit; None where this is
        no board."""
        return None

    def open(self) -> None:
        """Raises DeviceError where neither the toolkit nor the board's runtime is here."""
        self.arguments()
        if self.board() is None:
            self._python()

    def version(self) -> str:
        """The toolkit, its version and the arguments."""
        return f"{self.toolkit.version(self._python())} {self._wanted()}"

    def answers_by(self) -> str:
        """The version, and the tool, which knows ways around the toolkit's mistakes; what it takes
        is asked in floats."""
        version = self.toolkit.version(self._python())
        return f"{version} {_said(self.float_arguments())} {self.toolkit.fingerprint()}"

    def _wanted(self) -> str:
        precision = {"precision": "int8"} if self._is_int8() else {}
        return _said({**precision, **self.arguments()})

    def _is_int8(self) -> bool:
        name = self._precision_key
        precision = setting(self, name) or PRECISIONS[0]
        if precision not in PRECISIONS:
            raise DeviceError(f"{name} is {precision!r}, expected one of {', '.join(PRECISIONS)}")
        return precision == "int8"

    def _has_floats(self) -> bool:
        return self.float_arguments() == self.arguments()

    @property
    def _precision_key(self) -> str:
        return precision_key(self.toolkit.device)

    def left(self, model: bytes) -> Mapping[int, str]:
        """Nothing, or all: a model compiles or does not."""
        self._worker("check").ask("check", self.float_arguments(), [model], self._patience(model))
        return {}

    def build(self, model: Model) -> None:
        """Compiles, and keeps what `save` gives."""
        if self.board() is not None:
            raise DeviceError("a board compiles nothing: lite build names the shapes (--shape)")
        onnx = self.whole(model)
        self._onnx = key_of(onnx)
        self._model = plan_of(onnx) if self._is_int8() else onnx
        self._outputs = [(value.dtype.str, list(value.shape)) for value in model.outputs]
        try:
            self._build()
        except DeviceError as error:
            if is_int8(self._model) or is_recording() or self._has_floats():
                raise
            raise DeviceError(
                f"the chip knows integers only: lite quantize compiles for it ({error})"
            ) from None

    def save(self) -> bytes:
        """The outputs' types, what a board runs, and the ONNX that the simulator builds again."""
        head = json.dumps(self._outputs).encode() + b"\n"
        length = len(self._binary).to_bytes(_LENGTH, "little")
        return self.stamped(head + length + self._binary + self._model)

    def load(self, data: bytes) -> None:
        """What `save` wrote."""
        board = self.board()
        program = self.unstamped(data) if board is None else self._for_board(data)
        head, _, rest = program.partition(b"\n")
        end = _LENGTH + int.from_bytes(rest[:_LENGTH], "little")
        if len(rest) < end or not head:
            raise DeviceError("the saved program ends too early")
        if board is None:
            self._model = rest[end:]
            self._build()
        else:
            types = [(np.dtype(dtype), tuple(shape)) for dtype, shape in json.loads(head)]
            self._loaded = board(rest[_LENGTH:end], types)

    def _for_board(self, data: bytes) -> bytes:
        """A program that any version of the toolkit compiled for this chip."""
        stamp, _, program = data.partition(b"\n")
        made = stamp.decode(errors="replace")
        if not made.startswith(self.toolkit.package) or not made.endswith(f" {self._wanted()}"):
            raise DeviceError(f"it was compiled with {made}, this is a board of {self._wanted()}")
        return program

    def run(self, inputs: Sequence[Array]) -> list[Array]:
        """One run in the simulator; where its process has ended, the program is built again."""
        if self._loaded is not None:
            return self._loaded(inputs)
        self._binary = b""
        if self._precision_key in (self.keys or ()):
            record(self._onnx, self._recorded, inputs)
        blobs = [_npy(array) for array in inputs]
        there, results = self._request("run", self._program, blobs)
        if not there:
            self._build()
            there, results = self._request("run", self._program, blobs)
        if not there:
            raise DeviceError(f"{self.toolkit.package} loses its programs")
        return [np.load(io.BytesIO(result), allow_pickle=False) for result in results]

    def _recorded(self) -> Recorded:
        model = self._model

        def calibrate(samples: Sequence[Sequence[Array]]) -> Calibrated:
            blobs = [model, *(_npy(array) for sample in samples for array in sample)]
            hal = self._another(model)
            patience = (1 + len(samples)) * hal._patience(model)
            (layers, may_stay), (made,) = hal._request(
                "calibrate", hal.arguments(), blobs, patience
            )
            return Calibrated(made, tuple(layers), tuple(may_stay))

        def build(model: bytes) -> Runner:
            hal = self._another(model)
            hal._build()
            return hal.run

        return Recorded(calibrate, build)

    def _another(self, model: bytes) -> ToolkitHal:
        hal = type(self)()
        hal.properties, hal._model = dict(self.properties), model
        return hal

    def __del__(self) -> None:
        if self._program:
            _released.append(self._program)  # told with a later build: this may be any thread

    def _build(self) -> None:
        released = _released[:]
        del _released[: len(released)]
        int8 = is_int8(self._model)
        chip = self.float_arguments() if is_recording() and not int8 else self.arguments()
        arguments = {**chip, "released": released, "int8": int8}
        self._program, (self._binary,) = self._request("build", arguments, [self._model])

    def _request(
        self, name: str, arguments: Any, blobs: Sequence[bytes], seconds: float = 0
    ) -> tuple[Any, list[bytes]]:
        try:
            patience = seconds or self._patience(self._model)
            return self._worker("run").ask(name, arguments, blobs, patience)
        except Refused as error:
            raise DeviceError(f"{self.toolkit.package}: {last_line(error)}") from None
        except WorkerEnded as error:
            raise DeviceError(f"{self.toolkit.package}: {error}") from None

    def _patience(self, model: bytes) -> float:
        return self.seconds + self.seconds_per_megabyte * len(model) / 1e6

    def _python(self) -> str:
        return self.toolkit.python(setting(self, f"{self.toolkit.device.upper()}_PYTHON"))

    def _worker(self, of: str) -> Worker:
        key = (self._python(), str(self.toolkit.tool), of)
        worker = _workers.get(key)
        return worker or _workers.setdefault(key, Worker(key[0], self.toolkit.tool))


def _said(arguments: Mapping[str, str]) -> str:
    return " ".join(f"{key} {value}" for key, value in arguments.items())


def _npy(array: Array) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


_workers: dict[tuple[str, str, str], Worker] = {}
_released: list[str] = []
