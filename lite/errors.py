"""Every error that the framework raises, in Python and (by name) in C++.

A message says what went wrong, where (file and offset, block, operator, variable), what was
expected and what to do. Wrong Python arguments raise TypeError, ValueError, IndexError or
KeyError as usual; a missing file raises FileNotFoundError.
"""

from __future__ import annotations

from typing import Any


class LiteError(RuntimeError):
    """The base of all errors of this framework."""


class ModelFormatError(LiteError):
    """A model file, or bytes given as a model, are not what their format demands."""


class UnsupportedOperatorError(LiteError):
    """The program uses operators that no kernel here implements; all are listed with counts."""


class ShapeError(LiteError, ValueError):
    """A tensor's shape does not fit the operator or the model."""


class DataTypeError(LiteError, ValueError):
    """A tensor's element type does not fit the operator or the model."""


class ConfigError(LiteError):
    """A configuration asks for something unknown, contradictory or not available here."""


class CancelledError(LiteError):
    """``cancel()`` was called while the predictor ran; it stopped between two operators."""


class DeviceError(LiteError):
    """An accelerator or its driver failed, or refuses what it must run.

    ``placement`` is the report (``lite.core.partition.Placement``) where there is one.
    """

    placement: Any = None


__all__ = [
    "CancelledError",
    "ConfigError",
    "DataTypeError",
    "DeviceError",
    "LiteError",
    "ModelFormatError",
    "ShapeError",
    "UnsupportedOperatorError",
]
