"""The one error that the demo raises by itself."""

from __future__ import annotations


class DemoError(RuntimeError):
    """Something outside the framework is missing or damaged: network, font, picture, cache."""
