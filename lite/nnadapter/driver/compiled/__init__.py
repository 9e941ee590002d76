"""What devices over a vendor's compiler share.

The compiler takes ONNX of fixed shapes, and is asked about many operations at once: a question to
it costs a compilation.
"""

from lite.nnadapter.driver.compiled.hal import CompiledHal, Limits

__all__ = ["CompiledHal", "Limits"]
