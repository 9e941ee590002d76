"""NNAdapter: devices, models and programs behind a hardware-neutral API.

A device may be written in Python: see `Hal` and `register`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Imported when first used: `lite.nnadapter.types` alone stays light.
_HOMES = {
    "Hal": "hal",
    "InvalidDimensions": "hal",
    "Model": "model",
    "Operand": "model",
    "Operation": "model",
    "Quantisation": "model",
    "TensorType": "model",
    "Unsupported": "hal",
    "ensure_devices": "devices",
    "register": "devices",
    "registered": "devices",
    "unregister": "devices",
}

if TYPE_CHECKING:
    from lite.nnadapter.devices import ensure_devices, register, registered, unregister
    from lite.nnadapter.hal import Hal, InvalidDimensions, Unsupported
    from lite.nnadapter.model import Model, Operand, Operation, Quantisation, TensorType


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'lite.nnadapter' has no attribute {name!r}")
    return getattr(import_module(f"lite.nnadapter.{home}"), name)


__all__ = [
    "Hal",
    "InvalidDimensions",
    "Model",
    "Operand",
    "Operation",
    "Quantisation",
    "TensorType",
    "Unsupported",
    "ensure_devices",
    "register",
    "registered",
    "unregister",
]
