"""The device `onnxruntime`: models run by ONNX Runtime, of the PyPI package onnxruntime."""
