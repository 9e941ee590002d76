"""What ONNX Runtime wants in another form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from lite.nnadapter.driver.onnx import OPERATIONS, Emitter, Function, Graph
from lite.nnadapter.driver.registrar import registrar

_OWN: dict[str, Function] = {}
operation = registrar(_OWN)


@operation("SIGMOID", "SWISH")
def sigmoid(c: Emitter) -> Any:
    """From Exp: ONNX Runtime's Sigmoid has an absolute error, large beside a small result."""
    c.need_float("input")
    one = c.constant(1, c.dtype("input"))
    below = c.node("Add", [one, c.node("Exp", [c.node("Neg", [c["input"]])])])
    return c.node("Div", [one if c.type == "SIGMOID" else c["input"], below])


class OnnxRuntimeGraph(Graph):
    """A model for ONNX Runtime."""

    operations: ClassVar[Mapping[str, Function]] = {**OPERATIONS, **_OWN}
    library = "ONNX Runtime"
