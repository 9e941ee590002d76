"""Which function writes which Paddle operator, and what an operator cannot say in ONNX."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lite.model.onnx.operator import Op

Function = Callable[["Op"], Any]

FUNCTIONS: dict[str, Function] = {}
"""By operator type. A function returns the main output's name, a list with one for each of the
output's tensors, or a dict of these by output slot."""


class CannotExport(Exception):  # noqa: N818
    """This operator, with these attributes, cannot be said in ONNX; the text is why."""


class NeedsOpset(Exception):  # noqa: N818
    """The model must be written again for a later operator set."""

    def __init__(self, opset: int) -> None:
        super().__init__(f"operator set {opset}")
        self.opset = opset


def operator(*types: str, opset: int = 0) -> Callable[[Function], Function]:
    """Enters a function for some operator types, which need an operator set at least."""

    def add(function: Function) -> Function:
        def run(op: Op) -> Any:
            op.need_opset(opset)
            return function(op)

        for name in types:
            assert name not in FUNCTIONS, name
            FUNCTIONS[name] = run if opset else function
        return function

    return add
