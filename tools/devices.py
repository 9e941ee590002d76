"""lite devices: which devices are here, from which libraries, and why one of them does not load."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from lite.core.optimizer.vendors import vendor_operators
from lite.nnadapter.conformance.crash import crash_of
from lite.nnadapter.devices import OWN
from lite.nnadapter.known import libraries

_TIMEOUT = 60


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
    found = _opened([_described(entry) for entry in entries])
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
    return {**entry, "origin": f"in {os.path.dirname(library)}" if library else inside}


def _opened(devices: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What each device says of itself, or why it does not."""
    asked = [
        (device["name"], os.path.dirname(device["library"]) if device["hidden"] else "")
        for device in devices
    ]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "lite.tools.open_devices",
                json.dumps(asked),
                folder,
                str(_TIMEOUT),
            ],
            stdout=subprocess.PIPE,
            text=True,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
                "OPENBLAS_NUM_THREADS": "1",  # numpy's: a process that forks has one thread
            },
            check=True,
        )
        codes = json.loads(done.stdout)
        said = [
            [(Path(folder) / f"{number}.{stream}").read_text(errors="replace") for stream in (1, 2)]
            for number in range(len(devices))
        ]
    return [
        {**device, **_facts(code, *texts)}
        for device, code, texts in zip(devices, codes, said, strict=True)
    ]


def _facts(code: int | None, out: str, err: str) -> dict[str, Any]:
    lines = out.strip().splitlines()
    if code != 0 or not lines:
        return {"error": _why(code, err)}
    (facts,) = json.loads(lines[-1])
    facts.pop("library")
    return dict(facts)


def _why(code: int | None, err: str) -> str:
    if code is None:
        return f"it does not answer for {_TIMEOUT} s"
    if code >= 0:
        return err.strip() or f"its process ended with code {code}"
    crash = crash_of(err.splitlines())
    name = signal.Signals(-code).name
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
