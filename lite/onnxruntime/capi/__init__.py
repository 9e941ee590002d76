"""The place from which programs import ONNX Runtime's errors."""

from __future__ import annotations

from lite.onnxruntime.capi import onnxruntime_pybind11_state

__all__ = ["onnxruntime_pybind11_state"]
