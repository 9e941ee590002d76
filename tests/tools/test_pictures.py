"""Pictures are prepared as an inference.yml says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lite.api.predictor import TensorInfo
from lite.errors import ConfigError
from lite.tools import samples

Image = pytest.importorskip("PIL.Image", reason="Pillow is not everywhere that wheels are tested")
OPEN = [TensorInfo("x", (-1, 3, -1, -1), "float32")]


def shapes(*sizes: tuple[int, int]) -> list[dict[str, tuple[np.ndarray, list]]]:
    return [{"x": (np.zeros((1, 3, *size), np.float32), [])} for size in sizes]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A folder, and a picture of 40 by 20 pixels, red on the left."""
    pixels = np.zeros((20, 40, 3), np.uint8)
    pixels[:, :20, 0] = 255
    (tmp_path / "data").mkdir()
    Image.fromarray(pixels).save(tmp_path / "data" / "red.png")
    return tmp_path


def prepared(model: Path, steps: str, *sizes: tuple[int, int]) -> np.ndarray:
    text = "PreProcess:\n  transform_ops:\n" + "".join(
        f"  - {line}\n" for line in steps.splitlines()
    )
    (model / "inference.yml").write_text(text)
    (found,) = samples.read(
        str(model / "data"), OPEN, shapes(*sizes), str(model / "inference.json")
    )
    return found["x"][0]


def test_a_line_of_text(model: Path) -> None:
    """The narrowest program that holds it, zeros behind it, blue first."""
    steps = (
        "DecodeImage: {channel_first: false, img_mode: BGR}\nMultiLabelEncode: {gtc_encode: N}\n"
    )
    steps += "RecResizeImg: {image_shape: [3, 10, 30]}\nKeepKeys: {keep_keys: [image]}"
    x = prepared(model, steps, (10, 15), (10, 30), (10, 60))
    assert x.shape == (1, 3, 10, 30) and x.dtype == np.float32
    assert (x[0, 2, :, :8] == 1).all() and (x[0, :2, :, :20] == -1).all()
    assert (x[..., 20:] == 0).all()
    narrow = prepared(model, steps, (10, 15))
    assert narrow.shape == (1, 3, 10, 15) and (narrow[0, 0] == -1).all()


def test_a_detector_s_and_a_classifier_s(model: Path) -> None:
    normal = "NormalizeImage: {mean: [0.5, 0, 0], std: [0.5, 1, 2], scale: 1./255., order: hwc}\n"
    steps = f"DecodeImage: {{img_mode: RGB}}\nDetResizeForTest: null\n{normal}ToCHWImage: null"
    x = prepared(model, steps, (32, 64))
    assert x.shape == (1, 3, 32, 64)
    np.testing.assert_allclose(x[0, :, 16, 8], [1, 0, 0])
    np.testing.assert_allclose(x[0, :, 16, 60], [-1, 0, 0])
    crop = "ReadImage: {format: RGB}\nResizeImage: {resize_short: 10}\nCropImage: {size: 8}\n"
    x = prepared(model, crop + normal, (8, 8))
    assert x.shape == (1, 3, 8, 8)
    np.testing.assert_allclose(x[0, 0, :, [0, 7]], [[1] * 8, [-1] * 8])


def test_what_is_not_known(model: Path) -> None:
    with pytest.raises(ConfigError, match="PadStride is not known"):
        prepared(model, "PadStride: {stride: 32}", (8, 8))
    with pytest.raises(ConfigError, match="--shape x:1x3x224x224"):
        prepared(model, "ToCHWImage: null")
    (model / "data" / "blue.png").write_bytes(b"PNG")
    with pytest.raises(ConfigError, match=r"blue\.png is no picture"):
        prepared(model, "ToCHWImage: null", (8, 8))
    (model / "inference.yml").unlink()
    with pytest.raises(ConfigError, match=r"pictures need .*inference\.yml"):
        samples.read(str(model / "data"), OPEN, shapes((8, 8)), str(model))


def test_arrays(tmp_path: Path) -> None:
    infos = [TensorInfo("a", (2,), "float32"), TensorInfo("b", (1,), "int64")]
    np.savez(tmp_path / "one.npz", a=np.float32([1, 2]), b=np.int64([3]))
    (tmp_path / "notes.txt").write_text("nothing")
    (found,) = samples.read(str(tmp_path), infos, [], "model")
    assert found["a"][0].tolist() == [1, 2] and found["b"][0].tolist() == [3]
    (tmp_path / "one.npz").unlink()
    with pytest.raises(ConfigError, match="has no inputs"):
        samples.read(str(tmp_path), infos, [], "model")
