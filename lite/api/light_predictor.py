"""create_paddle_predictor and the two predictors of Paddle Lite's Python API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from lite import _core
from lite.api import arguments, build
from lite.api.config import ConfigBase, CxxConfig, MobileConfig
from lite.api.no_pickle import no_pickle
from lite.api.placement import PlacementSource, current_placement, nb_placement
from lite.api.tensor import Tensor
from lite.errors import ConfigError

if TYPE_CHECKING:
    from lite.api.profile import Profile
    from lite.core.partition import Placement


class LightPredictor:
    """Runs a model; made by create_paddle_predictor.

    Several threads may use one predictor: its methods take turns. Threads that set inputs, run and
    read outputs side by side need a predictor each, see clone().
    """

    def __init__(
        self, core: _core.Predictor, placement: PlacementSource | Placement | None = None
    ) -> None:
        if not isinstance(core, _core.Predictor):
            raise TypeError("predictors are made by create_paddle_predictor(config)")
        self._core = core
        self._placement = placement
        self._inputs = core.inputs()
        self._outputs = core.outputs()

    def get_input(self, index: int) -> Tensor:
        """The input at a position. Raises IndexError outside the range."""
        index = _position(index, len(self._inputs), "input")
        name, _, dtype = self._inputs[index]
        return Tensor(self._core, index, True, name, dtype)

    def get_output(self, index: int) -> Tensor:
        """The output at a position. Raises IndexError outside the range."""
        index = _position(index, len(self._outputs), "output")
        name, _, dtype = self._outputs[index]
        return Tensor(self._core, index, False, name, dtype)

    def get_input_by_name(self, name: str) -> Tensor:
        """The input of that name. Raises KeyError for an unknown name."""
        return self.get_input(_find(name, self.get_input_names(), "input"))

    def get_output_by_name(self, name: str) -> Tensor:
        """The output of that name. Raises KeyError for an unknown name."""
        return self.get_output(_find(name, self.get_output_names(), "output"))

    def get_tensor(self, name: str) -> Tensor:
        """The output, or else the input, of that name; intermediate ones if they were kept.

        Raises KeyError for any other: ``config.keep_tensors([name])`` keeps it.
        """
        outputs = self.get_output_names()
        if name in outputs:
            return self.get_output(outputs.index(name))
        if name in self.get_input_names():
            return self.get_input_by_name(name)
        raise KeyError(
            f"no output or input is named '{name}'; config.keep_tensors(['{name}']) before loading "
            "keeps an intermediate tensor"
        )

    def get_input_names(self) -> list[str]:
        """The inputs' names, in order."""
        return [name for name, _, _ in self._inputs]

    def get_output_names(self) -> list[str]:
        """The outputs' names, in order."""
        return [name for name, _, _ in self._outputs]

    def run(self) -> None:
        """Computes the outputs from the inputs. Other Python threads go on meanwhile.

        Ctrl-C (KeyboardInterrupt) and cancel() (CancelledError) stop it between two operators.
        """
        self._core.run()

    def profile(self, runs: int = 10, warmup: int = 1) -> Profile:
        """What every operator of ``runs`` runs with the inputs that are set took.

        ``warmup`` runs before them are not recorded. Raises as run() does, ConfigError for numbers
        of runs that make no sense.
        """
        from lite.api.profile.profile import record

        return record(self._core, [], runs, warmup)

    def cancel(self) -> None:
        """Stops the run that another thread is in: it raises CancelledError.

        Returns at once; without a run it does nothing. The predictor stays usable.
        """
        self._core.cancel()

    def get_version(self) -> str:
        """The framework's version."""
        import lite

        return lite.__version__

    def set_threads(self, threads: int) -> None:
        """Threads of the next runs, 1 to 256."""
        self._core.set_threads(arguments.threads(threads))

    def placement(self) -> Placement:
        """Where every operator runs and why, with what compiling and running took so far."""
        return current_placement(self._core, self._placement)

    def clone(self) -> LightPredictor:
        """A predictor of its own that shares the weights."""
        return LightPredictor(self._core.clone(), self._placement)

    def __reduce__(self) -> NoReturn:
        no_pickle(self)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(inputs={self.get_input_names()}, "
            f"outputs={self.get_output_names()})"
        )


class CxxPredictor(LightPredictor):
    """A predictor made from a Paddle model; it can save what it optimised."""

    def __init__(
        self,
        core: _core.Predictor,
        source: build.Source,
        placement: PlacementSource | Placement | None = None,
    ) -> None:
        super().__init__(core, placement)
        if not isinstance(source, build.Source):
            raise TypeError("predictors are made by create_paddle_predictor(config)")
        self._source = source
        core.show_declared_shapes()

    def clone(self) -> CxxPredictor:
        """A predictor of its own that shares the weights."""
        return CxxPredictor(self._core.clone(), self._source, self._placement)

    def Synchronize(self) -> None:  # noqa: N802
        """Kept for scripts that call it: run() returns when the outputs are computed."""

    def save_optimized_model(self, path: str) -> None:
        """Writes `path`.nb (``.nb`` is not doubled)."""
        self._source.save_naive_buffer(arguments.path(path, "the output path"))

    def save_optimized_pb_model(self, path: str) -> None:
        """Writes the folder `path` with the files ``model`` and ``params``."""
        self._source.save_protobuf(arguments.path(path, "the output folder"))


def create_paddle_predictor(config: ConfigBase) -> LightPredictor:
    """A CxxPredictor for a CxxConfig, a LightPredictor for a MobileConfig.

    Raises ConfigError for contradictory or unavailable settings, FileNotFoundError,
    ModelFormatError or UnsupportedOperatorError for the model.
    """
    if not isinstance(config, CxxConfig | MobileConfig):
        raise TypeError(f"expected a CxxConfig or a MobileConfig, not {type(config).__name__}")
    config._check_settings()
    if isinstance(config, CxxConfig):
        source = build.Source.from_config(config)
        core, placement, _ = source.make_core()
        _place_threads(core, config)
        return CxxPredictor(core, source, placement)
    core = _load_mobile(config)
    _place_threads(core, config)
    return LightPredictor(core, nb_placement(config._bytes or config._file, config.devices()))


def _place_threads(core: _core.Predictor, config: ConfigBase) -> None:
    core.set_threads(config.threads())
    core.set_power_mode(config.power_mode().value)


def _load_mobile(config: MobileConfig) -> _core.Predictor:
    source = build.Source(
        devices=config.devices(),
        threads=config.threads(),
        precision=config.precision(),
        kept=tuple(config.kept_tensors()),
    )
    if config._bytes is not None:
        return source.core_from_bytes(config._bytes)
    if config._file:
        return source.core_from_file(config._file)
    if config.model_dir():
        raise ConfigError(
            f"{config.model_dir()}: a MobileConfig takes one `.nb` file; folders are the layout "
            "before Paddle Lite 2.3. Convert the model with paddle_lite_opt and use "
            "set_model_from_file, or load it with a CxxConfig"
        )
    raise ConfigError("the MobileConfig names no model; call set_model_from_file first")


def _position(index: int, count: int, what: str) -> int:
    index = arguments.integer(index, f"the {what}'s index")
    if not 0 <= index < count:
        raise IndexError(f"{what} {index} does not exist: the model has {count}, counted from 0")
    return index


def _find(name: str, names: Sequence[str], what: str) -> int:
    if not isinstance(name, str):
        raise TypeError(f"the {what}'s name must be a str, not {type(name).__name__}")
    if name not in names:
        raise KeyError(f"the model has no {what} '{name}'; it has {', '.join(names) or 'none'}")
    return list(names).index(name)
