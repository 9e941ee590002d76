"""How a model is served: what MLServer's, Triton's and Ray's adapters are told."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

import lite
from lite.api import arguments
from lite.api.batching import Batcher, Group
from lite.errors import ConfigError

Shapes = Mapping[str, list[int]]


@dataclass(frozen=True)
class Options:
    """``threads`` of a run, ``instances`` that run side by side over the same weights.

    Requests are joined up to ``max_batch_size`` rows, waiting at most ``max_delay_ms``; ``devices``
    are NNAdapter devices. ``warm_up`` are complete shapes by input name, one mapping or several:
    each is run once with zeros before the model is ready.
    """

    threads: int = 1
    instances: int = 1
    max_batch_size: int = 1
    max_delay_ms: float = 0.0
    devices: tuple[str, ...] = ()
    warm_up: tuple[Shapes, ...] = ()

    @staticmethod
    def of(settings: Mapping[str, Any] | None) -> Options:
        """The options that a mapping gives. Raises ConfigError for unknown or senseless ones."""
        given = dict(settings or {})
        known = [field.name for field in fields(Options)]
        unknown = sorted(set(given) - set(known))
        if unknown:
            raise ConfigError(f"unknown options {', '.join(unknown)}; known: {', '.join(known)}")
        try:
            if isinstance(given.get("devices"), str):
                given["devices"] = [given["devices"]]
            given["devices"] = tuple(arguments.texts(given.get("devices", []), "devices"))
            warm_up = given.get("warm_up") or []
            shapes = [warm_up] if isinstance(warm_up, Mapping) else list(warm_up)
            given["warm_up"] = tuple(map(_shapes, shapes))
            options = Options(**given)
            arguments.threads(options.threads)
            for name in ("instances", "max_batch_size"):
                if arguments.integer(getattr(options, name), name) < 1:
                    raise ValueError(f"{name} is {getattr(options, name)}, expected 1 or more")
            if not isinstance(options.max_delay_ms, int | float) or options.max_delay_ms < 0:
                raise ValueError(f"max_delay_ms is {options.max_delay_ms!r}, expected 0 or more")
        except (TypeError, ValueError) as error:
            raise ConfigError(str(error)) from None
        return options

    def changed(self) -> dict[str, Any]:
        """What differs from the defaults, as JSON can say it."""
        default = asdict(Options())
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
            if value != default[name]
        }

    def load(
        self, model: str | os.PathLike[str], observer: Callable[[Group], None] | None = None
    ) -> tuple[Batcher, dict[str, str]]:
        """The model, ready, and the element types of its outputs by name.

        The types are those that a warm-up run showed, else what the model declares. Raises as
        lite.load does, naming the model.
        """
        predictor = lite.load(model, threads=self.threads, devices=self.devices)
        types = {info.name: info.dtype or "float32" for info in predictor.outputs}
        for shapes in self.warm_up:
            zeros = {
                info.name: np.zeros(shapes[info.name], info.dtype or "float32")
                for info in predictor.inputs
                if info.name in shapes
            }
            types.update({name: array.dtype.name for name, array in predictor.run(zeros).items()})
        batcher = Batcher(
            predictor,
            instances=self.instances,
            max_batch_size=self.max_batch_size,
            max_delay_ms=self.max_delay_ms,
            observer=observer,
        )
        return batcher, types


def _shapes(value: object) -> Shapes:
    if not isinstance(value, Mapping):
        raise TypeError(f"warm_up takes shapes by input name, not {value!r}")
    return {
        arguments.text(name, "an input's name"): [
            arguments.integer(dim, f"a dimension of '{name}'") for dim in shape
        ]
        for name, shape in value.items()
    }


def sentence(error: BaseException) -> str:
    """What an error says: KeyError would put quotes around it."""
    said = error.args[0] if isinstance(error, KeyError) and error.args else error
    return str(said) or type(error).__name__
