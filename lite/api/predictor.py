"""The short way: ``lite.load(model).run({name: array})``."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from lite import _core
from lite.api import arguments
from lite.api.build import Opened, Source
from lite.api.devices import DeviceOptions
from lite.api.manifest import options_of
from lite.api.no_pickle import no_pickle
from lite.api.placement import PlacementSource, current_placement, nb_placement
from lite.api.system_errors import system_errors
from lite.api.tensor import as_array, check_lod
from lite.errors import ConfigError, DeviceError, LiteError, ModelFormatError
from lite.model.find import find_program
from lite.model.program import Origin
from lite.model.sniff import Kind

if TYPE_CHECKING:
    from lite.api.profile import Profile
    from lite.core.partition import Placement


@dataclass(frozen=True)
class TensorInfo:
    """An input or output as the model declares it; a dimension of -1 is free."""

    name: str
    shape: tuple[int, ...]
    dtype: str | None

    def __repr__(self) -> str:
        shape = "x".join("?" if dim < 0 else str(dim) for dim in self.shape)
        return f"{self.name}: {self.dtype or '?'}[{shape}]"


def load(
    model: str | os.PathLike[str] | bytes,
    params: str | os.PathLike[str] | bytes | None = None,
    *,
    threads: int = 1,
    passes: Sequence[str] | None = None,
    discarded_passes: Sequence[str] = (),
    devices: Sequence[str] | str | DeviceOptions = (),
    strict: bool = False,
    precision: str = "fp32",
    keep: Sequence[str] = (),
) -> Predictor:
    """Loads a model of any format that the framework reads.

    ``model`` is a folder (also one of ``lite build``, whose manifest names devices and properties
    where ``devices`` does not), a `.nb` or `.onnx` file, an `inference.json`, `.pdmodel` or
    ``__model__`` file (its parameters are found beside it when ``params`` is not given), or the
    bytes of a `.nb`, an `.onnx` or, with ``params`` as bytes, of a program. ``devices`` are
    NNAdapter devices in order of preference (one name or several), or DeviceOptions; with
    ``strict`` an operator that they do not take is an error. ``precision`` is ``fp32``, or ``bf16``
    or ``fp16``: on the CPU, products with constant weights round their operands to that
    (docs/performance.md). ``keep`` names intermediate tensors that are outputs, too, after the
    model's own. Raises FileNotFoundError, ModelFormatError,
    UnsupportedOperatorError, DeviceError, ConfigError.
    """
    source = Source(
        kept=tuple(arguments.texts(keep, "tensors to keep")),
        passes=None if passes is None else tuple(arguments.texts(passes, "passes")),
        discarded=tuple(arguments.texts(discarded_passes, "discarded passes")),
        devices=_built_for(model, strict, devices) or _device_options(devices, strict),
        threads=arguments.threads(threads),
        precision=arguments.precision(precision),
    )
    opened = open_model(model, params, source)
    opened.core.set_threads(source.threads)
    return Predictor(*opened)


def pack(
    model: str | os.PathLike[str],
    inputs: Mapping[str, Any] | Sequence[Any] | np.ndarray[Any, Any],
    output: str | os.PathLike[str] | None = None,
    *,
    precision: str = "fp32",
    threads: int = 1,
) -> str:
    """Writes the weights of a `.nb` file as this machine's kernels read them, and returns the path.

    Beside the model, as ``MODEL.nb.pack`` (the default), the file makes the next load and first run
    faster, while the model stays what it is and the machine and the version are the same
    (docs/performance.md). ``inputs`` are those of one run, as for Predictor.run: any weight that it
    uses is packed. Raises as load and Predictor.run do, ValueError for a model that is no `.nb`.
    """
    path = _model_path(model)
    if not path.endswith(".nb"):
        raise ValueError(f"{path} is no .nb file; make one with paddle_lite_opt and pack that")
    target = path + ".pack" if output is None else arguments.path(output, "the output")
    source = Source(
        threads=arguments.threads(threads),
        precision=arguments.precision(precision),
        use_stored=False,
    )
    core = source.core_from_file(path)
    core.set_threads(source.threads)
    with system_errors(LiteError):
        core.save_packed(os.fsencode(path), os.fsencode(target), Predictor(core)._feeds(inputs))
    return target


def _built_for(model: object, strict: bool, devices: object) -> DeviceOptions | None:
    if devices or not isinstance(model, str | Path):
        return None
    return options_of(Path(model), strict=arguments.flag(strict, "strict"))


def _device_options(devices: Sequence[str] | str | DeviceOptions, strict: bool) -> DeviceOptions:
    if isinstance(devices, DeviceOptions):
        return replace(devices, strict=devices.strict or arguments.flag(strict, "strict"))
    names = (devices,) if isinstance(devices, str) else tuple(arguments.texts(devices, "devices"))
    if not arguments.flag(strict, "strict"):
        return DeviceOptions(names)
    if not names:
        raise ConfigError("strict is set, but no device is named")
    return DeviceOptions(names, strict=True)


def open_model(model: object, params: object, source: Source) -> Opened:
    if isinstance(model, bytes | bytearray | memoryview):
        program = bytes(model)
        if params is None and find_program(model_bytes=program).kind is Kind.NB:
            core = source.core_from_bytes(program)
            return Opened(core, nb_placement(program, source.devices))
        weights = None if params is None else arguments.data(params, None, "params")
        return replace(source, model_bytes=program, param_bytes=weights).make_core()
    path = _model_path(model)
    if params is not None:
        if os.path.isdir(path):
            raise ValueError(f"{path} is a folder; name the program's file to give it parameters")
        param_file = arguments.path(params, "params")
        return replace(source, model_file=path, param_file=param_file).make_core()
    with system_errors(ModelFormatError):
        found = find_program(path)
    if found.kind is Kind.NB:
        core = source.core_from_file(found.name)
        return Opened(core, nb_placement(found.name, source.devices))
    if found.name == path:
        return replace(source, model_file=path).make_core()
    # A folder, or the common part of NAME.pdmodel and NAME.pdiparams.
    return replace(source, model_dir=path).make_core()


def _model_path(model: object) -> str:
    if model is None:
        raise TypeError(
            "no model is given: lite.load takes a folder, a file (.nb, .pdmodel, __model__, .onnx) "
            "or bytes"
        )
    path = arguments.path(model, "the model")
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", path):
        raise ModelFormatError(f"{path} is a URL: download the model and give the path of its file")
    return path


class Predictor:
    """A loaded model. Several threads may use one predictor: they take turns.

    ``clone()`` gives another that shares the weights, for runs side by side. ``metadata`` are an
    ONNX model's own properties, texts by name.
    """

    def __init__(
        self,
        core: _core.Predictor,
        placement: PlacementSource | Placement | None = None,
        origin: Origin | None = None,
    ) -> None:
        if not isinstance(core, _core.Predictor):
            raise TypeError("predictors are made by lite.load(model)")
        self._placement = placement
        self._core: _core.Predictor | None = core
        self._origin = origin
        self.metadata = {} if origin is None else dict(origin.metadata)
        self._lods: list[list[list[int]]] = [[] for _ in core.outputs()]
        self.inputs = [TensorInfo(*info) for info in core.inputs()]
        self.outputs = [TensorInfo(*info) for info in core.outputs()]

    def run(
        self, inputs: Mapping[str, Any] | Sequence[Any] | np.ndarray[Any, Any]
    ) -> dict[str, np.ndarray[Any, Any]]:
        """Computes the outputs, as arrays of their own, by name.

        ``inputs`` maps each input's name to an array, or to a pair (array, lod); a sequence is
        taken in the order of ``self.inputs``, and an array is the input of a model of one input.
        Raises KeyError for names that are missing or unknown, DataTypeError for another element
        type, ShapeError for shapes that do not fit. Ctrl-C (KeyboardInterrupt) and cancel()
        (CancelledError) stop it between two operators.
        """
        core = self._live()
        feeds = self._feeds(inputs)
        try:
            results = core.run_with(feeds)
        except DeviceError as error:
            error.placement = self.placement()
            raise
        self._lods = [lod for _, lod in results]
        return {info.name: array for info, (array, _) in zip(self.outputs, results, strict=True)}

    def profile(
        self,
        inputs: Mapping[str, Any] | Sequence[Any] | np.ndarray[Any, Any],
        *,
        runs: int = 10,
        warmup: int = 1,
    ) -> Profile:
        """What every operator of ``runs`` runs was and how long it took.

        ``warmup`` runs before them are not recorded: the first run with new shapes plans them and
        packs weights. ``.with_peak()`` of the result measures what the machine can do. Raises as
        run() does, ConfigError for numbers of runs that make no sense.
        """
        from lite.api.profile.profile import record

        return record(self._live(), self._feeds(inputs), runs, warmup)

    def run_recorded(
        self, inputs: Mapping[str, Any] | Sequence[Any] | np.ndarray[Any, Any]
    ) -> tuple[dict[str, np.ndarray[Any, Any]], Profile]:
        """The outputs of one run, and what its operators did. Raises as run() does.

        Another thread may not run the predictor meanwhile.
        """
        from lite.api.profile.profile import record

        core = self._live()
        profile = record(core, self._feeds(inputs), 1, 0)
        return {info.name: core.copy_output(at) for at, info in enumerate(self.outputs)}, profile

    def cancel(self) -> None:
        """Stops the run that another thread is in: it raises CancelledError.

        Returns at once; without a run it does nothing. The predictor stays usable.
        """
        self._live().cancel()

    def lod(self, output: str) -> list[list[int]]:
        """The LoD of an output of the last run."""
        names = [info.name for info in self.outputs]
        if output not in names:
            raise KeyError(f"the model has no output '{output}'; it has {', '.join(names)}")
        self._live()
        return [list(level) for level in self._lods[names.index(output)]]

    def clone(self) -> Predictor:
        """Another predictor that shares the weights."""
        return Predictor(self._live().clone(), self._placement, self._origin)

    def placement(self) -> Placement:
        """Where every operator runs and why, with what compiling and running took so far."""
        return current_placement(self._live(), self._placement)

    def close(self) -> None:
        """Frees the model; later calls raise LiteError."""
        self._core = None

    def __enter__(self) -> Predictor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        no_pickle(self)

    def __repr__(self) -> str:
        state = "" if self._core is not None else ", closed"
        return f"Predictor({self.inputs} -> {self.outputs}{state})"

    def _live(self) -> _core.Predictor:
        if self._core is None:
            raise LiteError("the predictor was closed")
        return self._core

    def _feeds(self, inputs: object) -> list[tuple[np.ndarray[Any, Any], list[list[int]]]]:
        feeds = []
        for info, value in zip(self.inputs, self._ordered(inputs), strict=True):
            lod: list[list[int]] = []
            if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], np.ndarray):
                value, lod = value[0], check_lod(value[1])
            feeds.append((as_array(value, info.dtype, info.name), lod))
        return feeds

    def _ordered(self, inputs: object) -> list[Any]:
        names = [info.name for info in self.inputs]
        if isinstance(inputs, np.ndarray):
            if len(names) != 1:
                raise TypeError(
                    f"the model takes {len(names)} inputs ({', '.join(names) or 'none'}): give a "
                    "dict, or a list of arrays in this order"
                )
            return [inputs]
        if isinstance(inputs, Mapping):
            missing = [name for name in names if name not in inputs]
            unknown = [str(name) for name in inputs if name not in names]
            if missing or unknown:
                raise KeyError(
                    f"inputs are {', '.join(names) or 'none'}; missing: "
                    f"{', '.join(missing) or 'none'}, unknown: {', '.join(unknown) or 'none'}"
                )
            return [inputs[name] for name in names]
        if isinstance(inputs, str | bytes) or not isinstance(inputs, Sequence):
            raise TypeError(
                f"inputs must be a dict, a list or an array, not {type(inputs).__name__}"
            )
        if len(inputs) != len(names):
            raise ValueError(f"{len(inputs)} inputs given, the model takes {len(names)}")
        return list(inputs)
