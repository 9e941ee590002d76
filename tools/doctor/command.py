"""lite doctor: checks the files, the machine, what the package needs, and devices."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict

from . import machine, package, runtime
from .finding import OK, WARNING, WRONG, Finding

_MARKS = {OK: "ok", WARNING: "warning", WRONG: "WRONG"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(flags: argparse.Namespace) -> int:
    """Runs the command; 1 where something is wrong."""
    findings = list(examine())
    wrong = sum(finding.state == WRONG for finding in findings)
    warned = sum(finding.state == WARNING for finding in findings)
    if flags.json:
        listed = [asdict(finding) for finding in findings]
        print(json.dumps({"wrong": wrong, "warnings": warned, "findings": listed}, indent=2))
    else:
        print("\n".join(_text(findings)))
        print(f"{wrong or 'nothing'} wrong, {warned} warning{'s' * (warned != 1)}")
    return 1 if wrong else 0


def examine() -> Iterator[Finding]:
    """All checks. None imports the core into this process, which a broken one would end."""
    yield from package.findings()
    yield from runtime.findings()
    yield from machine.findings()


def _text(findings: Iterable[Finding]) -> Iterator[str]:
    for finding in findings:
        yield f"{_MARKS[finding.state]:8}{finding.check}: {finding.says}"
        if finding.do:
            yield f"        -> {finding.do}"
