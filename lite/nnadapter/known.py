"""The names of devices: which are known, which one may have been meant."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterable
from contextlib import suppress
from difflib import get_close_matches
from typing import Any

from lite import _core
from lite.errors import DeviceError

GENERIC = "nnadapter"
"""As a target of conversion: any device, every operator that can be converted."""


def libraries() -> list[dict[str, Any]]:
    """Devices of this process and the libraries in the search path that hold one, none loaded; not
    the package's for boards where this is none.

    Each has ``name``, ``library`` (empty inside the process) and ``hidden`` (another of this name
    comes first).
    """
    from lite.nnadapter.abi import call
    from lite.nnadapter.devices import LIBRARIES, is_in_python

    text = ctypes.c_char_p()
    call("_listDevices", ctypes.byref(text))
    found: list[dict[str, Any]] = json.loads(text.value or b"[]")
    in_python = {name for name in LIBRARIES if is_in_python(name)}
    return [entry for entry in found if not entry["library"] or entry["name"] not in in_python]


def is_known(name: str) -> bool:
    """Whether a device has the name: a known vendor's, one of the package, one that is here."""
    return name in _fixed_names() or ":" in name or name in known_names()


def _fixed_names() -> set[str]:
    from lite.core.optimizer.vendors import vendor_operators
    from lite.nnadapter.devices import OWN

    return {GENERIC, "builtin_device", "fake_device", *vendor_operators(), *OWN}


def known_names() -> set[str]:
    """All names of devices."""
    from lite.nnadapter.devices import announced, registered

    names = _fixed_names().union(registered(), announced())
    with suppress(DeviceError):  # a build without the runtime
        names.update(entry["name"] for entry in libraries())
    return names


def suggestion(name: str) -> str:
    """`` (did you mean x?)``, or nothing."""
    near = get_close_matches(name.lower(), sorted(known_names()), n=2, cutoff=0.65)
    return f" (did you mean {' or '.join(near)}?)" if near else ""


def refuse_unknown(names: Iterable[str]) -> None:
    """Raises DeviceError for a name that no device has."""
    for name in names:
        if not is_known(name):
            raise DeviceError(unknown(name))


def require(name: str) -> None:
    """Raises DeviceError unless the device can be used; for an unknown name it says what may have
    been meant."""
    try:
        _core.require_device(name)
    except DeviceError as error:
        if is_known(name):
            raise
        raise DeviceError(f"{unknown(name)}. {error}") from None


def unknown(name: str) -> str:
    """What to say of a name that no device has."""
    return (
        f"there is no device {name!r}{suggestion(name)}: it is none of the vendors' that are known "
        f"and none of this process, and no folder of NNADAPTER_DEVICE_PATH has a lib{name}.so that "
        "holds it; lite devices lists what is here"
    )
