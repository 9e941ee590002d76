"""Models in NNAdapter's operations written as ONNX, for whoever reads it."""

from __future__ import annotations

from lite.nnadapter.driver.onnx import (  # noqa: F401 - fill the table
    ops_detection,
    ops_elementwise,
    ops_image,
    ops_normalization,
    ops_shape,
    ops_window,
)
from lite.nnadapter.driver.onnx.graph import OPERATIONS, Emitter, Function, Graph

__all__ = ["OPERATIONS", "Emitter", "Function", "Graph"]
