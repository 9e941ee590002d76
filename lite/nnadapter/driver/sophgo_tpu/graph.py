"""What tpu-mlir gets wrong (`lite device-test`, 1.30.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from lite.nnadapter.driver.attributes import image_size
from lite.nnadapter.driver.onnx import OPERATIONS, Emitter, Function, Graph
from lite.nnadapter.driver.registrar import registrar
from lite.nnadapter.hal import Unsupported

_OWN: dict[str, Function] = {}
operation = registrar(_OWN)


@operation("ASSIGN")
def assign(c: Emitter) -> Any:
    """Two outputs that are the same become one."""
    raise Unsupported("tpu-mlir gives one of two outputs that are equal")


@operation("AVERAGE_POOL_2D")
def average_pool_2d(c: Emitter) -> Any:
    """It divides by what it likes where a window sticks out."""
    win = c.window(c.numbers("kernel_shape"))
    size = image_size(c.op["input"])
    if c.number("ceil_mode", False) and any(win.overhang(size[axis], axis) for axis in (0, 1)):
        raise Unsupported("tpu-mlir averages wrongly in windows beyond the edge (ceil_mode)")
    return OPERATIONS["AVERAGE_POOL_2D"](c)


@operation("PRELU")
def prelu(c: Emitter) -> Any:
    """One slope, or one for each channel, which are known."""
    slope = c.op["slope"]
    channels = c.shape("input")[1] if c.rank("input") > 1 else 1
    if not slope.is_constant or slope.shape not in ((1,), (channels,)):
        raise Unsupported("tpu-mlir has PRELU with one known slope, or one for each channel")
    return OPERATIONS["PRELU"](c)


@operation("RESIZE_NEAREST")
def resize_nearest(c: Emitter) -> Any:
    """A result of one element is another one's."""
    if 1 in c.op.output.shape[2:]:
        raise Unsupported("tpu-mlir resizes wrongly to one row or column")
    return OPERATIONS["RESIZE_NEAREST"](c)


class SophgoGraph(Graph):
    """A model for tpu-mlir."""

    operations: ClassVar[Mapping[str, Function]] = {**OPERATIONS, **_OWN}
    library = "tpu-mlir"
    opset = 19
