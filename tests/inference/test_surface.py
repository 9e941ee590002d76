"""lite.inference has every name of ``paddle.inference`` 2.6.2 and 3.3.1, with its arguments."""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from inference import make_surface

import lite.inference as ours
from lite.inference import cpu, nnadapter

DATA = Path(__file__).parent / "data"
SURFACES = {v: json.loads((DATA / f"surface_{v}.json").read_text()) for v in ("2.6.2", "3.3.1")}
CASES = [(version, name) for version, names in SURFACES.items() for name in names]
METHODS = [
    (version, name, method)
    for version, name in CASES
    for method in SURFACES[version][name].get("methods", {})
]
# Functions that Paddle wrote in Python have no signature in their docstring.
PYTHON = {
    "copy_from_cpu": 1,
    "share_external_data": 1,
    "share_external_data_by_ptr_name": 4,
    "convert_to_mixed_precision": 6,
}


def find(name: str) -> Any:
    for module in (ours, cpu, nnadapter):
        if hasattr(module, name):
            return getattr(module, name)
    raise AssertionError(f"lite.inference has no {name}")


def default(text: str) -> Any:
    return eval(text, {**ours.PrecisionType.__members__})


def check(function: Any, overloads: list[list[list[Any]]], skip_self: bool) -> None:
    """Every call that Paddle's signature takes binds to ours, with the same defaults."""
    signature = inspect.signature(function)
    first = (None,) if skip_self else ()
    if not overloads:
        signature.bind(*first, *[None] * PYTHON[function.__name__])
    for overload in overloads:
        signature.bind(*first, *(None for _ in overload))
        signature.bind(*first, *(None for _, value in overload if value is None))
        named = {name: None for name, _ in overload if not name.startswith("arg")}
        signature.bind(*first, *(None for name, _ in overload if name.startswith("arg")), **named)
        for name, value in overload:
            if value is not None:
                assert signature.parameters[name].default == default(value), name


@pytest.mark.parametrize(("version", "name"), CASES)
def test_name(version: str, name: str) -> None:
    item, real = find(name), SURFACES[version][name]
    if "members" in real:
        assert real["members"].items() <= {k: int(v) for k, v in item.__members__.items()}.items()
    elif "function" in real:
        check(item, real["function"], skip_self=False)
    else:
        instance = item() if name == "XpuConfig" else item
        assert all(hasattr(instance, attribute) for attribute in real["attributes"])


@pytest.mark.parametrize(("version", "name", "method"), METHODS)
def test_method(version: str, name: str, method: str) -> None:
    item = find(name)
    static = isinstance(inspect.getattr_static(item, method), staticmethod)
    check(getattr(item, method), SURFACES[version][name]["methods"][method], skip_self=not static)


@pytest.mark.paddle
def test_the_tables_are_the_installed_paddle() -> None:
    paddle = pytest.importorskip("paddle")
    version, found = make_surface.surface()
    assert version == paddle.__version__
    if version not in SURFACES:
        pytest.skip(f"no table of paddlepaddle {version}")
    if sys.version_info[:2] == (3, 11):  # pybind's texts are the same, but nothing promises it
        assert found == SURFACES[version]
    assert len(found["Config"]["methods"]) > 90
    assert set(found) == set(SURFACES[version])


def test_constants_of_config() -> None:
    assert ours.Config.Precision is ours.PrecisionType
    assert ours.Config.Half is ours.PrecisionType.Half
    assert (str(ours.DataType.FLOAT32), repr(ours.DataType.FLOAT32)) == (
        "PaddleDType.FLOAT32",
        "<PaddleDType.FLOAT32: 0>",
    )
    assert repr(ours.PrecisionType.Half) == "<Precision.Half: 2>"
    assert str(ours.PlaceType.UNK) == "PaddlePlace.UNK"
    assert ours.DataType.INT64.value == int(ours.DataType.INT64) == 1
