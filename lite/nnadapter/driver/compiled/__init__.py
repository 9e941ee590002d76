"""What devices over a vendor's compiler share.

The compiler takes ONNX of fixed shapes, and is asked about many operations at once: a question to
it costs a compilation. One that cannot live in the user's process is a toolkit, in its own.
"""

from lite.nnadapter.driver.compiled.hal import CompiledHal, Limits
from lite.nnadapter.driver.compiled.toolkit import Toolkit
from lite.nnadapter.driver.compiled.toolkit_hal import ToolkitHal

__all__ = ["CompiledHal", "Limits", "Toolkit", "ToolkitHal"]
