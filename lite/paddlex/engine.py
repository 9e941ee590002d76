"""The engine itself; it, pipeline.py and service/app.py alone know inner names of PaddleX."""

from __future__ import annotations

import importlib
import importlib.util
import os
import threading
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from paddlex.constants import MODEL_FILE_PREFIX
from paddlex.inference import models as paddlex_models
from paddlex.inference.models.bindings import default_registry, register_predictor_binding_map
from paddlex.inference.models.engines import RunnerEngine
from paddlex.inference.models.runners import InferenceRunner
from paddlex.inference.models.utils.model_paths import get_model_paths
from paddlex.utils import logging
from paddlex.utils.cache import get_cache_dir
from paddlex.utils.device import get_default_device
from pydantic import BaseModel, ConfigDict, Field

import lite
from lite.api.arguments import MAX_THREADS
from lite.api.clones import Clones
from lite.api.devices import DeviceOptions
from lite.api.nb_cache import load_by_cache
from lite.api.typical_shapes import typical_shape
from lite.errors import LiteError

NAME = "lite"
MODEL_OF = "paddle_static"
"""The engine whose models are ours too: they are programs, and run without code of their own."""


def register() -> None:
    """Registers the engine, its models and its name; what is registered already stays."""
    _bind_models()
    # What PaddleX remembers of the engines' names, and PaddleOCR's list, were made without ours.
    paddlex_models._engine_config_bucket_key_allowlist.cache_clear()
    if importlib.util.find_spec("paddleocr") is None:
        return
    try:
        names = importlib.import_module("paddleocr._common_args").SUPPORTED_INFERENCE_ENGINE_LIST
    except (ImportError, AttributeError):
        return  # a PaddleOCR without engines
    if NAME not in names:
        names.append(NAME)


def _bind_models() -> None:
    for model, engines in list(default_registry._registry.items()):
        bound = engines.get(MODEL_OF)
        if bound is not None and bound.runner_binding is None:
            register_predictor_binding_map(bound.predictor, {NAME: (model,)})


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class LiteConfig(BaseModel):
    """What stands in ``engine_config``; PaddleX makes a ValueError of anything else."""

    model_config = ConfigDict(extra="forbid", strict=True)

    threads: int = Field(default_factory=lambda: min(_cores(), 10), ge=1, le=MAX_THREADS)
    devices: list[str] = []
    context_properties: str = ""
    precision: Literal["fp32"] = "fp32"
    device_type: str | None = None
    device_id: int | None = None


_RUNNERS: weakref.WeakSet[LiteRunner] = weakref.WeakSet()


def warm_up(seconds: float = 5.0) -> None:
    """Runs each model that is loaded, to pack its weights before forks share them.

    At most ``seconds`` each: decoders that read noise may write for long. A model that does not
    run is left as it is.
    """
    for runner in list(_RUNNERS):
        runner.warm_up(seconds)


class LiteRunner(InferenceRunner):
    """One model; any number of threads may call it at the same time."""

    def __init__(self, model_dir: str | os.PathLike[str], config: LiteConfig) -> None:
        files = get_model_paths(model_dir, MODEL_FILE_PREFIX).get("paddle")
        if files is None:
            raise ValueError(
                f"{model_dir} has no {MODEL_FILE_PREFIX}.json or .pdmodel with its .pdiparams"
            )
        program, params = files
        self._clones = Clones(_load(program, params, config), limit=_cores())
        self._names = sorted(info.name for info in self._clones.inputs)
        _RUNNERS.add(self)

    def __call__(
        self, x: Sequence[np.ndarray[Any, Any]] | np.ndarray[Any, Any]
    ) -> list[np.ndarray[Any, Any]]:
        """The outputs for arrays in the sorted order of the inputs' names."""
        arrays = [x] if isinstance(x, np.ndarray) else list(x)
        if len(arrays) != len(self._names):
            raise ValueError(
                f"{len(arrays)} arrays given, the model takes {', '.join(self._names) or 'none'}"
            )
        return list(self._clones.run(dict(zip(self._names, arrays, strict=True))).values())

    def warm_up(self, seconds: float) -> None:
        """See ``warm_up``; by a clone, whose memory for intermediate results goes with it."""
        inputs = {
            info.name: np.ones(typical_shape(info.shape), info.dtype or "float32")
            for info in self._clones.inputs
        }
        with self._clones.apart() as predictor:
            timer = threading.Timer(seconds, predictor.cancel)
            timer.start()
            try:
                predictor.run(inputs)
            except (LiteError, ValueError) as error:
                logging.debug(f"not packed ahead: {error}")
            finally:
                timer.cancel()
                timer.join()

    def close(self) -> None:
        """Frees the model."""
        self._clones.close()


def _load(program: Path, params: Path, config: LiteConfig) -> lite.Predictor:
    cache = Path(get_cache_dir(), NAME)
    if not config.devices:
        return load_by_cache(program, params, cache, threads=config.threads)
    try:
        cache.mkdir(parents=True, exist_ok=True)
        kept = str(cache)
    except OSError:
        kept = ""  # devices compile anew each time
    devices = DeviceOptions(
        tuple(config.devices), properties=config.context_properties, cache_dir=kept
    )
    return lite.load(program, params, threads=config.threads, devices=devices)


class LiteEngine(RunnerEngine):
    """Runs the models of ``paddle_static`` on this framework."""

    entities = NAME

    @property
    def name(self) -> str:
        return NAME

    @property
    def engine_config_model(self) -> type[LiteConfig]:
        return LiteConfig

    def get_supported_model_formats(self) -> tuple[str, ...]:
        return ("paddle",)

    def prepare_config_dict(
        self, raw: dict[str, Any], *, model_name: str | None = None, device: str | None = None
    ) -> dict[str, Any]:
        self._apply_device(raw, device)
        if raw.get("device_type") not in (None, "cpu"):
            # PaddleX names a GPU unasked where another package that is installed sees one.
            if device != get_default_device():
                raise ValueError(
                    f"engine 'lite' has no device {device!r}: it runs on 'cpu', and on NNAdapter's "
                    "devices that engine_config names"
                )
            logging.warning(
                f"Engine 'lite' runs on the CPU and on engine_config's devices (NNAdapter); "
                f"device {device!r} is taken as 'cpu'."
            )
            raw["device_type"], raw["device_id"] = "cpu", None
        return raw

    def get_default_runner_builder(self) -> Callable[..., InferenceRunner]:
        def build(
            *, model_name: str, model_dir: Path | None, engine_config: dict[str, Any], **_: Any
        ) -> InferenceRunner:
            if model_dir is None:
                raise ValueError(f"model {model_name!r}: engine 'lite' needs a model folder")
            return LiteRunner(model_dir, LiteConfig.model_validate(engine_config))

        return build

    def validate_runner(self, runner: InferenceRunner) -> None:
        if not isinstance(runner, LiteRunner):
            raise TypeError(f"engine 'lite' needs a LiteRunner, not {type(runner).__name__}")
