"""libneuralnetworks.so lists the CPU, the numpy device and a device that takes little."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from lite.nnadapter import ensure_devices

DEVICES = ("builtin_device", "python", "fake_device")


@pytest.fixture(scope="session", autouse=True)
def devices() -> Iterator[None]:
    """Listed when the library is first asked for its devices."""
    os.environ["LITE_NNAPI_DEVICES"] = ",".join(DEVICES)
    ensure_devices(DEVICES)
    yield
    del os.environ["LITE_NNAPI_DEVICES"]
