"""Reads, optimises and runs Paddle models on the CPU.

>>> import lite
>>> predictor = lite.load("inference_model_dir")        # or a .pdmodel, a .nb, bytes
>>> outputs = predictor.run({"x": array})

The API of Paddle Lite's wheels is here too: ``CxxConfig``, ``MobileConfig``,
``create_paddle_predictor``, ``Opt`` (``from paddlelite.lite import *`` works unchanged).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from lite import _source_tree
from lite.errors import (
    CancelledError,
    ConfigError,
    DataTypeError,
    DeviceError,
    LiteError,
    ModelFormatError,
    ShapeError,
    UnsupportedOperatorError,
)

_source_tree.use_installed_package(__path__)

__version__ = "0.1.0"

# Where each public name lives: imported when it is first used, so that `import lite` stays light.
_HOMES = {
    "CLPrecisionType": "lite.api.enums",
    "CLTuneMode": "lite.api.enums",
    "CxxConfig": "lite.api.config",
    "CxxModelBuffer": "lite.api.config",
    "CxxPredictor": "lite.api.light_predictor",
    "DataLayoutType": "lite.api.enums",
    "LightPredictor": "lite.api.light_predictor",
    "MobileConfig": "lite.api.config",
    "Opt": "lite.api.opt",
    "Place": "lite.api.enums",
    "PowerMode": "lite.api.enums",
    "PrecisionType": "lite.api.enums",
    "Predictor": "lite.api.predictor",
    "TargetType": "lite.api.enums",
    "Tensor": "lite.api.tensor",
    "TensorInfo": "lite.api.predictor",
    "create_paddle_predictor": "lite.api.light_predictor",
    "get_include": "lite.api.cpp",
    "get_library": "lite.api.cpp",
    "load": "lite.api.predictor",
    "loop_limit": "lite.api.loops",
    "memory_limit": "lite.api.memory",
    "operator": "lite.api.operators",
    "pack": "lite.api.predictor",
    "read_inference_yml": "lite.model.inference_yml",
    "remove_operator": "lite.api.operators",
    "set_loop_limit": "lite.api.loops",
    "set_memory_limit": "lite.api.memory",
}

if TYPE_CHECKING:
    from lite.api.config import CxxConfig, CxxModelBuffer, MobileConfig
    from lite.api.cpp import get_include, get_library
    from lite.api.enums import (
        CLPrecisionType,
        CLTuneMode,
        DataLayoutType,
        Place,
        PowerMode,
        PrecisionType,
        TargetType,
    )
    from lite.api.light_predictor import CxxPredictor, LightPredictor, create_paddle_predictor
    from lite.api.loops import loop_limit, set_loop_limit
    from lite.api.memory import memory_limit, set_memory_limit
    from lite.api.operators import operator, remove_operator
    from lite.api.opt import Opt
    from lite.api.predictor import Predictor, TensorInfo, load, pack
    from lite.api.tensor import Tensor
    from lite.model.inference_yml import read_inference_yml


# Packages that `import lite` alone makes usable: `lite.inference.as_paddle()`.
_ROOMS = ("inference",)


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"lite.{name}")
    if name == "_core":
        return _import_core()
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'lite' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def _import_core() -> Any:
    try:
        return import_module("lite._core")
    except ImportError as error:
        raise ImportError(f"{error}; `lite doctor` says what is wrong here") from error


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_ROOMS})


__all__ = [
    "CLPrecisionType",
    "CLTuneMode",
    "CancelledError",
    "ConfigError",
    "CxxConfig",
    "CxxModelBuffer",
    "CxxPredictor",
    "DataLayoutType",
    "DataTypeError",
    "DeviceError",
    "LightPredictor",
    "LiteError",
    "MobileConfig",
    "ModelFormatError",
    "Opt",
    "Place",
    "PowerMode",
    "PrecisionType",
    "Predictor",
    "ShapeError",
    "TargetType",
    "Tensor",
    "TensorInfo",
    "UnsupportedOperatorError",
    "create_paddle_predictor",
    "get_include",
    "get_library",
    "load",
    "loop_limit",
    "memory_limit",
    "operator",
    "pack",
    "read_inference_yml",
    "remove_operator",
    "set_loop_limit",
    "set_memory_limit",
]
