"""Checks of the machine: CPU, limits of this process and its container, folders."""

from __future__ import annotations

import os
import resource
import shutil
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from .finding import OK, WARNING, WRONG, Finding

_LEAST_FREE = 200 << 20  # bytes: a converted model and a wheel
_LEAST_MEMORY = 512 << 20


def findings() -> Iterator[Finding]:
    """All checks of this file."""
    yield _cpu()
    yield _threads()
    yield _memory()
    yield from _processes()
    yield from _folders()


def _cpu(cpuinfo: str = "/proc/cpuinfo", kind: str = os.uname().machine) -> Finding:
    try:
        text = Path(cpuinfo).read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    facts: dict[str, str] = {}
    for line in text.splitlines():
        key, _, value = line.partition(":")
        facts.setdefault(key.strip(), value.strip())
    name = facts.get("model name") or kind
    flags = set((facts.get("flags") or facts.get("Features") or "").split())
    if kind in ("x86_64", "AMD64") and flags and not {"avx2", "fma"} <= flags:
        return Finding(
            "CPU",
            WARNING,
            f"{name} without AVX2 and FMA: the slowest kernels run",
            "virtual machines hide them unless told to pass the host's CPU on",
        )
    return Finding("CPU", OK, f"{name}, {len(os.sched_getaffinity(0))} cores")


def _groups(root: Path, membership: str) -> Iterator[Path]:
    """The folders of this process' control groups, from its own up to the root."""
    try:
        lines = Path(membership).read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        own = root / controllers / path.strip("/") if controllers else root / path.strip("/")
        for folder in (own, *own.parents):
            if folder == root.parent:
                break
            yield folder


def _numbers(path: Path) -> list[float]:
    try:
        words = path.read_text(encoding="utf-8").split()
    except OSError:
        return []
    return [float("inf") if word in ("max", "-1") else float(word) for word in words]


def cpu_quota(root: str = "/sys/fs/cgroup", membership: str = "/proc/self/cgroup") -> float:
    """How many cores' time the control groups allow; infinite where they do not limit it."""
    least = float("inf")
    for folder in _groups(Path(root), membership):
        limit = _numbers(folder / "cpu.max")
        if not limit:
            limit = [
                *_numbers(folder / "cpu.cfs_quota_us"),
                *_numbers(folder / "cpu.cfs_period_us"),
            ]
        if len(limit) == 2:
            least = min(least, limit[0] / limit[1])
    return least


def memory_quota(root: str = "/sys/fs/cgroup", membership: str = "/proc/self/cgroup") -> float:
    """How many bytes the control groups and RLIMIT_AS allow; infinite where nothing does."""
    soft = resource.getrlimit(resource.RLIMIT_AS)[0]
    least = float("inf") if soft == resource.RLIM_INFINITY else float(soft)
    for folder in _groups(Path(root), membership):
        for name in ("memory.max", "memory.limit_in_bytes"):
            for limit in _numbers(folder / name):
                least = min(least, limit if limit < 2**60 else float("inf"))
    return least


def _threads() -> Finding:
    cores, quota = len(os.sched_getaffinity(0)), cpu_quota()
    if quota < cores:
        most = max(1, int(quota))
        return Finding(
            "threads",
            WARNING,
            f"the container has {quota:.1f} cores' time on {cores} "
            "cores: runs with more threads stall until the next period",
            f"ask for threads={most} at most",
        )
    return Finding("threads", OK, f"up to {cores}")


def _memory() -> Finding:
    limit = memory_quota()
    if limit < _LEAST_MEMORY:
        return Finding(
            "memory",
            WARNING,
            f"limited to {limit / 2**20:.0f} MB",
            "raise the container's limit or `ulimit -v`",
        )
    text = "not limited" if limit == float("inf") else f"limited to {limit / 2**20:.0f} MB"
    return Finding("memory", OK, text)


def _processes() -> Iterator[Finding]:
    """Worker threads count as processes of the user."""
    soft = resource.getrlimit(resource.RLIMIT_NPROC)[0]
    if soft != resource.RLIM_INFINITY and soft < 64:
        yield Finding(
            "processes", WARNING, f"`ulimit -u` allows {soft}: threads may not start", "raise it"
        )


def _folders() -> Iterator[Finding]:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    named = os.environ.get("LITE_CACHE_DIR") or os.path.join(base, "paddle-lite-predictor")
    folders = {"LITE_CACHE_DIR": named}
    if find_spec("paddlex") is not None:
        home = os.environ.get("PADDLE_PDX_CACHE_HOME") or os.path.expanduser("~/.paddlex")
        folders["PADDLE_PDX_CACHE_HOME"] = home
    try:
        folders["TMPDIR"] = tempfile.gettempdir()
    except FileNotFoundError as error:
        yield Finding("folders", WRONG, f"no folder for temporary files: {error}", "set TMPDIR")
    for variable, path in folders.items():
        yield _folder(variable, Path(path), WRONG if variable == "TMPDIR" else WARNING)


def _folder(variable: str, path: Path, state: str) -> Finding:
    """What a folder is that cannot be written: models run without the caches."""
    there = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
        free = shutil.disk_usage(there).free
    except OSError as error:
        return Finding(
            "folders",
            state,
            f"{path} cannot be written: {error}",
            f"set {variable} to a folder that can",
        )
    if free < _LEAST_FREE:
        return Finding(
            "folders",
            WARNING,
            f"{path} has {free / 2**20:.0f} MB left",
            f"set {variable} to another folder",
        )
    return Finding("folders", OK, f"{path} can be written")
