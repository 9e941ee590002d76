"""What an operator cannot say in ONNX."""

from __future__ import annotations


class CannotExport(Exception):  # noqa: N818
    """This operator, with these attributes, cannot be said in ONNX; the text is why."""


class NeedsOpset(Exception):  # noqa: N818
    """The model must be written again for a later operator set."""

    def __init__(self, opset: int) -> None:
        super().__init__(f"operator set {opset}")
        self.opset = opset
