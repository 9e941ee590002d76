"""lite env: what a bug report should say about this machine and installation."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import textwrap
from collections import Counter
from pathlib import Path
from typing import Any

import lite
from lite import _core
from lite.api.op_support import operators_here
from lite.api.targets import host_target


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(flags: argparse.Namespace) -> int:
    """Runs the command."""
    facts = collect()
    if flags.json:
        print(json.dumps(facts, indent=2))
    else:
        names = facts.pop("operator types")
        for name, value in facts.items():
            print(f"{name:12} {value}")
        print(textwrap.fill(" ".join(names), 100, break_long_words=False))
    return 0


def collect() -> dict[str, Any]:
    """The facts, by name."""
    table = _core.operator_table()
    layouts = Counter(layout for row in table for _, _, layout, _ in row["kernels"])
    return {
        "lite": lite.__version__,
        "installed in": str(Path(_core.__file__).parent),
        "python": f"{platform.python_version()} ({platform.python_implementation()})",
        "system": f"{platform.platform()}",
        "cpu": _cpu_name(),
        "cores": len(os.sched_getaffinity(0)),
        "cpu flags": " ".join(_cpu_flags()),
        "isa": f"{_core.isa_name()} (LITE_ISA={os.environ.get('LITE_ISA', '')})",
        "target": host_target(),
        "operators": len(operators_here()),
        "operator types": sorted(operators_here()),
        "kernels": f"{sum(layouts.values())} ({layouts[3]} of them NHWC)",
        "memory limit": f"{_core.memory_limit() / 2**20:.0f} MB",
        **{name: _version(name) for name in ("numpy", "protobuf")},
    }


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _cpu_info(key: str) -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    found = (line.partition(":")[2].strip() for line in lines if line.startswith(key))
    return next(found, "")


def _cpu_name() -> str:
    return _cpu_info("model name") or platform.processor() or platform.machine()


def _cpu_flags() -> list[str]:
    flags = set((_cpu_info("flags") or _cpu_info("Features")).split())
    wanted = ("sse4_2", "avx", "f16c", "fma", "avx2", "avx512f", "avx512vl", "avx512_vnni",
              "avx512_bf16", "amx_tile", "asimd", "asimdhp", "asimddp", "sve")  # fmt: skip
    return [flag for flag in wanted if flag in flags]
