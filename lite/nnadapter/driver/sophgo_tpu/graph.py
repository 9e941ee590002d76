"""What tpu-mlir wants in another form, or gets wrong (`lite device-test`, 1.30.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from lite.nnadapter.driver.onnx import OPERATIONS, Function, Graph
from lite.nnadapter.driver.registrar import registrar

_OWN: dict[str, Function] = {}
operation = registrar(_OWN)


class SophgoGraph(Graph):
    """A model for tpu-mlir."""

    operations: ClassVar[Mapping[str, Function]] = {**OPERATIONS, **_OWN}
    library = "tpu-mlir"
    opset = 19
