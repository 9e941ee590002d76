"""Errors with the class that Paddle Inference's clients catch, which are LiteErrors as well."""

from __future__ import annotations

from lite.errors import ConfigError, LiteError, ModelFormatError


class ArgumentError(LiteError, TypeError):
    """An argument has another type than the method takes."""


class ArgumentValueError(LiteError, ValueError):
    """An argument has the right type and a value that makes no sense."""


class ConfigValueError(ConfigError, ValueError):
    """A configuration that Paddle Inference refuses with a ValueError."""


class ModelFileError(FileNotFoundError, ModelFormatError):
    """A model file that is not there: a RuntimeError in Paddle Inference."""


__all__ = ["ArgumentError", "ArgumentValueError", "ConfigValueError", "ModelFileError"]
