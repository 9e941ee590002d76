"""ONNX Runtime's Python API over this engine: ``from lite.onnxruntime import InferenceSession``.

A program changes one import line, or none with ``python -m lite.onnxruntime script.py``;
docs/onnx.md says what is there and what is different.
"""

from __future__ import annotations

from lite.onnxruntime.options import (
    ExecutionMode,
    ExecutionOrder,
    GraphOptimizationLevel,
    RunOptions,
    SessionOptions,
)
from lite.onnxruntime.redirect import as_onnxruntime
from lite.onnxruntime.session import InferenceSession, ModelMetadata, NodeArg
from lite.onnxruntime.values import IOBinding, OrtValue

__version__ = "1.23.0"
"""The release of ONNX Runtime whose API this is: programs compare it."""

__all__ = [
    "ExecutionMode",
    "ExecutionOrder",
    "GraphOptimizationLevel",
    "IOBinding",
    "InferenceSession",
    "ModelMetadata",
    "NodeArg",
    "OrtValue",
    "RunOptions",
    "SessionOptions",
    "as_onnxruntime",
    "get_all_providers",
    "get_available_providers",
    "get_device",
    "set_default_logger_severity",
    "set_default_logger_verbosity",
    "set_seed",
]


def get_available_providers() -> list[str]:
    """The CPU's provider: devices are chosen by the session's ``devices``."""
    return ["CPUExecutionProvider"]


get_all_providers = get_available_providers


def get_device() -> str:
    """What ONNX Runtime says of a build without accelerators."""
    return "CPU"


def set_default_logger_severity(severity: int) -> None:
    """Nothing: this engine says what it has to say through Python's logging and warnings."""


def set_default_logger_verbosity(verbosity: int) -> None:
    """Nothing, as for the severity."""


def set_seed(seed: int) -> None:
    """Nothing: no operator that is read draws numbers."""
