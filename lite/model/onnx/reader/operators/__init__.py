"""What operators of ONNX are here, where the table cannot say it; by family."""
