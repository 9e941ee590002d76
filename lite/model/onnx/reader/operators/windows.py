"""Convolutions, and normalisation of channels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.operators.shapes import integers
from lite.model.onnx.reader.rounding import keep_integers, moved_into_bytes, remember_integers
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.program import DataType


class Window:
    """Strides, dilations and padding over the spatial axes of an input of these sizes."""

    def __init__(
        self,
        kernel: Sequence[int | None],
        auto_pad: str,
        strides: Sequence[int] | None,
        dilations: Sequence[int] | None,
        pads: Sequence[int] | None,
        sizes: Sequence[int | None] | None = None,
    ) -> None:
        count = len(kernel)
        self.kernel = list(kernel)
        self.strides = list(strides or [1] * count)
        self.dilations = list(dilations or [1] * count)
        self.pads = list(pads or [0] * 2 * count)
        self.algorithm = "EXPLICIT"
        lengths = (len(self.strides), len(self.dilations), len(self.pads) / 2)
        if any(length != count for length in lengths):
            raise CannotRead(f"strides, dilations or pads do not have {count} axes")
        if auto_pad == "VALID":
            self.pads = [0] * 2 * count
        elif auto_pad in ("SAME_UPPER", "SAME_LOWER"):
            self._same(auto_pad == "SAME_LOWER", list(sizes or [None] * count))
        elif auto_pad not in ("NOTSET", ""):
            raise CannotRead(f"auto_pad {auto_pad!r}")

    def _same(self, lower: bool, sizes: list[int | None]) -> None:
        """As many positions as the input has, of which strides leave some out."""
        upper = not lower and all(dilation == 1 for dilation in self.dilations)
        if upper and (None in self.kernel or any(stride != 1 for stride in self.strides)):
            self.algorithm, self.pads = "SAME", [0] * len(self.pads)
            return
        self.pads = self._pads(lower, sizes)

    def spelled_out(self, sizes: list[int | None]) -> None:
        """Padding in numbers, for an input of these sizes. Raises CannotRead."""
        if self.algorithm == "SAME":
            self.algorithm, self.pads = "EXPLICIT", self._pads(False, sizes)

    def _pads(self, lower: bool, sizes: list[int | None]) -> list[int]:
        total = []
        axes = zip(sizes, self.kernel, self.dilations, self.strides, strict=True)
        for size, kernel, dilation, stride in axes:
            if kernel is None or (size is None and stride != 1):
                raise CannotRead("auto_pad SAME_LOWER, counted or with dilations, of a free size")
            beyond = (size - 1) % stride if size is not None else 0  # 0 where the stride is 1
            total.append(max(dilation * (kernel - 1) - beyond, 0))
        small, large = [t // 2 for t in total], [t - t // 2 for t in total]
        return [*large, *small] if lower else [*small, *large]

    @property
    def pairs(self) -> list[int]:
        """Padding as operators here have it: both sides of an axis beside each other."""
        count = len(self.kernel)
        return [self.pads[i + side * count] for i in range(count) for side in (0, 1)]

    def widened(self) -> None:
        """One more axis, of one element, behind a single one."""
        self.kernel.append(1)
        self.strides.append(1)
        self.dilations.append(1)
        self.pads = [self.pads[0], 0, self.pads[1], 0]


def spatial_rank(x: Tensor, *others: Tensor) -> int:
    """How many axes a window moves along: 1 to 3."""
    for tensor in (*others, x):
        if tensor.shape is not None:
            count = tensor.rank - 2
            if 1 <= count <= 3:
                return count
            raise CannotRead(f"windows over {count} axes")
    return x.rank


def _bias(b: Builder, made: Tensor, bias: Tensor | None, rank: int) -> Tensor:
    if bias is None:
        return made
    return b.emit("elementwise_add", {"X": made, "Y": bias}, axis=1 if rank > 1 else -1)


@adapter
def conv(
    b: Builder,
    call: Call,
    X: Tensor,
    W: Tensor,
    B: Tensor | None,
    auto_pad: str,
    dilations: Any,
    group: int,
    kernel_shape: Any,
    pads: Any,
    strides: Any,
) -> Tensor:
    """Convolutions over one to three axes."""
    spatial = spatial_rank(X, W)
    moved = moved_into_bytes(X, W, 0) if group == 1 else None
    if moved is not None and moved[0].array is not None:
        shape = (auto_pad, dilations, group, kernel_shape, pads, strides)
        near = conv(b, call, X, moved[0], B, *shape)
        one = np.ones_like(moved[0].array[:1])
        ones = b.constant(one)
        remember_integers(ones, one)
        lacks = b.constant(moved[1].reshape(-1, *[1] * spatial))
        sums = conv(b, call, X, ones, None, *shape)
        return b.binary("elementwise_add", near, b.binary("elementwise_mul", sums, lacks))
    kernel = kernel_shape or (W.shape[2:] if W.shape is not None else [None] * spatial)
    sizes = X.shape[2:] if X.shape is not None else None
    window = Window(kernel, auto_pad, strides, dilations, pads, sizes)
    x, w = X, W
    if spatial == 1:
        x, w = b.unsqueeze(x, [3]), b.unsqueeze(w, [3])
        window.widened()
    type = "conv3d" if spatial == 3 else "conv2d"
    if type == "conv2d" and w.shape is not None and w.shape[1] == 1 and group == w.shape[0]:
        type = "depthwise_conv2d" if group > 1 else type
    made = b.emit(
        type,
        {"Input": x, "Filter": w},
        strides=window.strides,
        paddings=window.pairs,
        dilations=window.dilations,
        groups=group,
        padding_algorithm=window.algorithm,
    )
    keep_integers(b, made, W, 0)
    made = _bias(b, made, B, spatial + 2)
    return b.squeeze(made, [3]) if spatial == 1 else made


@adapter
def deform_conv(
    b: Builder,
    call: Call,
    X: Tensor,
    W: Tensor,
    offset: Tensor,
    B: Tensor | None,
    mask: Tensor | None,
    dilations: Any,
    group: int,
    kernel_shape: Any,
    offset_group: int,
    pads: Any,
    strides: Any,
) -> Tensor:
    """A convolution over two axes whose places are moved."""
    if spatial_rank(X, W) != 2:
        raise CannotRead("a deformable convolution over other than two axes")
    kernel = kernel_shape or (W.shape[2:] if W.shape is not None else [None] * 2)
    window = Window(kernel, "NOTSET", strides, dilations, pads)
    if window.pads[:2] != window.pads[2:]:
        raise CannotRead(f"pads {window.pads} of a deformable convolution, which differ by side")
    made = b.emit(
        "deformable_conv",
        {"Input": X, "Offset": offset, "Filter": W, "Mask": mask},
        strides=window.strides,
        paddings=window.pads[:2],
        dilations=window.dilations,
        groups=group,
        deformable_groups=offset_group,
    )
    return _bias(b, made, B, 4)


@adapter
def col2im(
    b: Builder,
    call: Call,
    input: Tensor,
    image_shape: Tensor,
    block_shape: Tensor,
    dilations: Any,
    pads: Any,
    strides: Any,
) -> Tensor:
    """Blocks over one or two axes added up to an image."""
    image = integers(image_shape, "image_shape") or []
    window = Window(integers(block_shape, "block_shape") or [], "NOTSET", strides, dilations, pads)
    spatial = len(image)
    if spatial not in (1, 2) or len(window.kernel) != spatial:
        raise CannotRead(f"blocks of {window.kernel} in images of {image}")
    if spatial == 1:
        window.widened()
    made = b.emit(
        "fold",
        {"X": input},
        output_sizes=[*image, 1][:2],
        kernel_sizes=window.kernel,
        strides=window.strides,
        paddings=window.pads,
        dilations=window.dilations,
    )
    return b.squeeze(made, [3]) if spatial == 1 else made


@adapter
def conv_transpose(
    b: Builder,
    call: Call,
    X: Tensor,
    W: Tensor,
    B: Tensor | None,
    auto_pad: str,
    dilations: Any,
    group: int,
    kernel_shape: Any,
    output_padding: Any,
    output_shape: Any,
    pads: Any,
    strides: Any,
) -> Tensor:
    """Transposed convolutions."""
    spatial = spatial_rank(X, W)
    kernel = kernel_shape or (W.shape[2:] if W.shape is not None else [None] * spatial)
    if None in kernel:
        raise CannotRead("a kernel of unknown size")
    extra = list(output_padding or [0] * spatial)
    if output_shape or auto_pad in ("SAME_UPPER", "SAME_LOWER"):
        same = Window(kernel, "NOTSET", strides, dilations, None)
        pads = _transposed_pads(X, same, extra, output_shape, auto_pad)
        auto_pad = "NOTSET"
    window = Window(kernel, auto_pad, strides, dilations, pads)
    x, w = X, W
    if spatial == 1:
        x, w = b.unsqueeze(x, [3]), b.unsqueeze(w, [3])
        window.widened()
        extra.append(0)
    # Output padding is padding taken back at the end; what is more than that is added.
    ends = window.pads[len(extra) :]
    left = [max(e - p, 0) for e, p in zip(extra, ends, strict=True)]
    ends = [max(p - e, 0) for e, p in zip(extra, ends, strict=True)]
    window.pads[len(extra) :] = ends
    types = {3: "conv3d_transpose"}
    made = b.emit(
        types.get(spatial, "conv2d_transpose"),
        {"Input": x, "Filter": w},
        strides=window.strides,
        paddings=window.pairs,
        dilations=window.dilations,
        groups=group,
        output_padding=left if any(left) else [],
        padding_algorithm="EXPLICIT",
    )
    made = _bias(b, made, B, spatial + 2)
    return b.squeeze(made, [3]) if spatial == 1 else made


def _transposed_pads(
    x: Tensor, window: Window, extra: list[int], output_shape: Any, auto_pad: str
) -> list[int]:
    """The padding that gives an output of the size that is wanted."""
    sizes = x.shape[2:] if x.shape is not None else ()
    if None in sizes:
        if output_shape:
            raise CannotRead("output_shape where the input's size is not known")
        sizes = (1,) * len(window.kernel)  # the size of an input does not matter
    totals = []
    for i, size in enumerate(sizes):
        reach = (window.kernel[i] - 1) * window.dilations[i] + 1  # type: ignore[operator]
        wanted = output_shape[i] if output_shape else size * window.strides[i]  # type: ignore
        totals.append(window.strides[i] * (size - 1) + extra[i] + reach - wanted)  # type: ignore
    if any(total < 0 for total in totals):
        raise CannotRead("an output larger than the window reaches")
    small, large = [t // 2 for t in totals], [t - t // 2 for t in totals]
    return (
        [*large, *small]
        if auto_pad == "SAME_LOWER" or (output_shape and auto_pad != ("SAME_UPPER"))
        else [*small, *large]
    )


@adapter
def lrn(
    b: Builder, call: Call, X: Tensor, alpha: float, beta: float, bias: float, size: int
) -> Tensor:
    """Division by the sum of squares of neighbouring channels."""
    if X.rank != 4 or size % 2 == 0:
        raise CannotRead(f"{X.rank} dimensions or an even size")
    return b.emit("lrn", {"X": X}, n=size, k=bias, alpha=alpha / size, beta=beta)


@adapter
def batch_norm(
    b: Builder,
    call: Call,
    X: Tensor,
    scale: Tensor,
    B: Tensor,
    input_mean: Tensor,
    input_var: Tensor,
    epsilon: float,
    **others: Any,
) -> list[Tensor | None]:
    """Normalisation by stored statistics, or in training mode by the batch's own."""
    if others.get("spatial", 1) != 1:
        raise CannotRead("statistics that are not of channels")
    if others.get("training_mode"):
        return _batch_norm_of_itself(b, X, scale, B, input_mean, input_var, epsilon, others)
    if any(map(call.wants, (1, 2))):
        raise CannotRead("outputs of training")
    inputs = {"X": X, "Scale": scale, "Bias": B, "Mean": input_mean, "Variance": input_var}
    if X.dtype is DataType.FP32 and all(v.dtype is X.dtype for v in inputs.values()):
        return [b.emit("batch_norm", inputs, epsilon=epsilon)]
    return [_norm_by_hand(b, X, scale, B, input_mean, input_var, epsilon)]


def _batch_norm_of_itself(
    b: Builder,
    x: Tensor,
    scale: Tensor,
    bias: Tensor,
    mean: Tensor,
    var: Tensor,
    epsilon: float,
    attrs: Mapping[str, Any],
) -> list[Tensor | None]:
    """The batch's statistics normalise, and are mixed into the stored ones."""
    others = [axis for axis in range(x.rank) if axis != 1]
    own = b.reduce("mean", x, others, True)
    apart = b.binary("elementwise_sub", x, own)
    spread = b.reduce("mean", b.binary("elementwise_mul", apart, apart), others, False)
    own = b.reshape(own, [-1])
    made = _norm_by_hand(b, x, scale, bias, own, spread, epsilon)
    share = float(attrs["momentum"])

    def mixed(old: Tensor, new: Tensor) -> Tensor:
        kept = b.binary("elementwise_mul", old, b.like(share, old))
        return b.binary(
            "elementwise_add",
            kept,
            b.binary("elementwise_mul", b.cast(new, old.dtype), b.like(1 - share, old)),
        )

    return [made, mixed(mean, own), mixed(var, spread)]


def _norm_by_hand(
    b: Builder, x: Tensor, scale: Tensor, bias: Tensor, mean: Tensor, var: Tensor, epsilon: float
) -> Tensor:
    wide = [b.cast(v, x.dtype) for v in (scale, bias, mean, var)]
    dims = [1, -1, *[1] * (x.rank - 2)]
    scale, bias, mean, var = (b.reshape(v, dims) for v in wide)
    centred = b.binary("elementwise_sub", x, mean)
    root = b.emit("sqrt", {"X": b.binary("elementwise_add", var, b.like(np.float64(epsilon), var))})
    made = b.binary("elementwise_mul", b.binary("elementwise_div", centred, root), scale)
    return b.binary("elementwise_add", made, bias)
