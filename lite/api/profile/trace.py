"""A profile's events as a trace of Chrome's and Perfetto's format."""

from __future__ import annotations

import json
from typing import Any

from lite.api.profile.data import Event, ProfileData
from lite.api.profile.table import label, shapes


def trace(profile: ProfileData) -> str:
    """One JSON object; times are microseconds."""
    named = {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "lite"}}
    events = [named, *(_event(profile, event) for event in profile.events)]
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ms"}) + "\n"


def _event(profile: ProfileData, event: Event) -> dict[str, Any]:
    common = {
        "ph": "X",
        "pid": 1,
        "tid": 1,
        "ts": event.start_ns / 1e3,
        "dur": (event.end_ns - event.start_ns) / 1e3,
    }
    if event.operator is None:
        return {"name": f"run {event.run}", "cat": "run", **common}
    op = profile.operators[event.operator]
    said = {"where": op.where, "kernel": op.kernel, "reason": op.reason, "shapes": shapes(op)}
    return {
        "name": label(op),
        "cat": op.kind,
        **common,
        "args": {name: text for name, text in said.items() if text},
    }
