"""ONNX Runtime's errors by the names that programs catch: each is one of this framework's."""

from __future__ import annotations

from lite.errors import (
    LiteError,
    ModelFormatError,
    UnsupportedOperatorError,
)

Fail = RuntimeException = EPFail = EngineError = LiteError
NoSuchFile = FileNotFoundError
InvalidGraph = InvalidProtobuf = ModelFormatError
NotImplemented = UnsupportedOperatorError
InvalidArgument = ValueError

__all__ = [
    "EPFail",
    "EngineError",
    "Fail",
    "InvalidArgument",
    "InvalidGraph",
    "InvalidProtobuf",
    "NoSuchFile",
    "NotImplemented",
    "RuntimeException",
]
