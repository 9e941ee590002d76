"""Encoded images as a model's input."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np

from lite.api.predictor import TensorInfo
from lite.errors import ConfigError


@dataclass(frozen=True)
class ImageOptions:
    """How pixels become numbers: (value / 255 - mean) / std per channel, in RGB or BGR.

    ``size`` is (height, width); by default what the model declares. ``column`` is the column of
    encoded images in parquet files.
    """

    size: tuple[int, int] | None = None
    mean: tuple[float, float, float] = (0.485, 0.456, 0.406)
    std: tuple[float, float, float] = (0.229, 0.224, 0.225)
    bgr: bool = False
    column: str = ""

    def for_model(self, info: TensorInfo) -> ImageOptions:
        """These with a size. Raises ConfigError for a model that takes no images, or any size."""
        if len(info.shape) != 4 or info.shape[1] not in (-1, 3):
            raise ConfigError(f"input {info} takes no images [rows, 3, height, width]")
        size = self.size or (info.shape[2], info.shape[3])
        if min(size) < 1:
            raise ConfigError(f"input {info} takes images of any size: give --size HEIGHTxWIDTH")
        return ImageOptions(size, self.mean, self.std, self.bgr, self.column)

    def decode(self, encoded: bytes) -> np.ndarray:
        """One image as float32 [1, 3, height, width]. Raises OSError for what is no image."""
        from PIL import Image

        assert self.size is not None
        with Image.open(io.BytesIO(encoded)) as image:
            height, width = self.size
            small = image.convert("RGB").resize((width, height), Image.Resampling.BILINEAR)
        pixels = np.asarray(small, np.float32) / 255
        if self.bgr:
            pixels = pixels[..., ::-1]
        scaled = (pixels - np.array(self.mean, np.float32)) / np.array(self.std, np.float32)
        return np.ascontiguousarray(scaled.transpose(2, 0, 1)[None])
