"""Boxes of object detectors."""

from __future__ import annotations

from typing import Any

from lite.nnadapter.driver.onnxruntime.graph import Emitter, operation
from lite.nnadapter.driver.python.ops_detection import prior_boxes


@operation("PRIOR_BOX")
def prior_box(c: Emitter) -> Any:
    """The boxes follow from the sizes alone: they become constants."""
    return [c.constant(result) for result in prior_boxes(c.op)]
