"""What vendors' devices take, for conversion where their drivers are not."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

OURS = frozenset({"intel_openvino"})
"""Devices of a vendor's name that this project has itself, with a driver that takes more."""


@cache
def vendor_operators() -> dict[str, frozenset[str]]:
    """The operator types that each vendor's device takes, by the device's name."""
    text = (Path(__file__).parent / "vendor_operators.csv").read_text(encoding="utf-8")
    found: dict[str, set[str]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            op, devices = line.split(",")
            for device in devices.split():
                found.setdefault(device, set()).add(op)
    return {device: frozenset(ops) for device, ops in found.items()}


def listed_operators(devices: Iterable[str]) -> frozenset[str] | None:
    """The operator types that any of the devices takes; None where one of them has no list."""
    lists = [None if d in OURS else vendor_operators().get(d) for d in devices]
    known = [ops for ops in lists if ops is not None]
    return frozenset().union(*known) if known and len(known) == len(lists) else None
