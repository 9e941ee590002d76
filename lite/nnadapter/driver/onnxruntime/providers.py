"""Execution providers that a library brings to ONNX Runtime."""

from __future__ import annotations

import threading
from typing import Any

import onnxruntime as ort

from lite.errors import DeviceError

_lock = threading.Lock()


def devices_of(name: str, library: str) -> list[Any]:
    """A provider's devices, at least one; its library is registered once a process, by whomever.

    Raises:
        DeviceError: the library cannot be loaded, or offers none.
    """
    if not hasattr(ort, "register_execution_provider_library"):
        raise DeviceError(f"{library}: onnxruntime {ort.__version__} takes no such libraries")
    with _lock:
        found = _present(name)
        if not found:
            try:
                ort.register_execution_provider_library(name, library)
            except Exception as error:  # onnxruntime's own have no common base
                raise DeviceError(f"{library}: {error}") from error
            found = _present(name)
    if not found:
        names = sorted({device.ep_name for device in ort.get_ep_devices()})
        raise DeviceError(f"{library}: no device of {name}; there are {', '.join(names)}")
    return found


def _present(name: str) -> list[Any]:
    return [device for device in ort.get_ep_devices() if device.ep_name == name]
