"""Which function writes which Paddle operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lite.model.onnx.operator import Op

Function = Callable[[Op], Any]

FUNCTIONS: dict[str, Function] = {}
"""By operator type. A function returns the main output's name, a list with one for each of the
output's tensors, or a dict of these by output slot."""


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
