"""lite devices: which devices are here, from which libraries, and why one of them does not load."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from lite.core.optimizer.vendors import vendor_operators
from lite.nnadapter.conformance.crash import crash_of
from lite.nnadapter.devices import OWN
from lite.nnadapter.known import libraries

_TIMEOUT = 60

# In a process of its own: a library may end it.
_OPEN = r"""
import ctypes, sys
from lite.errors import DeviceError
from lite.nnadapter import ensure_devices
from lite.nnadapter.capi import Context, call
try:
    call("_reportCrashes")
    ensure_devices([sys.argv[1]])
    context = Context([sys.argv[1]])
    text = ctypes.c_char_p()
    call("Context_getReport", context.handle, ctypes.byref(text))
    print("\n" + text.value.decode())
except DeviceError as error:
    sys.exit(str(error))
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "--path", action="append", default=[], help="folder to look in first (repeatable)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON list")


def run(flags: argparse.Namespace) -> int:
    """Runs the command; 1 where a library that is here does not load."""
    search_first(flags.path)
    entries = libraries()
    here = {entry["name"] for entry in entries}
    others = sorted(OWN.keys() - here)
    entries += [{"name": name, "library": "", "hidden": False} for name in others]
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # each waits for a process
        found = [*pool.map(_described, entries)]
    if flags.json:
        print(json.dumps(found, indent=2))
    else:
        for device in found:
            print(_text(device))
        absent = sorted(vendor_operators().keys() - here - OWN.keys())
        print(f"judged by the public list, no driver here: {', '.join(absent)}")
    broken = [d for d in found if d.get("error") and d["library"] and not d["hidden"]]
    return 1 if broken else 0


def search_first(paths: list[str]) -> None:
    """Puts folders in front of NNADAPTER_DEVICE_PATH."""
    if paths:
        known = os.environ.get("NNADAPTER_DEVICE_PATH", "")
        folders = [str(Path(path).resolve()) for path in paths]
        os.environ["NNADAPTER_DEVICE_PATH"] = os.pathsep.join([*folders, *filter(None, [known])])


def _described(entry: dict[str, Any]) -> dict[str, Any]:
    library = entry["library"]
    inside = "in Python" if entry["name"] in OWN else "built in"
    known = {**entry, "origin": f"in {os.path.dirname(library)}" if library else inside}
    return _opened(known, os.path.dirname(library) if entry["hidden"] else "")


def _opened(known: dict[str, Any], folder: str) -> dict[str, Any]:
    """What the device says of itself, or why it does not."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    if folder:
        environment["NNADAPTER_DEVICE_PATH"] = folder
    try:
        done = subprocess.run(
            [sys.executable, "-c", _OPEN, known["name"]],
            capture_output=True,
            text=True,
            env=environment,
            timeout=_TIMEOUT,
        )
    except subprocess.TimeoutExpired:
        return {**known, "error": f"it does not answer for {_TIMEOUT} s"}
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        return {**known, "error": _why(done)}
    (facts,) = json.loads(lines[-1])
    facts.pop("library")
    return {**known, **facts}


def _why(done: subprocess.CompletedProcess[str]) -> str:
    if done.returncode >= 0:
        return done.stderr.strip() or f"its process ended with code {done.returncode}"
    crash = crash_of(done.stderr.splitlines())
    name = signal.Signals(-done.returncode).name
    return f"it dies of {name} in {crash.callback or 'its library'}: {crash.text()}"


def _text(device: dict[str, Any]) -> str:
    hidden = ", hidden by another of this name" if device["hidden"] else ""
    lines = [f"{device['name']} ({device['origin']}{hidden})"]
    if device["library"]:
        lines.append(f"library: {device['library']}")
    if "error" in device:
        lines.append("does not load: " + device["error"].replace("\n", "\n    "))
        return "\n  ".join(lines)
    asks = "its driver" if device["asks"] else device["list"] or "nothing: it is given everything"
    lines.append(
        f"vendor {device['vendor']}, contract version {device['version']}, {device['abi']}"
    )
    lines.append(f"what it takes is said by {asks}")
    return "\n  ".join(lines)
