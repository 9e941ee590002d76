"""A Program as an ONNX model, written with protobuf alone."""

from lite.model.onnx.export import DEFAULT_OPSET, OPSETS, export_model, exporters
from lite.model.onnx.files import write_onnx
from lite.model.onnx.subgraphs import write_subgraphs

__all__ = ["DEFAULT_OPSET", "OPSETS", "export_model", "exporters", "write_onnx", "write_subgraphs"]
