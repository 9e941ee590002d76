"""Estimates of spatial dimensions, which the optimizer leaves open, for reports and costs."""

from __future__ import annotations

from collections.abc import Callable

from lite.core.optimizer.graph import Node, Shape
from lite.core.optimizer.infer import infer_node


def estimate_node(node: Node) -> None:
    """Sets dtype and shape of an operator's outputs, spatial dimensions included."""
    infer_node(node)
    rule = _RULES.get(node.type) or (_interp if "_interp" in node.type else None)
    source = node.input("Input") or node.input("X")
    out = node.output("Output") or node.output("Out")
    if rule is None or source is None or out is None:
        return
    before, after = source.shape, out.shape
    if before is None or after is None or len(before) != len(after) or len(before) < 3:
        return
    dims = [
        known if known is not None else None if size is None else rule(node, axis, size)
        for axis, (size, known) in enumerate(zip(before[2:], after[2:], strict=True))
    ]
    out.shape = (*after[:2], *(dim if dim is not None and dim > 0 else None for dim in dims))


def _item(values: list[int], axis: int, default: int) -> int:
    if not values:
        return default
    return values[axis] if axis < len(values) else values[-1]


def _pads(node: Node, axis: int) -> int:
    """Both paddings of an axis together."""
    pads = node.integers("paddings", [0])
    if len(pads) > 2 * axis + 1 and len(pads) >= 4:
        return pads[2 * axis] + pads[2 * axis + 1]
    return 2 * _item(pads, axis, 0)


def _window(node: Node, size: int, kernel: int, axis: int, dilation: int) -> int:
    stride = max(_item(node.integers("strides", [1]), axis, 1), 1)
    algorithm = node.string("padding_algorithm", "EXPLICIT")
    if algorithm == "SAME":
        return -(-size // stride)
    reach = dilation * (kernel - 1) + 1
    room = size + (0 if algorithm == "VALID" else _pads(node, axis)) - reach
    if node.flag("ceil_mode"):
        return -(-room // stride) + 1
    return room // stride + 1


def _kernel(node: Node, axis: int) -> int | None:
    weight = node.input("Filter")
    shape: Shape = weight.shape if weight is not None and weight.shape is not None else ()
    return shape[2 + axis] if len(shape) > 2 + axis else None


def _conv(node: Node, axis: int, size: int) -> int | None:
    kernel = _kernel(node, axis)
    if kernel is None:
        return None
    return _window(node, size, kernel, axis, _item(node.integers("dilations", [1]), axis, 1))


def _transposed(node: Node, axis: int, size: int) -> int | None:
    kernel = _kernel(node, axis)
    given = node.integers("output_size")
    if given:
        return _item(given, axis, 0)
    if kernel is None:
        return None
    stride = _item(node.integers("strides", [1]), axis, 1)
    dilation = _item(node.integers("dilations", [1]), axis, 1)
    extra = _item(node.integers("output_padding"), axis, 0)
    return (size - 1) * stride - _pads(node, axis) + dilation * (kernel - 1) + 1 + extra


def _pool(node: Node, axis: int, size: int) -> int | None:
    return _window(node, size, _item(node.integers("ksize"), axis, 1), axis, 1)


def _interp(node: Node, axis: int, size: int) -> int | None:
    value = node.attr("scale")
    listed = value if isinstance(value, list) else [value]
    scale = listed[min(axis, len(listed) - 1)] if listed else None
    if isinstance(scale, float | int) and 0 < scale < 1e4:
        return int(size * scale)
    given = node.attr(("out_h", "out_w")[axis]) if axis < 2 else None
    return given if isinstance(given, int) else None


_RULES: dict[str, Callable[[Node, int, int], int | None]] = {
    "conv2d": _conv,
    "depthwise_conv2d": _conv,
    "conv3d": _conv,
    "conv2d_transpose": _transposed,
    "depthwise_conv2d_transpose": _transposed,
    "pool2d": _pool,
    "pool3d": _pool,
    "max_pool2d_with_index": _pool,
}
