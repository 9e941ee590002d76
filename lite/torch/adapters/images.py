"""Pooling, resizing and sampling of images."""

from __future__ import annotations

from typing import Any

from lite.torch.adapters.networks import pair
from lite.torch.builder import Builder
from lite.torch.registry import adapter
from lite.torch.values import Meta, NotTranslatableError, Tensor, known, same

Outs = list[Meta]


def _windows(kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool) -> dict[str, Any]:
    kernel = pair(kernel_size)
    return {
        "ksize": kernel,
        "strides": pair(stride) if stride else kernel,
        "paddings": pair(padding),
        "ceil_mode": ceil_mode,
    }


def _image(b: Builder, x: Tensor) -> Tensor:
    return x if x.rank == 4 else b.reshape(x, (1, *x.shape))


@adapter
def max_pool2d(
    b: Builder,
    outs: Outs,
    self: Tensor,
    kernel_size: Any,
    stride: Any = (),
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
) -> Any:
    """The largest of each window; where it was is only known without ceil_mode and padding."""
    if pair(dilation) != [1, 1]:
        raise NotTranslatableError("max pooling with a dilation")
    attrs = {**_windows(kernel_size, stride, padding, ceil_mode), "pooling_type": "max"}
    x = _image(b, self)
    shape = outs[0].shape if self.rank == 4 else (1, *outs[0].shape)
    made = b.emit("pool2d", {"X": x}, attrs, shape=shape)
    return [b.reshape(made, outs[0].shape), None]


@adapter
def avg_pool2d(
    b: Builder,
    outs: Outs,
    self: Tensor,
    kernel_size: Any,
    stride: Any = (),
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: Any = None,
) -> Tensor:
    """The mean of each window."""
    attrs = {**_windows(kernel_size, stride, padding, ceil_mode), "pooling_type": "avg"}
    if divisor_override is not None:
        raise NotTranslatableError("average pooling with a divisor of its own")
    padded = any(attrs["paddings"])
    if ceil_mode and count_include_pad and padded:
        raise NotTranslatableError("average pooling that rounds up and counts padding")
    attrs["exclusive"] = not (count_include_pad and padded)
    shape = outs[0].shape if self.rank == 4 else (1, *outs[0].shape)
    made = b.emit("pool2d", {"X": _image(b, self)}, attrs, shape=shape)
    return b.reshape(made, outs[0].shape)


def _adaptive(name: str, kind: str) -> Any:
    def pool(b: Builder, outs: Outs, self: Tensor, output_size: Any) -> Any:
        size = [known(value, "the size of an adaptive pool") for value in output_size]
        attrs: dict[str, Any] = {"pooling_type": kind, "ksize": size, "adaptive": True}
        if size == [1, 1]:
            attrs = {"pooling_type": kind, "ksize": [1, 1], "global_pooling": True}
        shape = outs[0].shape if self.rank == 4 else (1, *outs[0].shape)
        made = b.emit("pool2d", {"X": _image(b, self)}, attrs, shape=shape)
        made = b.reshape(made, outs[0].shape)
        return made if kind == "avg" else [made, None]

    pool.__name__ = name
    return adapter(pool)


_adaptive("adaptive_avg_pool2d", "avg")
_adaptive("adaptive_max_pool2d", "max")


# -- Resizing.


def _resize(name: str, kind: str) -> Any:
    def resize(
        b: Builder,
        outs: Outs,
        input: Tensor | None = None,
        output_size: Any = None,
        align_corners: bool = False,
        scale_factors: Any = None,
        scales_h: Any = None,
        scales_w: Any = None,
        self: Tensor | None = None,
    ) -> Tensor:
        x = input if input is not None else self
        assert x is not None
        scales = scale_factors or ([scales_h, scales_w] if scales_h and scales_w else None)
        attrs: dict[str, Any] = {
            "interp_method": kind,
            "align_corners": align_corners,
            "align_mode": 0,
        }
        sizes: Any = None
        if scales:
            attrs["scale"] = scales
        else:
            (attrs["out_h"], attrs["out_w"]), sizes = b.sizes(outs[0].shape[2:])
        inputs = {"X": x, "SizeTensor": sizes}
        return b.emit(f"{kind}_interp_v2", inputs, attrs, shape=outs[0].shape)

    resize.__name__ = name
    return adapter(resize)


_resize("upsample_bilinear2d", "bilinear")
_resize("upsample_nearest2d", "nearest")
_resize("upsample_bicubic2d", "bicubic")


@adapter
def grid_sampler_2d(
    b: Builder,
    outs: Outs,
    input: Tensor,
    grid: Tensor,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
) -> Tensor:
    """Samples at the grid's places."""
    attrs = {
        "mode": ("bilinear", "nearest_even", "bicubic")[interpolation_mode],
        "padding_mode": ("zeros", "border", "reflection")[padding_mode],
        "align_corners": align_corners,
    }
    return b.emit("grid_sampler", {"X": input, "Grid": grid}, attrs, shape=outs[0].shape)


@adapter
def prelu(b: Builder, outs: Outs, self: Tensor, weight: Tensor) -> Tensor:
    """A slope for negative numbers, one or one a channel."""
    single = all(same(size, 1) for size in weight.shape)
    if single:
        slope = b.flat(weight)
    else:
        slope = b.flat(weight)
        if self.rank != 4:
            lead = [1] * self.rank
            lead[1] = weight.shape[0] if weight.rank == 1 else max(int(s) for s in weight.shape)
            slope = b.reshape(slope, tuple(lead))
            negative = b.emit("clip", {"X": self}, {"max": 0.0})
            positive = b.emit("relu", {"X": self})
            return b.binary(
                "elementwise_add", positive, b.binary("elementwise_mul", negative, slope)
            )
    attrs = {"mode": "all" if single else "channel"}
    return b.emit("prelu", {"X": self, "Alpha": slope}, attrs)


def _columns(kernel_size: Any, dilation: Any, padding: Any, stride: Any) -> dict[str, Any]:
    return {
        "kernel_sizes": pair(kernel_size),
        "strides": pair(stride),
        "paddings": pair(padding) * 2,
        "dilations": pair(dilation),
    }


@adapter
def im2col(b: Builder, outs: Outs, self: Tensor, **windows: Any) -> Tensor:
    """The windows of an image as columns."""
    shape = outs[0].shape if self.rank == 4 else (1, *outs[0].shape)
    made = b.emit("unfold", {"X": _image(b, self)}, _columns(**windows), shape=shape)
    return b.reshape(made, outs[0].shape)


@adapter
def col2im(b: Builder, outs: Outs, self: Tensor, output_size: Any, **windows: Any) -> Tensor:
    """The sums of columns where windows overlap."""
    sizes = {
        "output_sizes": [known(size, "the size of an image of columns") for size in output_size]
    }
    columns = self if self.rank == 3 else b.reshape(self, (1, *self.shape))
    shape = outs[0].shape if self.rank == 3 else (1, *outs[0].shape)
    made = b.emit("fold", {"X": columns}, {**sizes, **_columns(**windows)}, shape=shape)
    return b.reshape(made, outs[0].shape)
