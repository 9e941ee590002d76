"""as_paddle(): programs that import ``paddle.inference`` get ``lite.inference``, unedited."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType, TracebackType
from typing import NoReturn

_NAME = "paddle.inference"
_MISSING = object()


class _Attributes(ModuleType):
    """A module that says what it is where something is missing in it."""

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(
            f"{self.__name__}.{name}: paddlepaddle is not installed, and lite.inference stands in "
            "for paddle.inference only (with is_compiled_with_cuda, get_device and device); the "
            "rest needs paddlepaddle"
        )


class Redirection:
    """What as_paddle() set up; ``undo()``, or the end of a ``with`` block, takes it back."""

    def __init__(self) -> None:
        self._modules: dict[str, object] = {}
        self._attribute: object = None
        self._owner: ModuleType | None = None

    def _begin(self) -> None:
        ours = sys.modules["lite.inference"]
        if "paddle" not in sys.modules and importlib.util.find_spec("paddle") is None:
            self._replace("paddle", _stand_in(ours))
            self._replace("paddle.device", sys.modules["paddle"].device)
        self._replace(_NAME, ours)
        paddle = sys.modules.get("paddle")
        if paddle is not None and not isinstance(paddle, _Attributes):
            self._owner, self._attribute = paddle, vars(paddle).get("inference", _MISSING)
            paddle.inference = ours  # type: ignore[attr-defined]

    def _replace(self, name: str, module: ModuleType) -> None:
        self._modules[name] = sys.modules.get(name, _MISSING)
        sys.modules[name] = module

    def undo(self) -> None:
        """``import paddle.inference`` means Paddle's own again. Twice is fine."""
        for name, module in self._modules.items():
            if isinstance(module, ModuleType):
                sys.modules[name] = module
            else:
                sys.modules.pop(name, None)
        self._modules = {}
        # Where paddle was imported meanwhile, its attribute is ours as well.
        owner = self._owner or sys.modules.get("paddle")
        if owner is not None and vars(owner).get("inference") is sys.modules["lite.inference"]:
            if isinstance(self._attribute, ModuleType):
                owner.inference = self._attribute  # type: ignore[attr-defined]
            elif not isinstance(owner, _Attributes):
                del owner.inference
        self._owner = self._attribute = None

    def __enter__(self) -> Redirection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.undo()


def as_paddle() -> Redirection:
    """From now on ``paddle.inference`` is ``lite.inference`` in this process.

    Where paddle is installed, nothing else of it changes, and it is imported only by who imports
    it. Otherwise there is a minimal ``paddle``: inference, is_compiled_with_cuda, get_device and
    device; whatever else is asked of it is an AttributeError that says so. Returns an object whose
    ``undo()``, or use in a ``with`` statement, ends it.
    """
    redirection = Redirection()
    redirection._begin()
    return redirection


def _stand_in(inference: ModuleType) -> ModuleType:
    """A ``paddle`` with what scripts ask before they make a predictor."""
    paddle = _Attributes("paddle", "lite.inference's stand-in for paddle")
    device = _Attributes("paddle.device", "lite.inference's stand-in for paddle.device")
    for module in (paddle, device):
        module.is_compiled_with_cuda = _no  # type: ignore[attr-defined]
        module.get_device = _cpu  # type: ignore[attr-defined]
    for name in ("rocm", "xpu", "cinn", "ipu", "custom_device", "distribute"):
        setattr(device, f"is_compiled_with_{name}", _no)
    paddle.__path__ = []
    paddle.inference = inference  # type: ignore[attr-defined]
    paddle.device = device  # type: ignore[attr-defined]
    return paddle


def _no(*_: object) -> bool:
    """False: there is nothing but the CPU."""
    return False


def _cpu() -> str:
    """The device that Paddle would name."""
    return "cpu"
