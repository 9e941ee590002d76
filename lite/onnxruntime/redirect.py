"""as_onnxruntime(): programs that import ``onnxruntime`` get ``lite.onnxruntime``, unedited."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from types import ModuleType, TracebackType

from lite.onnxruntime import capi

_CAPI = (f"onnxruntime.capi.{module.name}" for module in pkgutil.iter_modules(capi.__path__))
_MODULES = {name: f"lite.{name}" for name in ("onnxruntime", "onnxruntime.capi", *_CAPI)}


class Redirection:
    """What as_onnxruntime() set up; ``undo()``, or the end of a ``with`` block, takes it back."""

    def __init__(self) -> None:
        self._before: dict[str, ModuleType | None] = {}

    def undo(self) -> None:
        """``import onnxruntime`` means ONNX Runtime's own again. Twice is fine."""
        for name, module in self._before.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module
        self._before = {}

    def __enter__(self) -> Redirection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.undo()


def as_onnxruntime() -> Redirection:
    """From now on ``onnxruntime`` is ``lite.onnxruntime`` in this process.

    Returns an object whose ``undo()``, or use in a ``with`` statement, ends it.
    """
    redirection = Redirection()
    for name, ours in _MODULES.items():
        redirection._before[name] = sys.modules.get(name)
        sys.modules[name] = importlib.import_module(ours)
    return redirection
