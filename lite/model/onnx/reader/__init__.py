"""ONNX files as Programs: a table says what each operator is here, functions say the rest."""

from lite.model.onnx.reader.read import read_onnx

__all__ = ["read_onnx"]
