"""Serving with engines that exist: MLServer (KServe v2) and Triton's python backend.

``lite serve MODEL...`` does it all; ``lite.serving.LiteModel`` is the runtime that a
model-settings.json names. See docs/serving.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lite.api.serving_options import Options

if TYPE_CHECKING:
    from lite.serving.mlserver_model import LiteModel

__all__ = ["LiteModel", "Options"]


def __getattr__(name: str) -> Any:
    if name == "LiteModel":  # Triton's images have no mlserver
        from lite.serving.mlserver_model import LiteModel

        return LiteModel
    raise AttributeError(f"module 'lite.serving' has no attribute {name!r}")
