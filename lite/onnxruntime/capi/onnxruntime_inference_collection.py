"""Where ONNX Runtime's session is at home."""

from __future__ import annotations

from lite.onnxruntime.binding import IOBinding
from lite.onnxruntime.session import InferenceSession
from lite.onnxruntime.values import OrtValue

Session = InferenceSession

__all__ = ["IOBinding", "InferenceSession", "OrtValue", "Session"]
