"""lite device: what a device over a vendor's toolkit needs."""

from __future__ import annotations

import argparse

from lite.api.system_errors import system_errors
from lite.errors import ConfigError, DeviceError
from lite.nnadapter.devices import ensure_devices, registered_class
from lite.nnadapter.driver.compiled import Toolkit
from lite.nnadapter.known import refuse_unknown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "action", choices=("setup",), help="setup: install its toolkit, for this user"
    )
    parser.add_argument("device", help="name of the device, as rockchip_rknpu2")
    parser.add_argument(
        "--python", default="", help="the interpreter to make the toolkit's environment with"
    )


def run(flags: argparse.Namespace) -> int:
    """Runs the command."""
    refuse_unknown([flags.device])
    ensure_devices([flags.device])
    toolkit = getattr(registered_class(flags.device), "toolkit", None)
    if not isinstance(toolkit, Toolkit):
        raise ConfigError(f"{flags.device} has no toolkit of its own: nothing to set up")
    with system_errors(DeviceError):
        print(f"installing {toolkit.package} in {toolkit.folder} ...", flush=True)
        toolkit.set_up(flags.python)
        files = [path for path in toolkit.folder.rglob("*") if path.is_file()]
    size = sum(path.lstat().st_size for path in files)
    print(f"{toolkit.version(toolkit.python())} is there, {size / 1e6:.0f} MB")
    return 0
