"""Devices written in Python: registration by name, and those that are found on demand."""

from __future__ import annotations

import importlib
import inspect
import mmap
import os
import threading
from collections.abc import Iterable
from typing import Any, TypeVar

from lite.errors import DeviceError
from lite.nnadapter.abi import extension
from lite.nnadapter.bridge import Device
from lite.nnadapter.types import DeviceType

GROUP = "lite.nnadapter.devices"

# name: where the class is, the package that it needs and the extra that installs it
OWN = {
    "python": ("lite.nnadapter.driver.python.device:NumpyHal", None, None),
    "intel_openvino": (
        "lite.nnadapter.driver.intel_openvino.device:OpenVinoHal",
        "openvino",
        "openvino",
    ),
    "onnxruntime": (
        "lite.nnadapter.driver.onnxruntime.device:OnnxRuntimeHal",
        "onnxruntime",
        "onnxruntime",
    ),
    "qualcomm_qnn": (
        "lite.nnadapter.driver.qualcomm_qnn.device:QnnHal",
        "onnxruntime_qnn",
        "qnn",
    ),
    "sophgo_tpu": ("lite.nnadapter.driver.sophgo_tpu.device:SophgoHal", None, None),
    "rockchip_rknpu2": ("lite.nnadapter.driver.rockchip_rknpu2.device:RknnHal", None, None),
}

LIBRARIES = frozenset({"rockchip_rknpu2"})
"""Those of them of which the package has a library, too, for boards."""

_lock = threading.RLock()
_made: dict[str, Device] = {}
_active: set[str] = set()

C = TypeVar("C", bound=type[Any])


def register(name: str, hal_class: Any = None) -> Any:
    """Makes `hal_class` the device `name`; without a class, a decorator.

    Registering a name again replaces the class for contexts that are created from now on. Raises
    TypeError for what is no HAL class, DeviceError where the runtime is missing.
    """
    if hal_class is None:

        def decorate(decorated: C) -> C:
            register(name, decorated)
            return decorated

        return decorate
    _check(name, hal_class)
    with _lock:
        device = _made.get(name)
        if device is not None:
            device.hal_class = hal_class
        else:
            device = Device(name, hal_class)
        if name not in _active:
            vendor = str(getattr(hal_class, "vendor", "python"))
            kind = int(getattr(hal_class, "device_type", DeviceType.ACCELERATOR))
            try:
                extension().register_device(name, vendor, kind, device)
            except RuntimeError as error:
                raise DeviceError(str(error)) from None
            _made[name] = device
            _active.add(name)
    return hal_class


def unregister(name: str) -> None:
    """Takes a device away from the runtime; programs that it has compiled go on.

    Raises DeviceError where no device of this name was registered from Python.
    """
    with _lock:
        if name not in _active:
            raise DeviceError(f"no device {name!r} is registered; registered: {registered()}")
        try:
            extension().unregister_device(name)
        except RuntimeError as error:
            raise DeviceError(str(error)) from None
        _active.discard(name)


def registered() -> list[str]:
    """The names of the devices that are registered from Python now."""
    return sorted(_active)


def registered_class(name: str) -> Any:
    """The HAL class of a device that is registered from Python, else None."""
    return _made[name].hal_class if name in _active else None


def ensure_devices(names: Iterable[str]) -> None:
    """Registers those of `names` that are written in Python and not registered yet.

    These are ``python`` and others of the package (``OWN``), ``module:Class`` for a HAL class
    of your own, and the names of entry points in the group ``lite.nnadapter.devices``. Other names
    are left to the runtime, which looks for a HAL library; so are the first where a vendor's
    library of that name stands in the user's search path. Raises DeviceError where a package that
    a device needs is missing, or a class cannot be imported.
    """
    for name in names:
        if name in _active:
            continue
        target = package = extra = None
        if name in OWN:
            if not is_in_python(name):
                continue
            target, package, extra = OWN[name]
        elif ":" in name:
            target = name
        else:
            target = announced().get(name)
        if target is not None:
            hal_class = _import(name, target, package, extra)
            with _lock:
                if name not in _active:
                    register(name, hal_class)


def announced() -> dict[str, str]:
    """Names of devices that installed packages have as entry points, and where each class is."""
    from importlib.metadata import entry_points  # as long to import as the rest of this package

    return {entry.name: entry.value for entry in reversed(entry_points(group=GROUP))}


def is_in_python(name: str) -> bool:
    """Whether a device of the package (``OWN``) is written in Python on this machine: neither a
    vendor's library in the user's search path nor the package's for boards."""
    return not vendor_library(name) and not (name in LIBRARIES and _leaves_to_library(name))


def _leaves_to_library(name: str) -> bool:
    return bool(_import(name, *OWN[name]).leaves_to_library())


def vendor_library(name: str) -> str:
    """The HAL library of a device in the folders that the user names in the environment, or "".

    Other libraries may have its name: this one has a device's symbol.
    """
    for variable in ("NNADAPTER_DEVICE_PATH", "LD_LIBRARY_PATH"):
        for folder in filter(None, os.environ.get(variable, "").split(":")):
            path = os.path.join(folder, f"lib{name}.so")
            try:
                with (
                    open(path, "rb") as file,
                    mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
                ):
                    if content.find(f"__nnadapter_device__{name}\0".encode()) >= 0:
                        return path
            except (OSError, ValueError):
                continue  # not there, not readable, or empty
    return ""


def _import(name: str, target: str, package: str | None, extra: str | None) -> Any:
    module, _, attribute = target.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except ImportError as error:
        if package and (error.name or "").split(".")[0] == package:
            raise DeviceError(
                f"device {name} needs the package {package}; install it with "
                f"pip install 'paddle-lite-predictor[{extra}]'"
            ) from error
        raise DeviceError(f"device {name}: cannot import {module}: {error}") from error
    except AttributeError as error:
        raise DeviceError(f"device {name}: {module} has no {attribute}") from error
    return found


def _check(name: str, hal_class: Any) -> None:
    if not isinstance(name, str) or not name or "\0" in name or ";" in name or "," in name:
        raise TypeError(f"a device's name is a word, not {name!r}")
    if not inspect.isclass(hal_class):
        raise TypeError(f"register needs a class, not {type(hal_class).__name__}")
    missing = [m for m in ("supports", "build", "run") if not callable(getattr(hal_class, m, None))]
    if missing:
        raise TypeError(f"{hal_class.__name__} lacks {', '.join(missing)}")
    own = [m for m in ("save", "load") if callable(getattr(hal_class, m, None))]
    if len(own) == 1:
        raise TypeError(f"{hal_class.__name__} has {own[0]} alone; save and load go together")


__all__ = ["ensure_devices", "register", "registered", "unregister"]
