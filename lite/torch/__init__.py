"""PyTorch in front of the engine: torch.compile, torch.export, eager. See docs/torch.md.

Nothing here is imported by ``import lite``; it needs torch (the extra ``torch``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lite.torch.compile import backend as backend
    from lite.torch.compile import explain as explain
    from lite.torch.eager import mode as mode
    from lite.torch.eager import register as register
    from lite.torch.exported import export as export
    from lite.torch.exported import to_program as to_program

_HOMES = {
    "backend": "compile",
    "explain": "compile",
    "export": "exported",
    "mode": "eager",
    "register": "eager",
    "to_program": "exported",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"lite.torch.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'lite.torch' has no attribute {name!r}")
