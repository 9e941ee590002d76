"""ONNX files as Programs: a table says what each operator is here, functions say the rest."""

from lite.model.onnx.reader.read import Given, read_onnx

__all__ = ["Given", "read_onnx"]
