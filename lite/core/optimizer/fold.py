"""Numbers that the passes fold: per-channel vectors, filters, biases.

Computed in float64 and rounded once to the parameter's own type. Each function refuses (None)
whatever is not certainly the same function of the input.
"""

from __future__ import annotations

import numpy as np

from lite.core.optimizer.broadcasting import aligned_shape
from lite.core.optimizer.build import is_test_batch_norm
from lite.core.optimizer.graph import Node, Value
from lite.model.params import empty_aligned
from lite.model.program import DataType

CONVS = "conv2d/depthwise_conv2d/conv2d_transpose/conv3d/conv3d_transpose"
"""The convolutions that take a Bias, as a pattern says it."""

MAX_NEW_CONSTANT = 1 << 20
"""Bytes that a new constant may have beyond those of what it is made from."""


def is_float(value: Value) -> bool:
    """Whether a parameter is of a type in which folding is exact enough."""
    return value.array is not None and value.array.dtype in (np.float32, np.float64)


def is_quantized(node: Node) -> bool:
    """Whether an operator carries quantisation scales, which folding would falsify."""
    if node.flag("enable_int8") or node.attr("quantization_type"):
        return True
    return any(
        name in ("Input0_scale", "Output0_scale") or name.endswith("_quant_scale")
        for name in node.attrs
    )


def has_activation(node: Node) -> bool:
    """Whether an operator applies an activation to its result already."""
    return (
        node.flag("with_act")
        or node.flag("fuse_relu")
        or bool(node.string("fuse_activation"))
        or bool(node.string("activation_type"))
    )


def is_nchw_conv(node: Node, filter: Value) -> bool:
    """A convolution, channels first, whose result is of its input and filter alone."""
    return (
        filter.rank == (5 if node.type.startswith("conv3d") else 4)
        and node.string("data_format", "NCHW") in ("NCHW", "NCDHW", "AnyLayout", "")
        and not node.flag("fuse_residual_connection")
    )


def is_float_conv(node: Node, filter: Value) -> bool:
    """An NCHW convolution in floating point, with or without an activation."""
    return is_float(filter) and is_nchw_conv(node, filter) and not is_quantized(node)


def is_linear_conv(node: Node, filter: Value) -> bool:
    """An NCHW convolution in floating point whose output has no activation yet."""
    return is_float_conv(node, filter) and not has_activation(node)


def groups_of(node: Node) -> int:
    """Into how many groups a convolution divides its channels."""
    return max(node.integer("groups", 1), 1)


def out_channels(node: Node, filter: np.ndarray) -> int:
    """The number of output channels of a convolution."""
    if "transpose" in node.type:
        return int(filter.shape[1]) * groups_of(node)
    return int(filter.shape[0])


def channel_vector(
    operand: Value, rank: int, axis: int, channel_axis: int, channels: int
) -> np.ndarray | None:
    """An elementwise operand as one float64 number per channel, [channels].

    None where the operand varies along another dimension, or would enlarge the other operand.
    """
    if not is_float(operand) or operand.array is None:
        return None
    shape = aligned_shape(operand.array.shape, rank, axis)
    if shape is None or any(d != 1 for i, d in enumerate(shape) if i != channel_axis):
        return None
    if shape[channel_axis] not in (1, channels):
        return None
    vector = operand.array.astype(np.float64).reshape(-1)
    return np.broadcast_to(vector, (channels,)).copy() if vector.size == 1 else vector


def multiply(weight: np.ndarray, factor: np.ndarray | float) -> np.ndarray:
    """weight * factor in float64, rounded to the weight's type, without a float64 copy of it."""
    out = empty_aligned(weight.shape, weight.dtype)
    with np.errstate(all="ignore"):
        wide = np.asarray(factor, np.float64)
        np.multiply(weight, wide, out=out, dtype=np.float64, casting="same_kind")
    return out


def scale_output(node: Node, filter: np.ndarray, factor: np.ndarray) -> np.ndarray:
    """A convolution's filter with every output channel multiplied by ``factor``, [channels]."""
    if "transpose" not in node.type:
        return multiply(filter, factor.reshape(-1, *(1,) * (filter.ndim - 1)))
    groups = groups_of(node)
    grouped = filter.reshape(groups, -1, *filter.shape[1:])
    shape = (groups, 1, filter.shape[1], *(1,) * (filter.ndim - 2))
    return multiply(grouped, factor.reshape(shape)).reshape(filter.shape)


def scale_input(node: Node, filter: np.ndarray, factor: np.ndarray) -> np.ndarray | None:
    """A convolution's filter with every input channel multiplied by ``factor``, [channels]."""
    groups = groups_of(node)
    if factor.size != filter.shape[1] * groups or filter.shape[0] % groups:
        return None
    grouped = filter.reshape(groups, -1, *filter.shape[1:])
    shape = (groups, 1, filter.shape[1], *(1,) * (filter.ndim - 2))
    return multiply(grouped, factor.reshape(shape)).reshape(filter.shape)


def round_like(wide: np.ndarray, like: np.ndarray) -> np.ndarray:
    """A float64 result in the element type of ``like``."""
    with np.errstate(all="ignore"):
        return wide.astype(like.dtype)


def finite(*arrays: np.ndarray) -> bool:
    """Whether no number overflowed or was not one before."""
    return all(np.isfinite(a.min()) and np.isfinite(a.max()) for a in arrays if a.size)


def may_copy(weight: Value, readers: int = 1) -> bool:
    """Whether a new version of a weight may be made: a large one only if the old one goes."""
    array = weight.array
    if array is None:
        return False
    return array.nbytes <= MAX_NEW_CONSTANT or sum(weight.uses.values()) <= readers


def bias_vector(bias: np.ndarray | None, channels: int) -> np.ndarray | None:
    """A convolution's or fc's bias in float64, [channels]; zeros where there is none."""
    if bias is None:
        return np.zeros(channels)
    return bias.astype(np.float64).reshape(-1) if bias.size == channels else None


def is_nchw_batch_norm(norm: Node) -> bool:
    """Whether a batch_norm's channels are those of an NCHW convolution."""
    return norm.string("data_layout", "NCHW") in ("NCHW", "NCDHW", "AnyLayout")


def batch_norm_numbers(
    norm: Node, channels: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """(factor, mean, shift) of a test-mode batch_norm's factor * (x - mean) + shift, [channels]
    each in float64; None where it is no such, or of other parameters."""
    if not is_test_batch_norm(norm):
        return None
    numbers = []
    for slot in ("Scale", "Bias", "Mean", "Variance"):
        value = norm.input(slot)
        if value is None or value.array is None or not is_float(value):
            return None
        numbers.append(value.array.astype(np.float64).reshape(-1))
    if any(array.size != channels for array in numbers):
        return None
    scale, shift, mean, var = numbers
    with np.errstate(all="ignore"):
        return scale / np.sqrt(var + norm.number("epsilon", 1e-5)), mean, shift


def is_unpadded(node: Node) -> bool:
    """Whether a convolution reads nothing but its input (no zero padding)."""
    algorithm = node.string("padding_algorithm", "EXPLICIT")
    if algorithm == "VALID":
        return True
    return algorithm in ("EXPLICIT", "") and not any(node.integers("paddings"))


def conv_paddings(node: Node) -> list[int] | None:
    """Of an image's convolution: above, below, left and right; None where the input's size says."""
    algorithm = node.string("padding_algorithm", "EXPLICIT") or "EXPLICIT"
    pads = [0, 0] if algorithm == "VALID" else node.integers("paddings", (0, 0))
    if len(pads) == 2:
        pads = [pads[0], pads[0], pads[1], pads[1]]
    return pads if algorithm != "SAME" and len(pads) == 4 else None


def is_negation(node: Node) -> bool:
    """Whether a ``scale`` operator changes the sign and nothing else."""
    return affine_scale(node) == (-1.0, 0.0)


def affine_scale(node: Node) -> tuple[float, float] | None:
    """(a, b) of a ``scale`` operator's a * x + b, or None where it does more than that."""
    if node.string("activation_type") or has_activation(node):
        return None
    scale, bias = node.number("scale", 1.0), node.number("bias", 0.0)
    return scale, bias if node.flag("bias_after_scale", True) else scale * bias


def is_plain_matmul(node: Node, weight: Value) -> bool:
    """A mul, matmul, matmul_v2 or fc of a 2-D floating-point parameter that is not quantised."""
    if weight.rank != 2 or not is_float(weight) or is_quantized(node):
        return False
    if any(name.startswith("fused_") and attr.value for name, attr in node.attrs.items()):
        return False
    if node.flag("padding_weights"):
        return False
    return node.type != "mul" or node.integer("y_num_col_dims", 1) == 1


def weight_is_transposed(node: Node) -> bool:
    """Whether a matmul reads its weight as [N, K]."""
    return node.flag("trans_y") or node.flag("transpose_Y")


def input_is_transposed(node: Node) -> bool:
    """Whether a matmul reads its input transposed."""
    return node.flag("trans_x") or node.flag("transpose_X")


def same_float(*values: Value) -> bool:
    """Whether all values are known to be of one floating-point type."""
    kinds = {value.dtype for value in values}
    return len(kinds) == 1 and kinds <= {DataType.FP32, DataType.FP64}
