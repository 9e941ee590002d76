"""Functions of the package: most have nothing to set here."""

from __future__ import annotations

from typing import Any

__version__ = "1.23.0"
"""The release of ONNX Runtime whose API this is: programs compare it."""


PROVIDER = "CPUExecutionProvider"


def get_available_providers() -> list[str]:
    """The CPU's provider: devices are chosen by the session's ``devices``."""
    return [PROVIDER]


get_all_providers = get_available_providers


def get_device() -> str:
    """What ONNX Runtime says of a build without accelerators."""
    return "CPU"


def set_default_logger_severity(severity: int) -> None:
    """Nothing: this engine says what it has to say through Python's logging and warnings."""


def set_default_logger_verbosity(verbosity: int) -> None:
    """Nothing, as for the severity."""


def set_global_thread_pool_sizes(*_: int, **__: int) -> None:
    """Nothing: each session has the threads of its options."""


def set_seed(seed: int) -> None:
    """Nothing: no operator that is read draws numbers."""


def get_version_string() -> str:
    """The release whose API this is."""
    return __version__


def get_build_info() -> str:
    """What this is."""
    return "lite.onnxruntime"


def disable_telemetry_events() -> None:
    """Nothing: there are none."""


enable_telemetry_events = disable_telemetry_events


def preload_dlls(*_: Any, **__: Any) -> None:
    """Nothing: no library of an accelerator is needed."""
