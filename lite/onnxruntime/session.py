"""InferenceSession: a predictor behind ONNX Runtime's methods."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from lite.api.build import Source
from lite.api.devices import DeviceOptions
from lite.api.predictor import Predictor
from lite.errors import DataTypeError, ModelFormatError, ShapeError
from lite.model.find import Found, find_program
from lite.model.onnx import write_onnx
from lite.model.onnx.elements import NUMPY, Element
from lite.model.onnx.reader import Given, read_onnx
from lite.model.program import Origin, Port, Program
from lite.model.sniff import Kind
from lite.onnxruntime.binding import IOBinding
from lite.onnxruntime.module import PROVIDER
from lite.onnxruntime.options import (
    GraphOptimizationLevel,
    RunOptions,
    SessionOptions,
    warn_once,
)
from lite.onnxruntime.profiling import Profiler
from lite.onnxruntime.values import OrtValue, as_numpy


@dataclass(frozen=True)
class NodeArg:
    """An input or output: its name, type (``tensor(float)``) and shape; free sizes have names."""

    name: str
    type: str
    shape: list[int | str | None]


@dataclass(frozen=True)
class ModelMetadata:
    """What the model says of itself."""

    producer_name: str
    graph_name: str
    domain: str
    description: str
    graph_description: str
    version: int
    custom_metadata_map: dict[str, str] = field(default_factory=dict)


class InferenceSession:
    """A loaded ONNX model. Several threads may use one session: they take turns.

    ``providers`` are remembered; the CPU runs whatever they name. ``devices``, beside ONNX
    Runtime's own arguments, are NNAdapter devices as ``lite.load`` takes them. Raises what
    ``lite.load`` raises.
    """

    def __init__(
        self,
        path_or_bytes: str | os.PathLike[str] | bytes,
        sess_options: SessionOptions | None = None,
        providers: Sequence[str | tuple[str, Mapping[str, Any]]] | None = None,
        provider_options: Sequence[Mapping[str, Any]] | None = None,
        *,
        devices: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        options = sess_options if sess_options is not None else SessionOptions()
        options.check()
        self._options = options
        for name in (item if isinstance(item, str) else item[0] for item in providers or ()):
            if name != PROVIDER:
                warn_once(f"the provider {name}")
        for name in kwargs:
            warn_once(f"InferenceSession's argument {name}")
        self._model = path_or_bytes
        plain = options.graph_optimization_level == GraphOptimizationLevel.ORT_DISABLE_ALL
        self._source = Source(
            threads=options.intra_op_num_threads or os.cpu_count() or 1,
            passes=() if plain else None,
            devices=DeviceOptions(tuple(devices)),
        )
        self._others: dict[frozenset[str], Predictor] = {}
        self._turn = threading.RLock()  # an operator's function may call anything
        _SESSIONS.add(self)
        self._profiler = Profiler(options.profile_file_prefix) if options.enable_profiling else None
        self._origin: Origin
        self._predictor = self._open(frozenset())
        if options.optimized_model_filepath:
            write_onnx(self._read(self._found(), frozenset()), options.optimized_model_filepath)

    def _found(self) -> Found:
        if isinstance(self._model, bytes | bytearray | memoryview):
            found = find_program(model_bytes=bytes(self._model))
            found = replace(found, folder=self._options.folder)
        else:
            found = find_program(model_file=self._model)
        if found.kind is not Kind.ONNX:
            raise ModelFormatError(f"{found.name} is no ONNX model; lite.load reads other formats")
        return found

    def _read(self, found: Found, fed: frozenset[str]) -> Program:
        """The program, for which some initialisers are inputs."""
        given = Given(self._options.initializers, self._options.files)
        program = read_onnx(found, fed, given)
        if not fed:
            assert program.origin is not None
            self._origin = program.origin
        return program

    def _open(self, fed: frozenset[str]) -> Predictor:
        """A predictor of it."""
        found = self._found()
        source = replace(
            self._source, model_file=found.name, reader=lambda _: self._read(found, fed)
        )
        opened = source.make_core()
        opened.core.set_threads(self._source.threads)
        return Predictor(*opened)

    # -- What the model is.

    def get_inputs(self) -> list[NodeArg]:
        """The inputs that a run needs."""
        return [_argument(port) for port in self._origin.inputs]

    def get_outputs(self) -> list[NodeArg]:
        """The outputs."""
        return [_argument(port) for port in self._origin.outputs]

    def get_overridable_initializers(self) -> list[NodeArg]:
        """Constants that a run may replace by an input."""
        return [_argument(port) for port in self._origin.overridable]

    def get_modelmeta(self) -> ModelMetadata:
        """What the model says of itself."""
        origin = self._origin
        return ModelMetadata(
            origin.producer,
            origin.graph,
            origin.domain,
            origin.description,
            "",
            origin.version,
            dict(origin.metadata),
        )

    # -- How it runs.

    def get_providers(self) -> list[str]:
        """The CPU's."""
        return [PROVIDER]

    def get_provider_options(self) -> dict[str, dict[str, str]]:
        """There are none."""
        return {PROVIDER: {}}

    def set_providers(self, providers: Sequence[Any] | None = None, *_: Any) -> None:
        """Nothing: the CPU stays."""

    def disable_fallback(self) -> None:
        """Nothing: there is no other provider to fall back to."""

    enable_fallback = disable_fallback

    def get_session_options(self) -> SessionOptions:
        """The options that the session was made with."""
        return self._options

    def io_binding(self) -> IOBinding:
        """Inputs and outputs that are bound by name."""
        return IOBinding(self)

    def run(
        self,
        output_names: Sequence[str] | None,
        input_feed: Mapping[str, Any],
        run_options: RunOptions | None = None,
    ) -> list[np.ndarray[Any, Any]]:
        """The outputs that are named, or all of them, in this order.

        Raises ValueError for missing inputs and names that the model has not, DataTypeError and
        ShapeError (both ValueErrors) for arrays that do not fit.
        """
        return self._prepared(output_names, input_feed, run_options)()

    def run_async(
        self,
        output_names: Sequence[str] | None,
        input_feed: Mapping[str, Any],
        callback: Callable[[list[np.ndarray[Any, Any]], Any, str], None],
        user_data: Any,
        run_options: RunOptions | None = None,
    ) -> None:
        """Runs in a thread, which calls ``callback(outputs, user_data, error)``; the error of a run
        that succeeded is empty. Raises what ``run`` raises of inputs and names.
        """
        compute = self._prepared(output_names, input_feed, run_options)

        def work() -> None:
            try:
                made, said = compute(), ""
            except Exception as error:
                made, said = [], str(error) or type(error).__name__
            callback(made, user_data, said)

        threading.Thread(target=work, name="run_async").start()

    def _prepared(
        self,
        output_names: Sequence[str] | None,
        input_feed: Mapping[str, Any],
        run_options: RunOptions | None,
    ) -> Callable[[], list[np.ndarray[Any, Any]]]:
        by_name = self._outputs
        wanted = list(output_names or (port.name for port in self._origin.outputs))
        for name in wanted:
            if name not in by_name:
                raise ValueError(f"the model has no output {name!r}; it has {sorted(by_name)}")
        predictor, feeds = self._feeds(input_feed)

        def compute() -> list[np.ndarray[Any, Any]]:
            with self._turn, run_options.watching(predictor) if run_options else nullcontext():
                made = self._compute(predictor, feeds)
            return [_as_declared(made[name], by_name[name]) for name in wanted]

        return compute

    def _compute(
        self, predictor: Predictor, feeds: dict[str, Any]
    ) -> dict[str, np.ndarray[Any, Any]]:
        if self._profiler is None:
            return predictor.run(feeds)
        start = time.perf_counter_ns()
        made, profile = predictor.run_recorded(feeds)
        self._profiler.add(profile, start)
        return made

    def end_profiling(self) -> str:
        """Writes what ``enable_profiling`` recorded until now; the file's name, or nothing."""
        with self._turn:
            profiler, self._profiler = self._profiler, None
        return "" if profiler is None else profiler.end()

    def get_profiling_start_time_ns(self) -> int:
        """When profiling began, in nanoseconds of ``time.perf_counter_ns``; 0: it did not."""
        return 0 if self._profiler is None else self._profiler.start_ns

    def run_with_ort_values(
        self,
        output_names: Sequence[str] | None,
        input_dict_ort_values: Mapping[str, OrtValue],
        run_options: RunOptions | None = None,
    ) -> list[OrtValue]:
        """The same with OrtValues."""
        made = self.run(output_names, input_dict_ort_values, run_options)
        return [OrtValue.ortvalue_from_numpy(array) for array in made]

    def run_with_iobinding(
        self, iobinding: IOBinding, run_options: RunOptions | None = None
    ) -> None:
        """Runs with what is bound."""
        iobinding.run(run_options)

    @cached_property
    def _inputs(self) -> dict[str, Port]:
        return {port.name: port for port in self._origin.inputs}

    @cached_property
    def _outputs(self) -> dict[str, Port]:
        return {port.name: port for port in self._origin.outputs}

    def _feeds(self, given: Mapping[str, Any]) -> tuple[Predictor, dict[str, Any]]:
        ports = self._inputs
        if given.keys() == ports.keys():
            held = {name: _held(given[name], port) for name, port in ports.items()}
            return self._predictor, held
        missing = [name for name in ports if name not in given]
        if missing:
            raise ValueError(
                f"Required inputs ({missing}) are missing from input feed ({list(given)})."
            )
        replaced = {port.name: port for port in self._origin.overridable if port.name in given}
        ports = ports | replaced
        for name in given:
            if name not in ports:
                raise ValueError(f"the model has no input {name!r}; it has {list(ports)}")
        predictor = self._predictor
        if replaced:
            fed = frozenset(replaced)
            if fed not in self._others:
                self._others[fed] = self._open(fed)
            predictor = self._others[fed]
        return predictor, {name: _held(given[name], port) for name, port in ports.items()}


_SESSIONS: weakref.WeakSet[InferenceSession] = weakref.WeakSet()


def _fresh_turns() -> None:
    """In a forked child no other thread has its turn."""
    for session in _SESSIONS:
        session._turn = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_fresh_turns)


def _argument(port: Port) -> NodeArg:
    return NodeArg(port.name, f"tensor({port.type})", list(port.shape or ()))


_HELD: dict[str, Any] = {
    "uint16": np.int32,
    "uint32": np.int64,
    "uint64": np.int64,
    "bfloat16": np.float32,
    "int4": np.int8,
    "int2": np.int8,
    "uint4": np.uint8,
    "uint2": np.uint8,
}
"""What holds an element type that tensors here do not have."""


@cache
def _numpy_type(element: str) -> Any:
    """numpy's type of an element type; None where it has none."""
    return NUMPY.get(Element[element.upper()])


def _held(value: Any, port: Port) -> np.ndarray[Any, Any]:
    """An input's array, checked as ONNX Runtime does, in the type that the engine takes."""
    wanted = _numpy_type(port.type)
    array = _listed(value, wanted, port) if isinstance(value, list) else as_numpy(value)
    if wanted is not None and array.dtype != wanted:
        raise DataTypeError(
            f"input {port.name!r}: expected an array of {wanted.name} (tensor({port.type})), got "
            f"{array.dtype.name}"
        )
    if port.type == "bfloat16" and array.dtype.kind in "biu":
        raise DataTypeError(
            f"input {port.name!r}: an array of {array.dtype.name} for tensor(bfloat16): give "
            "floats, or the bits through OrtValue.ortvalue_from_numpy_with_onnx_type"
        )
    if port.shape is not None:
        _check_shape(array, port)
    if port.type == "uint64" and array.size and int(array.max()) > np.iinfo(np.int64).max:
        raise DataTypeError(f"input {port.name!r}: numbers beyond those of int64 are not computed")
    return array.astype(_HELD[port.type]) if port.type in _HELD else array


def _listed(value: list[Any], wanted: Any, port: Port) -> np.ndarray[Any, Any]:
    """A list of numbers as an array of the model's type."""
    try:
        return np.array(value, wanted)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataTypeError(
            f"input {port.name!r}: the list is no array of tensor({port.type}): {error}"
        ) from None


def _check_shape(array: np.ndarray[Any, Any], port: Port) -> None:
    assert port.shape is not None
    fits = array.ndim == len(port.shape) and all(
        not isinstance(dim, int) or dim < 0 or dim == size
        for dim, size in zip(port.shape, array.shape, strict=True)
    )
    if not fits:
        raise ShapeError(
            f"input {port.name!r}: got the shape {list(array.shape)}, the model declares "
            f"{list(port.shape)}"
        )


def _as_declared(array: np.ndarray[Any, Any], port: Port) -> np.ndarray[Any, Any]:
    wanted = _numpy_type(port.type) if port.type in _HELD else None
    return array if wanted is None else array.astype(wanted)
