"""A Program as an ONNX model, written with protobuf alone."""

from lite.model.onnx.export import DEFAULT_OPSET, OPSETS, export_model, operators
from lite.model.onnx.files import write_onnx

__all__ = ["DEFAULT_OPSET", "OPSETS", "export_model", "operators", "write_onnx"]
