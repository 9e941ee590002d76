"""libneuralnetworks.so lists the CPU, the numpy device and a device that takes little."""

from __future__ import annotations

import os

from lite.nnadapter import ensure_devices

DEVICES = ("builtin_device", "python", "fake_device")

# Read when the library is first asked for its devices.
os.environ["LITE_NNAPI_DEVICES"] = ",".join(DEVICES)
ensure_devices(DEVICES)
