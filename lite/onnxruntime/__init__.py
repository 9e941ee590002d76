"""ONNX Runtime's Python API over this engine: ``from lite.onnxruntime import InferenceSession``.

A program changes one import line, or none with ``python -m lite.onnxruntime script.py``;
docs/onnx.md says what is there and what is different.
"""

from __future__ import annotations

from lite.onnxruntime import capi
from lite.onnxruntime.binding import IOBinding
from lite.onnxruntime.module import (
    __version__,
    disable_telemetry_events,
    enable_telemetry_events,
    get_all_providers,
    get_available_providers,
    get_build_info,
    get_device,
    get_version_string,
    preload_dlls,
    set_default_logger_severity,
    set_default_logger_verbosity,
    set_global_thread_pool_sizes,
    set_seed,
)
from lite.onnxruntime.options import (
    ExecutionMode,
    ExecutionOrder,
    GraphOptimizationLevel,
    RunOptions,
    SessionOptions,
)
from lite.onnxruntime.redirect import as_onnxruntime
from lite.onnxruntime.session import InferenceSession, ModelMetadata, NodeArg
from lite.onnxruntime.values import OrtValue

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
    "__version__",
    "as_onnxruntime",
    "capi",
    "disable_telemetry_events",
    "enable_telemetry_events",
    "get_all_providers",
    "get_available_providers",
    "get_build_info",
    "get_device",
    "get_version_string",
    "preload_dlls",
    "set_default_logger_severity",
    "set_default_logger_verbosity",
    "set_global_thread_pool_sizes",
    "set_seed",
]
