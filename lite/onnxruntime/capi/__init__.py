"""The place from which programs import ONNX Runtime's errors."""
