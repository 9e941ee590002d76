"""Runs the checks in a process of its own: a device that crashes fails one check, not the suite.

Prints one JSON object a line: the check and what it is `unlike` before it, its outcome after it.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from lite.errors import DeviceError

from .. import capi, ensure_devices
from ..devices import registered_class
from ..types import ResultCode
from . import operations  # noqa: F401 - adds the cases
from .behaviour import CHECKS, Failure, NotTaken, Probe, Unsupported, code
from .case import Case, Judged, all_cases, difference
from .emitted import never_emitted


def prepare(name: str, modules: tuple[str, ...]) -> None:
    """Imports the modules that register devices, and makes a device written in Python known."""
    for module in modules:
        importlib.import_module(module)
    ensure_devices([name])


def _operation(case: Case, probe: Probe) -> None:
    try:
        model = case.build()
    except DeviceError as error:
        raise Failure(f"the runtime refuses the model: {error}") from None
    # Both before the device has run: it may change what it reads.
    inputs, expected = [v.copy() for v in case.variables], case.expected()
    try:
        context = probe.context()
        if not all(model.supported(context)):
            raise Unsupported(model.refusals(context)[0] or "not taken")
    except DeviceError as error:
        if code(error) != ResultCode.FEATURE_NOT_SUPPORTED:
            raise
    try:
        compilation = capi.Compilation(model, probe.context()).finish()
    except DeviceError as error:
        if code(error) == ResultCode.FEATURE_NOT_SUPPORTED:
            raise Unsupported(str(error)) from None
        if not probe.asks:
            raise NotTaken(str(error)) from None
        raise
    found = capi.Execution(compilation).run(inputs)
    for given, kept in zip(inputs, case.variables, strict=True):
        if given.tobytes() != kept.tobytes():
            raise Failure("the input was changed")
    for index, (got, wanted) in enumerate(zip(found, expected, strict=True)):
        text = difference(got, wanted, case.tolerance, case.levels, case.variables)
        if text:
            raise Failure(f"output {index}: {text}" if len(found) > 1 else text)


@dataclass(frozen=True)
class Check:
    """One of the checks; ``unlike`` says what no model of Paddle gives a driver."""

    labels: dict[str, str]
    run: Callable[[Probe], None]
    unlike: Callable[[], str] = str


def checks() -> Iterator[Check]:
    """Behaviour first, then the operations; always in the same order."""
    for name, function in CHECKS.items():
        yield Check({"section": "behaviour", "name": name}, function)
    for case in all_cases():
        labels = {"operation": case.operation, "dtype": case.dtype}
        yield Check(
            {"section": "operations", "name": case.name, **labels},
            partial(_operation, case),
            partial(never_emitted, case),
        )


def _tried(probe: Probe, check: Callable[[Probe], None]) -> tuple[str, str]:
    try:
        check(probe)
    except Unsupported as reason:
        return "unsupported", str(reason)
    except NotTaken as reason:
        return "not taken", str(reason)
    except Failure as failure:
        return "fail", str(failure)
    except DeviceError as error:
        return "fail", str(error)
    except Exception as error:
        return "fail", f"{type(error).__name__}: {error}"
    return "pass", ""


def main(arguments: list[str]) -> int:
    """NAME PROPERTIES MODULES START FILTER PRECISION: runs the checks from number START."""
    name, properties, modules, start, wanted, precision = arguments
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a device prints does not belong to the answers
    probe = Probe(name, properties, tuple(m for m in modules.split(",") if m))
    prepare(name, probe.modules)
    Judged.precision = precision or getattr(registered_class(name), "precision", "fp32")
    capi.call("_reportCrashes")
    capi.Device(name).close()

    def say(**line: Any) -> None:
        answers.write(json.dumps(line) + "\n")
        answers.flush()

    for number, check in enumerate(checks()):
        labels = check.labels
        if number < int(start) or (wanted and wanted.lower() not in labels["name"].lower()):
            continue
        say(start=number, unlike=check.unlike(), **labels)
        outcome, text = _tried(probe, check.run)
        say(outcome=outcome, text=text)
    say(end=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
