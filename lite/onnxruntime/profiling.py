"""What ``SessionOptions.enable_profiling`` records: times of operators, in ONNX Runtime's file."""

from __future__ import annotations

import json
import os
import time
from typing import Any

from lite.api.profile import Profile
from lite.onnxruntime.module import PROVIDER

_MOST = 1_000_000
"""Events that are kept, as many as ONNX Runtime's."""


class Profiler:
    """The events of a session's runs until ``end``."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self.start_ns = time.perf_counter_ns()
        self._events: list[dict[str, Any]] = []

    def add(self, profile: Profile, start_ns: int) -> None:
        """One run, which began then."""
        if len(self._events) + len(profile.events) > _MOST:
            return
        since = (start_ns - self.start_ns) // 1000
        for event in profile.events:
            taken = {
                "ph": "X",
                "pid": os.getpid(),
                "tid": 1,
                "ts": since + event.start_ns // 1000,
                "dur": (event.end_ns - event.start_ns) // 1000,
            }
            if event.operator is None:
                self._events.append({"cat": "Session", "name": "model_run", **taken, "args": {}})
                continue
            op = profile.operators[event.operator]
            args = {"op_name": op.label, "provider": PROVIDER, "kernel": op.kernel}
            name = f"{op.where or op.label}_kernel_time"
            self._events.append({"cat": "Node", "name": name, **taken, "args": args})

    def end(self) -> str:
        """Writes the file and returns its name. Raises OSError."""
        path = f"{self._prefix}_{time.strftime('%Y-%m-%d_%H-%M-%S')}.json"
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self._events, file)
        return path
