"""The drop-in package offers what the real wheel does (data/paddlelite_surface.json)."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

import paddlelite.lite as ours

SURFACE = json.loads(
    (Path(__file__).parent / "data" / "paddlelite_surface.json").read_text(encoding="utf-8")
)
ENUMS = sorted(name for name, item in SURFACE.items() if "members" in item)
METHODS = [
    (name, method)
    for name, item in SURFACE.items()
    for method in (*item.get("methods", {}), *(["__init__"] if item.get("init") else []))
]


@pytest.mark.parametrize("name", sorted(SURFACE))
def test_every_name_is_exported(name: str) -> None:
    namespace: dict[str, Any] = {}
    exec("from paddlelite.lite import *", namespace)
    assert namespace[name] is getattr(ours, name)


@pytest.mark.parametrize("name", ENUMS)
def test_enum_members_and_numbers(name: str) -> None:
    enum = getattr(ours, name)
    assert {k: int(v) for k, v in enum.__members__.items()} == SURFACE[name]["members"]
    for member, number in SURFACE[name]["members"].items():
        assert getattr(enum, member).name == member
        assert str(getattr(enum, member)) == f"{name}.{member}"
        assert enum(number) is getattr(enum, member)


def _default(text: str | None) -> Any:
    if text is None:
        return inspect.Parameter.empty
    return eval(text, {**vars(ours)})


@pytest.mark.parametrize(("name", "method"), METHODS)
def test_method_signature(name: str, method: str) -> None:
    item = SURFACE[name]
    overloads = item["init"] if method == "__init__" else item["methods"][method]
    assert overloads
    signature = inspect.signature(getattr(getattr(ours, name), method))
    if method == "__init__" and name in ("CxxPredictor", "LightPredictor"):
        return  # the real ones make an empty predictor that crashes when it is used
    for overload in overloads:
        signature.bind(None, *(None for _ in overload))
        for argument, default in overload:
            if argument.startswith("arg"):
                continue  # pybind's name for one that has none
            ours_default = signature.parameters[argument].default
            assert ours_default == _default(default), argument


def test_defaults_of_a_new_configuration() -> None:
    config = ours.CxxConfig()
    assert (config.model_dir(), config.model_file(), config.param_file()) == ("", "", "")
    assert config.power_mode() is ours.PowerMode.LITE_POWER_NO_BIND
    assert config.threads() == 1
    assert not config.is_model_from_memory()
    assert config.nnadapter_device_names() == []
    assert config.nnadapter_context_properties() == ""
    assert config.nnadapter_model_cache_dir() == ""
    assert config.nnadapter_subgraph_partition_config_path() == ""
    assert config.nnadapter_mixed_precision_quantization_config_path() == ""
    mobile = ours.MobileConfig()
    assert mobile.model_dir() == ""
    assert not mobile.is_model_from_memory()


def test_configuration_returns_what_was_set() -> None:
    config = ours.CxxConfig()
    config.set_model_dir("d")
    config.set_model_file("m")
    config.set_param_file("p")
    config.set_power_mode(ours.PowerMode.LITE_POWER_HIGH)
    config.set_threads(3)
    config.set_nnadapter_device_names(["a", "b"])
    config.set_nnadapter_context_properties("k=v;")
    config.set_nnadapter_model_cache_dir("c")
    config.set_nnadapter_subgraph_partition_config_path("s")
    config.set_nnadapter_mixed_precision_quantization_config_path("q")
    assert (config.model_dir(), config.model_file(), config.param_file()) == ("d", "m", "p")
    assert config.power_mode() is ours.PowerMode.LITE_POWER_HIGH
    assert config.threads() == 3
    assert config.nnadapter_device_names() == ["a", "b"]
    assert config.nnadapter_context_properties() == "k=v;"
    assert config.nnadapter_model_cache_dir() == "c"
    assert config.nnadapter_subgraph_partition_config_path() == "s"
    assert config.nnadapter_mixed_precision_quantization_config_path() == "q"


def test_the_package_says_that_it_is_typed() -> None:
    assert Path(ours.__file__).with_name("py.typed").exists()


def test_place() -> None:
    place = ours.Place(ours.TargetType.X86, percision=ours.PrecisionType.INT64)
    assert place.is_valid()
    assert place == ours.Place(ours.TargetType.X86, precision=ours.PrecisionType.INT64)
    assert not ours.Place(ours.TargetType.Unk).is_valid()
