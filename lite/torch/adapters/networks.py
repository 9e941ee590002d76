"""Products with weights, convolutions, normalisation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from lite.torch.builder import Builder
from lite.torch.registry import adapter
from lite.torch.values import Dim, Meta, NotTranslatableError, Tensor, known, same

Outs = list[Meta]


def pair(value: Any, count: int = 2) -> list[int]:
    """A size of each axis, from one number for all or a list."""
    listed = [value] if isinstance(value, int) else list(value)
    return [int(v) for v in (listed * count if len(listed) == 1 else listed)]


def add_bias(b: Builder, x: Tensor, bias: Tensor | None, axis: int = -1) -> Tensor:
    """``bias`` added along an axis."""
    if bias is None:
        return x
    return b.emit("elementwise_add", {"X": x, "Y": bias}, {"axis": axis})


# -- Products.


@adapter
def linear(
    b: Builder, outs: Outs, input: Tensor, weight: Tensor, bias: Tensor | None = None
) -> Tensor:
    """``input @ weight.T + bias``."""
    made = b.product(input, weight, swap_y=True)
    return add_bias(b, Tensor(made.name, made.dtype, outs[0].shape), bias)


@adapter
def matmul(b: Builder, outs: Outs, self: Tensor, **second: Tensor) -> Tensor:
    """mm, bmm, mv, dot and matmul: forms that call their second operand differently."""
    (other,) = second.values()
    if self.rank < 2 or other.rank < 2:
        attrs = {"trans_x": False, "trans_y": False}
        return b.emit("matmul_v2", {"X": self, "Y": other}, attrs, shape=outs[0].shape)
    return b.product(self, other)


def _weighted(b: Builder, x: Tensor, factor: Any) -> Tensor:
    return x if factor == 1 else b.emit("scale", {"X": x}, {"scale": float(factor)})


@adapter
def addmm(
    b: Builder, outs: Outs, self: Tensor, beta: Any = 1, alpha: Any = 1, **matrices: Tensor
) -> Tensor:
    """``beta * self + alpha * mat1 @ mat2``; baddbmm too."""
    first, second = matrices.values()
    product = _weighted(b, b.product(first, second), alpha)
    if beta == 0:
        return product
    return b.binary("elementwise_add", product, _weighted(b, self, beta))


# -- Convolutions.


def _convolve(b: Builder, x: Tensor, weight: Tensor, attrs: dict[str, Any], shape: Any) -> Tensor:
    groups = attrs["groups"]
    depthwise = groups > 1 and len(attrs["strides"]) == 2 and same(x.shape[1], groups)
    depthwise = depthwise and same(weight.shape[0], groups)
    kind = "conv3d" if len(attrs["strides"]) == 3 else "conv2d"
    kind = "depthwise_conv2d" if depthwise else kind
    return b.emit(kind, {"Input": x, "Filter": weight}, attrs, shape=shape)


def _transposed(
    b: Builder, x: Tensor, weight: Tensor, attrs: dict[str, Any], extra: list[int], shape: Any
) -> Tensor:
    if len(attrs["strides"]) != 2:
        raise NotTranslatableError("a transposed convolution of three axes")
    if any(extra):
        attrs = {**attrs, "output_padding": extra}
    return b.emit("conv2d_transpose", {"Input": x, "Filter": weight}, attrs, shape=shape)


@adapter
def convolution(
    b: Builder,
    outs: Outs,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    transposed: bool = False,
    output_padding: Any = 0,
    groups: Any = 1,
    **_: Any,
) -> Tensor:
    """Convolutions of one to three axes, transposed ones of one or two, batched or not."""
    axes = weight.rank - 2
    shape = outs[0].shape
    if input.rank == axes + 1:
        input, shape = b.reshape(input, (1, *input.shape)), (1, *shape)
    attrs: dict[str, Any] = {
        "strides": pair(stride, axes),
        "dilations": pair(dilation, axes),
        "groups": int(groups),
    }
    if isinstance(padding, str):
        attrs["paddings"] = [0] * axes
        if padding == "same":
            attrs["paddings"] = _same_padding(weight, attrs["dilations"])
    else:
        attrs["paddings"] = pair(padding, axes)
    extra = pair(output_padding, axes)
    line = axes == 1
    if line:  # one axis is an image of one row
        input = b.emit("unsqueeze2", {"X": input}, {"axes": [2]}, shape=_lifted(input.shape))
        weight = b.emit("unsqueeze2", {"X": weight}, {"axes": [2]}, shape=_lifted(weight.shape))
        attrs = {**attrs, "strides": [1, *attrs["strides"]], "dilations": [1, *attrs["dilations"]]}
        attrs["paddings"] = _widened(attrs["paddings"])
        extra, wide = [0, *extra], _lifted(shape)
    else:
        wide = shape
    if transposed:
        made = _transposed(b, input, weight, attrs, extra, wide)
    else:
        made = _convolve(b, input, weight, attrs, wide)
    made = add_bias(b, made, bias, 1)
    if line:
        made = b.emit("squeeze2", {"X": made}, {"axes": [2]}, shape=shape)
    return b.reshape(made, outs[0].shape)


def _lifted(shape: Any) -> tuple[Dim, ...]:
    return (*shape[:2], 1, *shape[2:])


def _widened(paddings: list[int]) -> list[int]:
    return [0, *paddings] if len(paddings) == 1 else [0, 0, *paddings]


def _same_padding(weight: Tensor, dilations: list[int]) -> list[int]:
    totals = [
        dilation * (int(size) - 1)
        for size, dilation in zip(weight.shape[2:], dilations, strict=True)
    ]
    if all(total % 2 == 0 for total in totals):
        return [total // 2 for total in totals]
    return [side for total in totals for side in (total // 2, total - total // 2)]


@adapter
def conv_transpose(
    b: Builder,
    outs: Outs,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: Any = 1,
    dilation: Any = 1,
) -> Tensor:
    """Transposed convolutions of one or two axes."""
    made = convolution(
        b, outs, input, weight, bias, stride, padding, dilation, True, output_padding, groups
    )
    assert isinstance(made, Tensor)
    return made


# -- Normalisation.


def _ones(b: Builder, given: Tensor | None, size: Dim) -> Tensor:
    return given if given is not None else b.full((size,), 1.0, torch.float32)


@adapter
def batch_norm(
    b: Builder,
    outs: Outs,
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    momentum: float = 0.1,
    eps: float = 1e-5,
    training: bool = False,
    cudnn_enabled: bool = False,
) -> Any:
    """By the running statistics; those of the batch stay with torch."""
    if training or running_mean is None or running_var is None:
        raise NotTranslatableError("batch norm by the statistics of the batch (call model.eval())")
    channels = input.shape[1]
    inputs = {
        "X": input,
        "Scale": _ones(b, weight, channels),
        "Bias": bias if bias is not None else b.full((channels,), 0.0, torch.float32),
        "Mean": running_mean,
        "Variance": running_var,
    }
    return [b.emit("batch_norm", inputs, {"epsilon": eps}, out="Y"), None, None]


@adapter
def layer_norm(
    b: Builder,
    outs: Outs,
    input: Tensor,
    normalized_shape: Sequence[Dim],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    cudnn_enable: bool = False,
) -> Any:
    """Over the last axes, which ``normalized_shape`` counts."""
    attrs = {"epsilon": eps, "begin_norm_axis": input.rank - len(normalized_shape)}
    scale = None if weight is None else b.flat(weight)
    shift = None if bias is None else b.flat(bias)
    inputs = {"X": input, "Scale": scale, "Bias": shift}
    return [b.emit("layer_norm", inputs, attrs, out="Y"), None, None]


@adapter
def group_norm(
    b: Builder,
    outs: Outs,
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> Any:
    """Over groups of channels."""
    return [_grouped(b, input, num_groups, weight, bias, eps), None, None]


def _grouped(
    b: Builder, x: Tensor, groups: int, weight: Tensor | None, bias: Tensor | None, eps: float
) -> Tensor:
    image = x
    if x.rank != 4:
        rest: Dim = 1
        for size in x.shape[2:]:
            rest = rest * size
        image = b.reshape(x, (*x.shape[:2], rest, 1))
    inputs = {"X": image, "Scale": weight, "Bias": bias}
    made = b.emit("group_norm", inputs, {"epsilon": eps, "groups": groups}, out="Y")
    return b.reshape(made, x.shape)


@adapter
def native_group_norm(
    b: Builder,
    outs: Outs,
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    N: Dim,  # noqa: N803 - the schema's name
    C: Dim,  # noqa: N803
    HxW: Dim,  # noqa: N803
    group: int,
    eps: float,
) -> Any:
    """group_norm as AOTAutograd writes it."""
    return [_grouped(b, input, int(group), weight, bias, eps), None, None]


@adapter
def instance_norm(
    b: Builder,
    outs: Outs,
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    use_input_stats: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Tensor:
    """Over each image's channel."""
    if not use_input_stats:
        raise NotTranslatableError("instance norm by running statistics")
    return _grouped(b, input, known(input.shape[1], "the channels"), weight, bias, eps)
