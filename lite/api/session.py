"""The short way: ``lite.load(model).run({name: array})``."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lite import _core
from lite.api.build import Source
from lite.api.tensor import as_array, check_lod
from lite.errors import LiteError


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
) -> Predictor:
    """Loads a model of any format that the framework reads.

    ``model`` is a folder, a `.nb` file, a `.pdmodel`/``__model__`` file (its parameters are found
    beside it when ``params`` is not given), or the bytes of a `.nb` or, with ``params`` as bytes,
    of a program. Raises FileNotFoundError, ModelFormatError, UnsupportedOperatorError.
    """
    core = _make_core(model, params, passes, discarded_passes)
    if isinstance(threads, bool) or not isinstance(threads, int):
        raise TypeError(f"threads must be an int, not {type(threads).__name__}")
    core.set_threads(threads)
    return Predictor(core)


def _make_core(
    model: object,
    params: object,
    passes: Sequence[str] | None,
    discarded: Sequence[str],
) -> _core.Predictor:
    how = {"discarded": tuple(discarded), "passes": None if passes is None else tuple(passes)}
    if isinstance(model, bytes | bytearray | memoryview):
        data = bytes(model)
        if params is None and data[:1] != b"\x0a":  # a protobuf program starts with its blocks
            return _core.Predictor.from_bytes(data)
        if params is not None and not isinstance(params, bytes | bytearray | memoryview):
            raise TypeError("params must be bytes when the model is given as bytes")
        param_bytes = None if params is None else bytes(params)
        return Source(model_bytes=data, param_bytes=param_bytes, **how).make_core()  # type: ignore[arg-type]
    if not isinstance(model, str | os.PathLike):
        raise TypeError(f"model must be a path or bytes, not {type(model).__name__}")
    path = os.fspath(model)
    if params is not None and not isinstance(params, str | os.PathLike):
        raise TypeError("params must be a path when the model is given as a path")
    if os.path.isdir(path):
        return Source(model_dir=path, **how).make_core()  # type: ignore[arg-type]
    if path.endswith(".nb"):
        return _core.Predictor.from_file(path)
    param_file = "" if params is None else os.fspath(params)
    return Source(model_file=path, param_file=param_file, **how).make_core()  # type: ignore[arg-type]


class Predictor:
    """A loaded model. Several threads may use one predictor: they take turns.

    ``clone()`` gives another that shares the weights, for runs side by side.
    """

    def __init__(self, core: _core.Predictor) -> None:
        self._core: _core.Predictor | None = core
        self.inputs = [TensorInfo(*info) for info in core.inputs()]
        self.outputs = [TensorInfo(*info) for info in core.outputs()]

    def run(self, inputs: Mapping[str, Any] | Sequence[Any]) -> dict[str, np.ndarray[Any, Any]]:
        """Computes the outputs, as arrays of their own, by name.

        ``inputs`` maps each input's name to an array, or to a pair (array, lod); a sequence is
        taken in the order of ``self.inputs``. Raises KeyError for names that are missing or
        unknown, DataTypeError for another element type, ShapeError for shapes that do not fit.
        """
        core = self._live()
        for index, value in enumerate(self._ordered(inputs)):
            info = self.inputs[index]
            lod: list[list[int]] = []
            if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], np.ndarray):
                value, lod = value[0], check_lod(value[1])
            core.set_input(index, as_array(value, info.dtype, info.name), lod)
        core.run()
        return {info.name: core.copy_output(i) for i, info in enumerate(self.outputs)}

    def lod(self, output: str) -> list[list[int]]:
        """The LoD of an output of the last run."""
        names = [info.name for info in self.outputs]
        if output not in names:
            raise KeyError(f"the model has no output '{output}'; it has {', '.join(names)}")
        return list(self._live().output_meta(names.index(output))[2])

    def clone(self) -> Predictor:
        """Another predictor that shares the weights."""
        return Predictor(self._live().clone())

    def close(self) -> None:
        """Frees the model; later calls raise LiteError."""
        self._core = None

    def __enter__(self) -> Predictor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "" if self._core is not None else ", closed"
        return f"Predictor({self.inputs} -> {self.outputs}{state})"

    def _live(self) -> _core.Predictor:
        if self._core is None:
            raise LiteError("the predictor was closed")
        return self._core

    def _ordered(self, inputs: Mapping[str, Any] | Sequence[Any]) -> list[Any]:
        names = [info.name for info in self.inputs]
        if isinstance(inputs, Mapping):
            missing = [name for name in names if name not in inputs]
            unknown = [str(name) for name in inputs if name not in names]
            if missing or unknown:
                raise KeyError(
                    f"inputs are {', '.join(names) or 'none'}; missing: "
                    f"{', '.join(missing) or 'none'}, unknown: {', '.join(unknown) or 'none'}"
                )
            return [inputs[name] for name in names]
        if isinstance(inputs, str | bytes | np.ndarray) or not isinstance(inputs, Sequence):
            raise TypeError(f"inputs must be a dict or a list, not {type(inputs).__name__}")
        if len(inputs) != len(names):
            raise ValueError(f"{len(inputs)} inputs given, the model takes {len(names)}")
        return list(inputs)
