"""The registry of exports that judge the reader of PIR programs (paddlepaddle 3)."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

Feed = dict[str, np.ndarray]
Shape = list[int | None]


@dataclass(frozen=True)
class Case:
    """A layer class or a function to export, and the runs that are compared."""

    name: str
    target: Callable[..., Any]
    runs: list[Feed]
    shapes: dict[str, Shape]
    tol: float = 1e-4  # of the largest output
    options: dict[str, Any] = field(default_factory=dict)  # of the function that saves
    traced: bool = False  # a function without Python's branches and loops: no source needed
    unchecked: str = ""  # why Paddle's own predictor cannot confirm it
    by_predictor: bool = False  # the layer cannot run as Python: the outputs are the predictor's
    made: bool = False  # the target makes the layer, weights and all
    after: Callable[[Path], None] | None = None  # changes the files
    train: bool = False  # exported and run in training mode


CASES: dict[str, Case] = {}


def add(target: Callable[..., Any], *runs: Feed, name: str = "", **settings: Any) -> None:
    """Registers a case. Dimensions that differ between its runs are -1 in the program;
    `dynamic` ({input: axes}) names others."""
    name = name or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", target.__name__).lower()
    assert name not in CASES, name
    dynamic = settings.pop("dynamic", {})
    shapes: dict[str, Shape] = {}
    for key in runs[0]:
        sizes = list(zip(*(run[key].shape for run in runs), strict=True))
        shapes[key] = [
            None if len(set(size)) > 1 or axis in dynamic.get(key, ()) else size[0]
            for axis, size in enumerate(sizes)
        ]
    CASES[name] = Case(name, target, list(runs), shapes, **settings)


def add_function(
    name: str,
    function: Callable[..., Any],
    *inputs: Any,
    fixed: bool = False,
    tol: float = 1e-4,
) -> None:
    """Registers a row of a table of functions; its inputs are a, b, c..."""
    run = {key: np.asarray(value) for key, value in zip("abcdefg", inputs, strict=False)}
    shapes = {
        key: [None, *value.shape[1:]] if value.ndim and not fixed else list(value.shape)
        for key, value in run.items()
    }
    CASES[name] = Case(name, function, [run], shapes, tol=tol, traced=True)


def is_layer(target: Callable[..., Any]) -> bool:
    return inspect.isclass(target)


def f(*shape: int, low: float = -2.0, high: float = 2.0, seed: int = 0) -> np.ndarray:
    """Uniform float32 numbers, multiples of 1/256 for the files' sake."""
    rng = np.random.RandomState(seed + sum(shape))
    return (np.round(rng.uniform(low, high, shape) * 256) / 256).astype("float32")


def i(high: int, *shape: int, low: int = 0, dtype: str = "int64", seed: int = 0) -> np.ndarray:
    """Uniform whole numbers below `high`."""
    return np.random.RandomState(seed + sum(shape)).randint(low, high, shape).astype(dtype)


def b(*shape: int, seed: int = 0) -> np.ndarray:
    """Random truth values."""
    return np.random.RandomState(seed + sum(shape)).uniform(0, 1, shape) < 0.5
