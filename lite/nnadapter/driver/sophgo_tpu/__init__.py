"""Sophgo's TPUs by tpu-mlir."""
