"""Pictures as a model's input, by the steps that stand in the inference.yml beside it.

The steps are those of PaddleOCR and PaddleClas as PaddleX exports them; the size is fixed, since it
is a program's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lite.api.predictor import TensorInfo
from lite.errors import ConfigError
from lite.model.inference_yml import NAME, read_inference_yml

from .inputs import Value

Array = np.ndarray[Any, np.dtype[Any]]  # [height, width, 3] on its way, uint8 or float32
Size = tuple[int, int]  # height, width


def read(
    pictures: Sequence[Path],
    infos: Sequence[TensorInfo],
    shapes: Sequence[Mapping[str, Value]],
    model: str,
) -> list[dict[str, Value]]:
    """Each as [1, 3, height, width] of one of `shapes`, or of the declared input.

    Raises ConfigError for steps that are not known, and for a model that has other inputs, too.
    """
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError:
        raise ConfigError("pictures need Pillow: pip install Pillow") from None
    name, sizes = _input(infos, shapes)
    steps = _steps(model)
    found: list[dict[str, Value]] = []
    for path in pictures:
        try:
            with Image.open(path) as opened:
                image = np.asarray(opened.convert("RGB"))
        except (UnidentifiedImageError, OSError) as error:
            raise ConfigError(f"{path} is no picture: {error}") from None
        found.append({name: (_prepared(image, steps, sizes), [])})
    return found


def _input(
    infos: Sequence[TensorInfo], shapes: Sequence[Mapping[str, Value]]
) -> tuple[str, list[Size]]:
    """The input that takes pictures, and the sizes that they may have, the narrowest first."""
    if len(infos) != 1 or len(infos[0].shape) != 4:
        raise ConfigError(
            "pictures are for a model with one input [1, 3, height, width]: give .npz"
        )
    name = infos[0].name
    given = [tuple(some[name][0].shape) for some in shapes] or [tuple(infos[0].shape)]
    sizes = sorted({(shape[2], shape[3]) for shape in given}, key=lambda size: size[1])
    if min(map(min, sizes)) < 1:
        raise ConfigError(f"the size of pictures is open: give it with --shape {name}:1x3x224x224")
    return name, sizes


def _steps(model: str) -> list[tuple[str, dict[str, Any]]]:
    """By name, each with what it is told."""
    path = Path(model)
    folder = path if path.is_dir() else path.parent
    try:
        said = read_inference_yml(folder / NAME).pre_process
    except FileNotFoundError:
        raise ConfigError(
            f"pictures need {folder / NAME}, which says how to prepare them"
        ) from None
    steps = [(name, args or {}) for step in said for name, args in step.items()]
    unknown = [name for name, _ in steps if name not in _STEPS and not name.endswith("LabelEncode")]
    if unknown or not steps:
        raise ConfigError(
            f"{folder / NAME}: preparing by {', '.join(unknown) or 'nothing'} is not known: give "
            "prepared inputs as .npy"
        )
    return [(name, args) for name, args in steps if name in _STEPS]


def _prepared(
    image: Array, steps: Sequence[tuple[str, dict[str, Any]]], sizes: Sequence[Size]
) -> Array:
    size = sizes[-1]
    for name, args in steps:
        if name == "RecResizeImg":
            size = _size_of_line(image, sizes)
        image = _STEPS[name](image, args, size)
    if not any(name in _RESIZES for name, _ in steps):
        image = _resized(image, size)
    image = image.astype(np.float32)
    if image.shape[:2] != size:
        raise ConfigError(f"prepared pictures are {image.shape[:2]}, and the program's {size}")
    return np.ascontiguousarray(image.transpose(2, 0, 1)[None])


def _resized(image: Array, size: Size) -> Array:
    from PIL import Image

    bands = [
        Image.fromarray(np.ascontiguousarray(image[:, :, band])).resize(
            (size[1], size[0]), Image.Resampling.BILINEAR
        )
        for band in range(3)
    ]
    return np.stack([np.asarray(band) for band in bands], -1)


def _decode(image: Array, args: Mapping[str, Any], size: Size) -> Array:
    mode = args.get("img_mode") or args.get("format") or "BGR"
    return image if str(mode).upper() == "RGB" else image[:, :, ::-1]


def _resize(image: Array, args: Mapping[str, Any], size: Size) -> Array:
    short = args.get("resize_short")
    if not short:
        return _resized(image, size)
    scale = short / min(image.shape[:2])
    height, width = (max(1, round(side * scale)) for side in image.shape[:2])
    return _resized(image, (height, width))


def _crop(image: Array, args: Mapping[str, Any], size: Size) -> Array:
    top, left = ((have - want) // 2 for have, want in zip(image.shape[:2], size, strict=True))
    if min(top, left) < 0:
        raise ConfigError(f"a picture of {image.shape[:2]} cannot be cropped to {size}")
    return image[top : top + size[0], left : left + size[1]]


def _normalize(image: Array, args: Mapping[str, Any], size: Size) -> Array:
    scale, mean, std = args.get("scale", 1 / 255), args.get("mean", 0), args.get("std", 1)
    if isinstance(scale, str):  # 1./255.
        over, _, under = scale.partition("/")
        scale = float(over) / float(under or 1)
    mean, std = (np.asarray(some, np.float32) for some in (mean, std))
    scaled: Array = (image.astype(np.float32) * np.float32(scale) - mean) / std
    return scaled


def _line(image: Array, args: Mapping[str, Any], size: Size) -> Array:
    """A line of text, as high as the input, from -1 to 1, with zeros at its end."""
    width = min(size[1], math.ceil(size[0] * image.shape[1] / image.shape[0]))
    line = np.zeros((*size, 3), np.float32)
    line[:, :width] = _resized(image, (size[0], width)).astype(np.float32) / 127.5 - 1
    return line


def _size_of_line(image: Array, sizes: Sequence[Size]) -> Size:
    """The narrowest one that holds it."""
    height, width = image.shape[:2]
    return next((size for size in sizes if size[1] >= size[0] * width / height), sizes[-1])


def _as_it_is(image: Array, args: Mapping[str, Any], size: Size) -> Array:
    return image


_RESIZES = {"ResizeImage": _resize, "DetResizeForTest": _resize, "RecResizeImg": _line}
_STEPS: dict[str, Callable[[Array, Mapping[str, Any], Size], Array]] = {
    **_RESIZES,
    "DecodeImage": _decode,
    "ReadImage": _decode,
    "CropImage": _crop,
    "NormalizeImage": _normalize,
    "ToCHWImage": _as_it_is,
    "KeepKeys": _as_it_is,
}
