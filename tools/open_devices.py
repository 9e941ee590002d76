"""python -m lite.tools.open_devices DEVICES FOLDER SECONDS: opens devices, each in its own process.

A library may end its process, so that each is opened in a fork of this one, which has imported all
that they need. What the forks print goes to FOLDER, as number.1 and number.2; their codes are
printed as a JSON list, null for one that did not end in time.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import time

from lite.errors import DeviceError
from lite.nnadapter import ensure_devices
from lite.nnadapter.capi import Context, call


def _report(name: str, path: str) -> None:
    """What the device says of itself; ``path`` is where its library is looked for, where given."""
    if path:
        os.environ["NNADAPTER_DEVICE_PATH"] = path
    call("_reportCrashes")
    ensure_devices([name])
    context = Context([name])
    text = ctypes.c_char_p()
    call("Context_getReport", context.handle, ctypes.byref(text))
    print("\n" + (text.value or b"").decode())


def _forked(number: int, name: str, path: str, folder: str) -> int:
    child = os.fork()
    if child:
        return child
    for stream in (1, 2):
        os.dup2(os.open(f"{folder}/{number}.{stream}", os.O_WRONLY | os.O_CREAT), stream)
    try:
        _report(name, path)
    except DeviceError as error:
        sys.exit(str(error))
    sys.exit()


def _code(child: int, deadline: float) -> int | None:
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None
        time.sleep(0.01)


def _main(devices: str, folder: str, seconds: str) -> None:
    listed = enumerate(json.loads(devices))
    children = [_forked(number, name, path, folder) for number, (name, path) in listed]
    deadline = time.monotonic() + float(seconds)
    print(json.dumps([_code(child, deadline) for child in children]))


if __name__ == "__main__":
    _main(*sys.argv[1:])
