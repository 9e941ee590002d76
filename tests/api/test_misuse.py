"""Every method with wrong arguments, from a table of arguments that nobody should give."""

from __future__ import annotations

import contextlib
import inspect
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from api import tiny_models
from api.isolated import run_many

import lite
from lite.api.predictor import Predictor

BAD: tuple[Any, ...] = (
    None, True, -1, 0, 1, 7, 2**31, 2**63, -(2**63), 2**70, 1.5, float("nan"), float("inf"), 1j,
    "", "x", "y", "no such name", "a\0b", "\udc80", "\ud800", "x" * 5000, b"", b"x", b"\xff\xfe",
    bytearray(b"x"), Path("nowhere"), [], [[]], [0], [-1], [2**70], [1.5], ["a"], [None], [[0, 1]],
    [[0, 2, 1]], [[1, 2]], [[0, 2**62]], (), {}, {"x": None}, set(), object(), type, len,
    np.int64(0), np.float32(0), np.array([0, 1]), np.array("a"), np.array([None]), range(3),
    [1 << 40, 1 << 40],
    lite.TargetType.X86, lite.PowerMode.LITE_POWER_LOW, lite.Place(lite.TargetType.X86),
)  # fmt: skip

SKIPPED = {"set_memory_limit"}


def _predictor(nb: bytes) -> lite.LightPredictor:
    config = lite.MobileConfig()
    config.set_model_from_buffer(nb)
    return lite.create_paddle_predictor(config)


def _works(predictor: lite.LightPredictor) -> None:
    array = np.linspace(-2, 2, 8, dtype=np.float32).reshape(2, 4)
    x = predictor.get_input(0)
    x.set_lod([])
    x.from_numpy(array)
    predictor.run()
    result = predictor.get_output(0).numpy()
    assert np.allclose(result, tiny_models.dense_result(array), atol=1e-6)


def _methods(item: type) -> list[str]:
    return [
        name
        for name, value in inspect.getmembers(item, callable)
        if not name.startswith("_") and name not in SKIPPED
    ]


def _argument_count(method: Callable[..., Any]) -> int:
    return len(inspect.signature(method).parameters)


def _check(target: Any, name: str, alive: lite.LightPredictor, folder: Path) -> None:
    """Calls ``target.name`` with every bad argument in every place, and with too many."""

    def case(arguments: tuple[Any, ...]) -> Callable[[], str]:
        def call() -> str:
            os.chdir(folder)
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    getattr(target, name)(*arguments)
                    return "returned"
            finally:
                if name not in ("close", "__exit__"):
                    _works(alive)

        return call

    count = _argument_count(getattr(target, name))
    calls: list[tuple[Any, ...]] = [(), *((None,) * n for n in range(1, count + 2))]
    for place in range(count):
        fill = [BAD[4]] * count
        for bad in BAD:
            fill[place] = bad
            calls.append(tuple(fill))
    outcomes = run_many([case(arguments) for arguments in calls])
    wrong = [
        f"{name}{arguments!r:.200}: {outcome}"
        for arguments, outcome in zip(calls, outcomes, strict=True)
        if not outcome.defined
    ]
    assert not wrong, "\n".join(wrong)


PREDICTOR_METHODS = _methods(lite.LightPredictor)
SHORT_METHODS = _methods(Predictor)
TENSOR_METHODS = _methods(lite.Tensor)
CONFIG_METHODS = [
    (item, name) for item in (lite.CxxConfig, lite.MobileConfig) for name in _methods(item)
]
OPT_METHODS = _methods(lite.Opt)


@pytest.mark.parametrize("name", PREDICTOR_METHODS)
def test_light_predictor(light: lite.LightPredictor, name: str, tmp_path: Path) -> None:
    _check(light, name, light, tmp_path)


@pytest.mark.parametrize("name", SHORT_METHODS)
def test_predictor(light: lite.LightPredictor, name: str, tmp_path: Path) -> None:
    _check(Predictor(light._core), name, light, tmp_path)


@pytest.mark.parametrize("which", ["input", "output"])
@pytest.mark.parametrize("name", TENSOR_METHODS)
def test_tensor(light: lite.LightPredictor, name: str, which: str, tmp_path: Path) -> None:
    tensor = light.get_input(0) if which == "input" else light.get_output(0)
    _check(tensor, name, light, tmp_path)


@pytest.mark.parametrize(("item", "name"), CONFIG_METHODS)
def test_config(light: lite.LightPredictor, item: type, name: str, tmp_path: Path) -> None:
    _check(item(), name, light, tmp_path)


@pytest.mark.parametrize("name", OPT_METHODS)
def test_opt(light: lite.LightPredictor, name: str, tmp_path: Path) -> None:
    _check(lite.Opt(), name, light, tmp_path)


@pytest.mark.parametrize(
    "name",
    ["create_paddle_predictor", "load", "Place", "CxxModelBuffer", "Tensor", "LightPredictor",
     "CxxPredictor", "Predictor", "CxxConfig", "MobileConfig", "Opt", "set_memory_limit"],
)  # fmt: skip
def test_function(light: lite.LightPredictor, name: str, tmp_path: Path) -> None:
    _check(lite, name, light, tmp_path)


@pytest.mark.parametrize(("item", "name"), CONFIG_METHODS)
def test_predictor_from_a_config_with_odd_settings(
    light: lite.LightPredictor, dense_nb: bytes, item: type, name: str
) -> None:
    """What a setter took must not break the predictor that is made from it."""
    count = _argument_count(getattr(item(), name))

    def case(bad: Any) -> Callable[[], str]:
        def call() -> str:
            config = item()
            getattr(config, name)(*[bad] * count)
            if isinstance(config, lite.MobileConfig) and "model" not in name:
                config.set_model_from_buffer(dense_nb)
            lite.create_paddle_predictor(config).run()
            return "ran"

        return call

    outcomes = run_many([case(bad) for bad in BAD])
    wrong = [
        f"{name}({bad!r:.100}): {outcome}"
        for bad, outcome in zip(BAD, outcomes, strict=True)
        if not outcome.defined
    ]
    assert not wrong, "\n".join(wrong)
