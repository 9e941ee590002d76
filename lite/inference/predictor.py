"""Predictor, PredictorPool and create_predictor."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from lite import _core
from lite.api.no_pickle import no_pickle
from lite.api.placement import PlacementSource, current_placement
from lite.errors import DeviceError, LiteError
from lite.inference.arguments import checked
from lite.inference.config import Config
from lite.inference.errors import ArgumentError, ArgumentValueError
from lite.inference.tensor import Input, Tensor

if TYPE_CHECKING:
    from lite.core.partition import Placement

_UNSET: Any = object()

Hook = Callable[[str, str, Tensor], None]
"""Called with an operator's type, a variable's name and its handle."""


class Predictor:
    """A model that is ready to run; ``create_predictor(config)`` makes it.

    Threads that set inputs, run and read outputs side by side need a predictor each: ``clone()``
    or PredictorPool. Calls of one predictor take turns.
    """

    __slots__ = ("_core", "_has_run", "_hooks", "_inputs", "_outputs", "_placement")

    def __init__(self, config: Config, /) -> None:
        if not isinstance(config, Config):
            raise ArgumentError(f"a predictor is made from a Config, not {type(config).__name__}")
        self._fill(*config._open())

    def _fill(self, core: _core.Predictor, placement: PlacementSource | Placement) -> None:
        self._core = core
        self._placement = placement
        self._has_run = False
        self._hooks: dict[str, list[Hook]] = {"feed": [], "fetch": []}
        self._inputs = {
            name: Input(index, name, dtype) for index, (name, _, dtype) in enumerate(core.inputs())
        }
        self._outputs: dict[str, int] = {}
        for index, (name, _, _) in enumerate(core.outputs()):
            self._outputs.setdefault(name, index)

    def get_input_names(self) -> list[str]:
        """The inputs' names, in order."""
        return [name for name, _, _ in self._core.inputs()]

    def get_output_names(self) -> list[str]:
        """The outputs' names, in order."""
        return [name for name, _, _ in self._core.outputs()]

    def get_input_handle(self, name: str, /) -> Tensor:
        """A handle to set an input with. Raises LiteError for an unknown name."""
        return self._handle(name, writable=True)

    def get_output_handle(self, name: str, /) -> Tensor:
        """A handle to read an output with. Raises LiteError for an unknown name."""
        return self._handle(name, writable=False)

    def _handle(self, name: object, writable: bool) -> Tensor:
        if not isinstance(name, str):
            raise ArgumentError(f"a name must be a str, not {type(name).__name__}")
        if name not in self._inputs and name not in self._outputs:
            raise LiteError(
                f"the model has no input or output '{name}'; inputs: "
                f"{', '.join(self._inputs) or 'none'}; outputs: {', '.join(self._outputs)}"
            )
        return Tensor(self, name, writable)

    def run(self, inputs: Sequence[Any] = _UNSET) -> list[Any] | None:
        """Computes the outputs from the inputs that are set. Other Python threads go on meanwhile.

        ``run(list)`` sets the inputs first, in their order, and returns the outputs in theirs:
        ``paddle.Tensor`` for ``paddle.Tensor``, arrays for arrays. Raises LiteError where an input
        is not set, ShapeError and DataTypeError (ValueErrors) for what does not fit. Ctrl-C stops
        it between two operators.
        """
        if inputs is _UNSET:
            self._run()
            return None
        self._set_all(inputs)
        self._run()
        outputs = [self._core.copy_output(index) for index in range(len(self._core.outputs()))]
        if not inputs or not _is_paddle(inputs[0]):
            return outputs
        return [sys.modules["paddle"].to_tensor(array) for array in outputs]

    def _run(self) -> None:
        for held in self._inputs.values():
            held.prepare(self)
        self._call_hooks("feed", self._inputs)
        try:
            self._core.run()
        except DeviceError as error:
            error.placement = self.placement()
            raise
        self._has_run = True
        self._call_hooks("fetch", self._outputs)

    def _set_all(self, inputs: object) -> None:
        if not isinstance(inputs, list | tuple):
            raise ArgumentValueError(f"run() takes a list, not {type(inputs).__name__}")
        if len(inputs) != len(self._inputs):
            raise ArgumentValueError(
                f"{len(inputs)} inputs given, the model takes {len(self._inputs)} "
                f"({', '.join(self._inputs)})"
            )
        for held, value in zip(self._inputs.values(), inputs, strict=True):
            held.set(self, _array(value))

    def clone(self) -> Predictor:
        """A predictor of its own that shares the weights; its inputs are not set."""
        clone = Predictor.__new__(type(self))
        clone._fill(self._core.clone(), self._placement)
        return clone

    def try_shrink_memory(self) -> int:
        """0: intermediate results share one arena, which the next run needs again.

        clear_intermediate_tensor() frees it.
        """
        return 0

    def clear_intermediate_tensor(self) -> None:
        """Frees the memory of inputs, outputs and what is between; inputs must be set again."""
        for held in self._inputs.values():
            held.forget(self)
        self._core = self._core.clone()
        self._has_run = False

    def register_output_hook(self, hook: Hook, /) -> None:
        """Calls ``hook("fetch", name, handle)`` for each output after a run.

        Paddle calls it for every operator; fused operators have no results of their own here.
        """
        self._add_hook("fetch", hook)

    def register_input_hook(self, hook: Hook, /) -> None:
        """Calls ``hook("feed", name, handle)`` for each input before a run."""
        self._add_hook("feed", hook)

    def _add_hook(self, kind: str, hook: Hook) -> None:
        if not callable(hook):
            raise ArgumentError(f"a hook must be callable, not {type(hook).__name__}")
        self._hooks[kind].append(hook)

    def _call_hooks(self, kind: str, names: Sequence[str] | dict[str, Any]) -> None:
        for hook in self._hooks[kind]:
            for name in names:
                hook(kind, name, Tensor(self, name, writable=False))

    def placement(self) -> Placement:
        """Where every operator runs and why (docs/partitioning.md)."""
        return current_placement(self._core, self._placement)

    def __reduce__(self) -> NoReturn:
        no_pickle(self)

    def __repr__(self) -> str:
        return f"Predictor(inputs={self.get_input_names()}, outputs={self.get_output_names()})"


class PredictorPool:
    """Predictors that share their weights, one for each thread."""

    __slots__ = ("_predictors",)

    @checked
    def __init__(self, config: Config, size: int, /) -> None:
        if size < 1:
            raise ArgumentValueError(f"the pool's size is {size}, expected 1 or more")
        first = Predictor(config)
        self._predictors = [first, *(first.clone() for _ in range(size - 1))]

    @checked
    def retrieve(self, index: int, /) -> Predictor:
        """The predictor at a position, always the same one.

        Raises ArgumentError (a TypeError) below 0, ArgumentValueError beyond the last one.
        """
        if index < 0:
            raise ArgumentError(f"the index is {index}, expected 0 or more")
        if index >= len(self._predictors):
            raise ArgumentValueError(
                f"the pool has {len(self._predictors)} predictors, there is none at {index}"
            )
        return self._predictors[index]

    retrive = retrieve  # as Paddle spelled it until 2.6


@checked
def create_predictor(config: Config, /) -> Predictor:
    """A predictor for a configuration, which serves once.

    Raises LiteErrors: ModelFileError for a file that is not there, ModelFormatError for one that is
    damaged, UnsupportedOperatorError, ConfigError, DeviceError; ConfigValueError (a ValueError)
    for a configuration that was used before.
    """
    return Predictor(config)


def _is_paddle(value: object) -> bool:
    return type(value).__module__.partition(".")[0] == "paddle" and "paddle" in sys.modules


def _array(value: Any) -> np.ndarray[Any, Any]:
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, Tensor):
        return value.copy_to_cpu()
    if callable(getattr(value, "numpy", None)):
        return np.asarray(value.numpy())
    raise ArgumentValueError(
        f"run() takes a list of tensors or arrays, but it holds {type(value).__name__}"
    )
