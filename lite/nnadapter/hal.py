"""What a HAL written in Python is: a class with `supports`, `build` and `run`.

>>> import numpy as np
>>> import lite.nnadapter as nna
>>> @nna.register("my_npu")
... class MyHal(nna.Hal):
...     def supports(self, op):
...         return op.type == "RELU" or f"my_npu has no {op.type}"
...     def build(self, model):
...         self.count = len(model.operations)
...     def run(self, inputs):
...         return [np.maximum(inputs[0], 0)]

The bridge makes one instance for every question about support and for every program. A guide with
a whole example: docs/hal_python.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from lite.nnadapter.model import Model, Operation
from lite.nnadapter.types import DeviceType

Array = np.ndarray[Any, np.dtype[Any]]


class Hal:
    """The base of a device's programs; deriving from it is a convenience, not a duty.

    Any method may raise; the text reaches the user as a DeviceError.
    """

    #: Shown by NNAdapterDevice_getVendor.
    vendor: ClassVar[str] = "python"
    device_type: ClassVar[DeviceType] = DeviceType.ACCELERATOR
    #: The properties that it reads; a user is warned of others. None: nobody knows.
    keys: ClassVar[tuple[str, ...] | None] = None
    #: What it computes floats in: "fp32", "bf16" or "fp16". Who compares its numbers goes by that.
    precision: ClassVar[str] = "fp32"
    #: Whether it quantises and dequantises what enters and leaves it: subgraphs have float borders.
    float_borders: ClassVar[bool] = False
    #: The context's "key=value;key=value", set before the first call.
    properties: dict[str, str]

    def supports(self, op: Operation) -> bool | str:
        """True, or why this device does not take the operation (False says nothing)."""
        raise NotImplementedError

    def build(self, model: Model) -> None:
        """Compiles a model of operations that `supports` accepted.

        Constants (`operand.value`) are copies and may be kept.
        """
        raise NotImplementedError

    def run(self, inputs: Sequence[Array]) -> Sequence[Array] | Array:
        """The model's outputs for its inputs, both in the model's order.

        Inputs are read-only views of memory that belongs to the caller again when `run` returns:
        copy what must live longer. Outputs must have the operands' dtypes and known dimensions.
        Calls for one program never overlap.
        """
        raise NotImplementedError

    # open(self) may be added: called for every context, it raises where the device cannot be used
    # here, or with these properties. judge(self, operations) may be added, for a device that
    # answers for all operations of a model at once: a list of what `supports` says.
    # save(self) -> bytes and load(self, data) may be added together. Without them the bridge saves
    # the model itself and builds it again.


class InvalidDimensions(ValueError):  # noqa: N818
    """Raised by `run`: the program does not take these shapes, compile again for them."""


class Unsupported(Exception):  # noqa: N818
    """Raised by what converts one operation: why the device does not take it."""


__all__ = ["Hal", "InvalidDimensions", "Unsupported"]
