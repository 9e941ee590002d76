"""`python export_detector.py FOLDER`, with paddlepaddle 3: a detector as PaddleX reads RT-DETR's.

Its three inputs stand in another order than that of their names, in which PaddleX gives them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import paddle
from paddle.static import InputSpec

sys.path.insert(0, str(Path(__file__).parent))
from model_folders import write_yml

NAME = "RT-DETR-L"
SIZE = 96
BOXES = 4


class Detector(paddle.nn.Layer):  # type: ignore[misc]
    """Boxes that depend on every input in a way of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.body = paddle.nn.Conv2D(3, 8, 3, stride=2, padding=1)
        self.head = paddle.nn.Linear(8, BOXES * 6)

    def forward(self, scale_factor, image, im_shape):  # type: ignore[no-untyped-def]
        seen = paddle.nn.functional.relu(self.body(image)).mean(axis=[2, 3])
        raw = paddle.nn.functional.sigmoid(self.head(seen)).reshape([-1, 6])
        kind = paddle.floor(raw[:, :1] * 3)
        height, width = (im_shape / scale_factor)[0].split(2)
        size = paddle.concat([width, height])
        corner = raw[:, 2:4] * size * 0.5
        far = corner + (0.1 + raw[:, 4:6] * 0.4) * size
        boxes = paddle.concat([kind, raw[:, 1:2], corner, far], axis=1)
        return boxes, paddle.shape(boxes)[:1].astype("int32")


def main(folder: Path) -> None:
    """Writes FOLDER/RT-DETR-L."""
    paddle.seed(7)
    target = folder / NAME
    target.mkdir(parents=True, exist_ok=True)
    specs = [
        InputSpec([1, 2], "float32", "scale_factor"),
        InputSpec([1, 3, SIZE, SIZE], "float32", "image"),
        InputSpec([1, 2], "float32", "im_shape"),
    ]
    net = Detector()
    net.eval()
    paddle.jit.save(net, str(target / "inference"), input_spec=specs)
    before = [
        {"type": "Resize", "interp": 2, "keep_ratio": False, "target_size": [SIZE, SIZE]},
        {"type": "NormalizeImage", "norm_type": "mean_std"},
        {"type": "Permute"},
    ]
    labels = ["cat", "dog", "bird"]
    write_yml(target, NAME, {"Preprocess": before, "label_list": labels, "draw_threshold": 0.0})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
