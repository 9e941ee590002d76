"""Names that programs take from here rather than from the package."""

from __future__ import annotations

from lite.onnxruntime.capi.onnxruntime_pybind11_state import *  # noqa: F403
from lite.onnxruntime.module import (
    get_all_providers,
    get_available_providers,
    get_device,
    get_version_string,
)
from lite.onnxruntime.options import (
    ExecutionMode,
    ExecutionOrder,
    GraphOptimizationLevel,
    RunOptions,
    SessionOptions,
)
from lite.onnxruntime.session import ModelMetadata, NodeArg
from lite.onnxruntime.values import OrtValue

__all__ = [
    "ExecutionMode",
    "ExecutionOrder",
    "GraphOptimizationLevel",
    "ModelMetadata",
    "NodeArg",
    "OrtValue",
    "RunOptions",
    "SessionOptions",
    "get_all_providers",
    "get_available_providers",
    "get_device",
    "get_version_string",
]
