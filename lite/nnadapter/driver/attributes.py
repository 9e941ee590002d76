"""Constants of operations that several devices read in the same way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lite.nnadapter.hal import Unsupported
from lite.nnadapter.model import Array, Operand, Operation, Shape
from lite.nnadapter.types import AutoPad, PadMode

INT_MAX = 2**31 - 1

PAD_NAMES = {0: "constant", 1: "constant", 2: "reflect", 3: "edge", 4: "edge"}
"""What ONNX and OpenVINO call the PadMode of PAD."""

GRID_PAD_NAMES = {
    PadMode.NONE: "zeros",
    PadMode.CONSTANT: "zeros",
    PadMode.REFLECT: "reflection",
    PadMode.REPLICATE: "border",
    PadMode.EDGE: "border",
}
"""What they call the PadMode of GRID_SAMPLE."""


@dataclass(frozen=True)
class Window:
    """How a kernel slides: one number an axis (height, width), pads as (begin, end) an axis."""

    kernel: tuple[int, int]
    strides: tuple[int, int]
    dilations: tuple[int, int]
    pads: tuple[tuple[int, int], tuple[int, int]]

    def extent(self, axis: int) -> int:
        """What the dilated kernel covers."""
        return (self.kernel[axis] - 1) * self.dilations[axis] + 1

    def out_size(self, size: int, axis: int, ceil_mode: bool = False) -> int:
        """How many windows an axis has."""
        span = size + sum(self.pads[axis]) - self.extent(axis)
        steps = math.ceil(span / self.strides[axis]) if ceil_mode else span // self.strides[axis]
        return steps + 1

    def overhang(self, size: int | None, axis: int) -> int:
        """How far the last window of ceil_mode reaches beyond the padded edge."""
        if size is None:
            raise Unsupported("ceil_mode needs a size that is known before the model runs")
        covered = (self.out_size(size, axis, True) - 1) * self.strides[axis] + self.extent(axis)
        return max(covered - size - sum(self.pads[axis]), 0)


def make_window(
    kernel: Sequence[int], size: Sequence[int | None], auto_pad: int, pads: Sequence[int],
    strides: Sequence[int], dilations: Sequence[int],
) -> Window:  # fmt: skip
    """A window over an image of `size` (height, width).

    AUTO_PAD_SAME resets dilations to 1, as Paddle does, and needs a known size.
    """
    steps, rates = _pair("strides", strides), _pair("dilations", dilations)
    flat = list(pads) or [0, 0, 0, 0]
    if len(flat) == 2:
        flat = [flat[0], flat[0], flat[1], flat[1]]
    if len(flat) != 4:
        raise Unsupported(f"pads has {len(flat)} numbers; 4 are expected")
    sides = (flat[0], flat[1]), (flat[2], flat[3])
    if auto_pad == AutoPad.VALID:
        sides = (0, 0), (0, 0)
    elif auto_pad == AutoPad.SAME:
        rates = (1, 1)
        if size[0] is None or size[1] is None:
            raise Unsupported("the paddings of AUTO_PAD_SAME depend on a size that is not known")
        sides = tuple(  # type: ignore[assignment]
            same_padding(extent, k, s) for extent, k, s in zip(size, kernel, steps, strict=True)
        )
    return Window((kernel[0], kernel[1]), steps, rates, sides)


def window(op: Operation, kernel: Sequence[int], size: Sequence[int | None]) -> Window:
    """The window of a convolution or pooling over an image of `size` (height, width)."""
    lists = [op.numbers(name) for name in ("pads", "strides", "dilations")]
    return make_window(kernel, size, int(op.number("auto_pad", 0)), *lists)


def same_padding(size: int | None, kernel: int, stride: int) -> tuple[int, int]:
    """Paddings with which an axis has ceil(size / stride) windows."""
    assert size is not None
    total = max((math.ceil(size / stride) - 1) * stride + kernel - size, 0)
    return total // 2, total - total // 2


def _pair(name: str, values: Sequence[int]) -> tuple[int, int]:
    pair = [*(values or (1,))] * (2 if len(values) < 2 else 1)
    if len(pair) != 2 or min(pair) < 1:
        raise Unsupported(f"{name} is {values}; two positive numbers are expected")
    return pair[0], pair[1]


def image_size(operand: Operand) -> tuple[int | None, int | None]:
    """Height and width of an NCHW operand."""
    if len(operand.shape) != 4:
        raise Unsupported(f"{operand} is not of rank 4")
    return operand.shape[2], operand.shape[3]


def known(shape: Shape) -> tuple[int, ...]:
    """A shape without unknown dimensions."""
    if any(dim is None for dim in shape):
        raise Unsupported("a dimension is not known before the model runs")
    return tuple(dim for dim in shape if dim is not None)


def axis_of(op: Operation, rank: int, name: str = "axis", default: int | None = None) -> int:
    """An axis in [0, rank)."""
    axis = int(op.number(name, default))
    if not -rank <= axis < rank:
        raise Unsupported(f"{name} {axis} is outside of rank {rank}")
    return axis % rank if rank else 0


def axes_of(op: Operation, rank: int, name: str = "axes") -> list[int]:
    """A list of axes in [0, rank), sorted; empty where it is absent."""
    axes = op.numbers(name)
    if any(not -rank <= axis < rank for axis in axes):
        raise Unsupported(f"{name} {axes} are outside of rank {rank}")
    return sorted({axis % rank for axis in axes})


def shape_numbers(operand: Operand) -> list[int] | None:
    """The numbers of a shape where all are known before the model runs, else None."""
    if 0 in operand.shape:
        return []
    if operand.is_constant:
        return [int(v) for v in operand.value.reshape(-1)]
    values = operand.shape_values
    if values is None or any(value is None for value in values):
        return None
    return [int(value) for value in values if value is not None]


def resize_ratios(op: Operation) -> tuple[list[int] | None, list[float] | None]:
    """(target sizes, or None; scales, or None) of RESIZE_*; the first that is given counts.

    By sizes, positions go in steps of input / output; by scales, of 1 / scale.
    """
    shape = op.get("shape")
    if shape is not None and 0 not in shape.shape:
        return shape_numbers(shape), None
    scales = [float(scale) for scale in op.numbers("scales")]
    spatial = len(op["input"].shape) - 2
    if len(scales) == 1:
        scales *= spatial
    if len(scales) != spatial or min(scales) <= 0:
        raise Unsupported(f"scales {scales} do not fit an input of rank {spatial + 2}")
    return None, scales


def resize_position(op: Operation) -> str:
    """ONNX's and OpenVINO's coordinate_transformation_mode of RESIZE_*; some sizes are refused."""
    linear = op.type == "RESIZE_LINEAR"
    if linear and 1 in op.output.shape[2:]:
        raise Unsupported("a size of 1 is the first element by definition, here it is the middle")
    if op.number("align_corners", False):
        return "align_corners"
    return "half_pixel" if linear and op.number("align_mode", 1) == 0 else "asymmetric"


def transpose_padding(op: Operation, win: Window) -> list[int]:
    """What CONV_2D_TRANSPOSE adds at the end, so that output_shape comes out where it is given."""
    wanted = op.get("output_shape")
    if wanted is None or 0 in wanted.shape:
        return [int(v) for v in op.numbers("output_padding", (0, 0))]
    size, target = image_size(op["input"]), shape_numbers(wanted)
    if target is None or size[0] is None or size[1] is None:
        raise Unsupported("output_shape needs sizes that are known before the model runs")
    extra = [
        int(target[i]) - ((int(s or 0) - 1) * win.strides[i] + win.extent(i) - sum(win.pads[i]))
        for i, s in enumerate(size)
    ]
    if any(not 0 <= e < win.strides[i] for i, e in enumerate(extra)):
        raise Unsupported(f"output_shape {target} is out of what the strides allow")
    return extra


def squeezed_axes(op: Operation) -> list[int]:
    """The axes that SQUEEZE removes; they must be known to have extent 1 or not."""
    shape = op["input"].shape
    axes = axes_of(op, len(shape)) or [i for i, dim in enumerate(shape) if dim == 1]
    if any(shape[axis] is None for axis in axes) or (None in shape and not op.numbers("axes")):
        raise Unsupported("which axes have extent 1 is not known before the model runs")
    return [axis for axis in axes if shape[axis] == 1]


def channel_scales(operand: Operand) -> Array:
    """A quantised operand's scales, float32, in a shape that broadcasts over it."""
    quant = operand.type.quantisation
    assert quant is not None
    shape = [1] * len(operand.shape)
    if quant.channel_axis is not None:
        shape[quant.channel_axis] = len(quant.scales)
    return np.asarray(quant.scales, np.float32).reshape(shape)


def quantised_limits(operand: Operand) -> tuple[float, float]:
    """The least and the largest number that a quantised result is stored as."""
    quant, info = operand.type.quantisation, np.iinfo(operand.dtype)
    assert quant is not None
    if info.max > 2**24:
        raise Unsupported(f"{operand}: a result of 32 bits cannot be quantised in float32")
    low = -info.max if quant.zero_point == 0 and info.min < 0 else info.min
    return float(low), float(info.max)
