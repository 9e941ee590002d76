"""What NNAdapter_reportCrashes wrote before a process died: the callback and the stack."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field

_BEGIN = re.compile(r"nnadapter crash: (\S+(?: callback)?) of device (.*)")
_END = "nnadapter crash: end"
_FRAME = re.compile(r"(?P<file>.*)\((?P<symbol>[^+)]*)\+?(?P<offset>0x[0-9a-f]+)?\)")
_MOST_FRAMES = 12
_LONGEST_NAME = 160


@dataclass
class Crash:
    """``callback`` is empty where none was running; ``stack`` has the innermost call first."""

    callback: str = ""
    stack: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def text(self) -> str:
        """What it said last, and the stack."""
        stack = f"stack: {'; '.join(self.stack)}" if self.stack else ""
        return " / ".join(filter(None, [*self.said[-3:], stack]))


def crash_of(lines: Sequence[str]) -> Crash:
    """Reads the last lines of a process's stderr."""
    crash = Crash()
    inside = False
    for line in lines:
        begin = _BEGIN.match(line)
        if begin:
            crash = Crash(begin[1] if begin[1] != "no callback" else "", said=crash.said)
            inside = True
        elif line == _END:
            inside = False
        elif inside:
            crash.stack.append(line)
        elif line:
            crash.said.append(line)
    crash.stack = [_readable(frame) for frame in _of_the_driver(crash.stack)]
    return crash


def _of_the_driver(frames: Sequence[str]) -> list[str]:
    """The frames down to the runtime's call, without those of a failed assertion."""
    own = next((at for at, f in enumerate(frames) if "/libnnadapter.so(" in f), _MOST_FRAMES)
    kept = [f for f in frames[:own] if not re.search(r"/(libc|libpthread)[.-][^/]*\(", f)]
    return (kept or list(frames))[:_MOST_FRAMES]


def _readable(frame: str) -> str:
    """`function (file:line) in library`, as far as that is known."""
    found = _FRAME.match(frame)
    if found is None:
        return frame
    library = os.path.basename(found["file"])
    name = _demangled(found["symbol"]) if found["symbol"] else ""
    if not name and found["offset"]:
        name = _by_address(found["file"], found["offset"])
    if not name or len(name) > _LONGEST_NAME:  # kilobytes of template arguments say less
        name = found["offset"] or "?"
    return f"{name} in {library}"


def _by_address(file: str, offset: str) -> str:
    tool = shutil.which("addr2line")
    if tool is None or not os.path.isfile(file):
        return ""
    # Before the return address, so that it is the call's own line.
    address = hex(int(offset, 16) - 1)
    try:
        done = subprocess.run(
            [tool, "-Cfpe", file, address], capture_output=True, text=True, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    text = done.stdout.strip()
    if done.returncode or text.startswith("??"):
        return ""
    return re.sub(r" \(discriminator \d+\)| at \?\?:\?|\(anonymous namespace\)::", "", text)


def _demangled(symbol: str) -> str:
    if not symbol.startswith("_Z"):
        return symbol
    try:
        demangle = ctypes.CDLL("libstdc++.so.6").__cxa_demangle
    except (OSError, AttributeError):
        return symbol
    demangle.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    demangle.restype = ctypes.c_void_p
    found = demangle(symbol.encode(), None, None, None)
    if not found:
        return symbol
    text = ctypes.string_at(found).decode()
    free = ctypes.CDLL(None).free
    free.argtypes = [ctypes.c_void_p]
    free(found)
    return text
