"""libneuralnetworks.so lists the CPU, the numpy device, one that takes little, and OpenVINO."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from lite.nnadapter import ensure_devices

OPENVINO = ("intel_openvino",) if find_spec("openvino") else ()
DEVICES = ("builtin_device", "python", "fake_device", *OPENVINO)


@pytest.fixture(scope="session", autouse=True)
def devices() -> Iterator[None]:
    """Listed when the library is first asked for its devices."""
    os.environ["LITE_NNAPI_DEVICES"] = ",".join(DEVICES)
    ensure_devices(DEVICES)
    yield
    del os.environ["LITE_NNAPI_DEVICES"]
