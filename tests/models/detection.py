"""Detectors: PicoDet, PP-YOLOE-like, YOLOv3, SSD, with their NMS in the program."""

from __future__ import annotations

from typing import Any

import numpy as np
import paddle
import paddle.nn.functional as F  # noqa: N812
from paddle import nn
from paddle.base.layer_helper import LayerHelper
from recipes import SE, ConvBN, DepthwiseSeparable, Feed, jit, model, picture


def multiclass_nms3(boxes: Any, scores: Any, **attrs: Any) -> tuple[Any, Any, Any]:
    """The operator as PaddleDetection appends it."""
    helper = LayerHelper("multiclass_nms3")
    out = helper.create_variable_for_type_inference(dtype=boxes.dtype)
    index = helper.create_variable_for_type_inference(dtype="int32")
    count = helper.create_variable_for_type_inference(dtype="int32")
    settings: dict[str, Any] = {
        "background_label": -1,
        "score_threshold": 0.3,
        "nms_top_k": 200,
        "nms_threshold": 0.5,
        "keep_top_k": 50,
        "nms_eta": 1.0,
        "normalized": True,
    }
    settings.update(attrs)
    helper.append_op(
        type="multiclass_nms3",
        inputs={"BBoxes": boxes, "Scores": scores},
        attrs=settings,
        outputs={"Out": out, "Index": index, "NmsRoisNum": count},
    )
    return out, index, count


class LCNet(nn.Layer):
    """PP-LCNet's stages at strides 8, 16, 32."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = ConvBN(3, 8, 3, 2, act="hardswish")
        self.s2 = nn.Sequential(DepthwiseSeparable(8, 16), DepthwiseSeparable(16, 16, stride=2))
        self.s3 = nn.Sequential(DepthwiseSeparable(16, 24), DepthwiseSeparable(24, 24, stride=2))
        self.s4 = nn.Sequential(DepthwiseSeparable(24, 32, 5, 2), DepthwiseSeparable(32, 32, 5))
        self.s5 = nn.Sequential(
            DepthwiseSeparable(32, 48, 5, 2, True), DepthwiseSeparable(48, 48, 5, 1, True)
        )

    def forward(self, x: Any) -> list[Any]:
        c3 = self.s3(self.s2(self.stem(x)))
        c4 = self.s4(c3)
        return [c3, c4, self.s5(c4)]


def channel_shuffle(x: Any, groups: int) -> Any:
    """ShuffleNet's shuffle as PaddleDetection writes it, sizes taken from the running shape."""
    batch, _, height, width = paddle.shape(x)[0:4]
    per_group = x.shape[1] // groups
    x = paddle.reshape(x, [batch, groups, per_group, height, width])
    x = paddle.transpose(x, [0, 2, 1, 3, 4])
    return paddle.reshape(x, [batch, x.shape[1] * groups, height, width])


class ESBlock(nn.Layer):
    """ESNet's stride 1 block: split, branch, concat, shuffle."""

    def __init__(self, c: int) -> None:
        super().__init__()
        half = c // 2
        self.pw1 = ConvBN(half, half, 1, act="hardswish")
        self.dw = ConvBN(half, half, 3, 1, half, "none")
        self.se = SE(half)
        self.pw2 = ConvBN(half, half, 1, act="hardswish")

    def forward(self, x: Any) -> Any:
        a, b = paddle.split(x, [x.shape[1] // 2, x.shape[1] // 2], axis=1)
        b = self.pw2(self.se(self.dw(self.pw1(b))))
        return channel_shuffle(paddle.concat([a, b], axis=1), 2)


class ESDown(nn.Layer):
    """ESNet's stride 2 block."""

    def __init__(self, cin: int, cout: int) -> None:
        super().__init__()
        half = cout // 2
        self.dw1 = ConvBN(cin, cin, 3, 2, cin, "none")
        self.pw1 = ConvBN(cin, half, 1, act="hardswish")
        self.pw2 = ConvBN(cin, half, 1, act="hardswish")
        self.dw2 = ConvBN(half, half, 3, 2, half, "none")
        self.se = SE(half)
        self.pw3 = ConvBN(half, half, 1, act="hardswish")
        self.mix_dw = ConvBN(cout, cout, 3, 1, cout, "hardswish")
        self.mix_pw = ConvBN(cout, cout, 1, act="hardswish")

    def forward(self, x: Any) -> Any:
        a = self.pw1(self.dw1(x))
        b = self.pw3(self.se(self.dw2(self.pw2(x))))
        return self.mix_pw(self.mix_dw(paddle.concat([a, b], axis=1)))


class ESNet(nn.Layer):
    """ESNet: the first PicoDet's backbone."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = ConvBN(3, 8, 3, 2, act="hardswish")
        self.pool = nn.MaxPool2D(3, 2, 1)
        self.s3 = nn.Sequential(ESDown(8, 24), ESBlock(24))
        self.s4 = nn.Sequential(ESDown(24, 32), ESBlock(32), ESBlock(32))
        self.s5 = nn.Sequential(ESDown(32, 48), ESBlock(48))

    def forward(self, x: Any) -> list[Any]:
        c3 = self.s3(self.pool(self.stem(x)))
        c4 = self.s4(c3)
        return [c3, c4, self.s5(c4)]


class DP(nn.Layer):
    """Depthwise and pointwise convolution with batch norms."""

    def __init__(self, cin: int, cout: int, k: int = 5, stride: int = 1, act: str = "leaky"):
        super().__init__()
        self.dw = ConvBN(cin, cin, k, stride, cin, act)
        self.pw = ConvBN(cin, cout, 1, act=act)

    def forward(self, x: Any) -> Any:
        return self.pw(self.dw(x))


class CSP(nn.Layer):
    """CSP layer with one bottleneck."""

    def __init__(self, cin: int, cout: int, act: str = "leaky") -> None:
        super().__init__()
        mid = cout // 2
        self.main, self.short = ConvBN(cin, mid, act=act), ConvBN(cin, mid, act=act)
        self.b1, self.b2 = ConvBN(mid, mid, act=act), DP(mid, mid, act=act)
        self.final = ConvBN(mid * 2, cout, act=act)

    def forward(self, x: Any) -> Any:
        y = self.main(x)
        return self.final(paddle.concat([self.b2(self.b1(y)), self.short(x)], axis=1))


class CSPPAN(nn.Layer):
    """The neck: down and up again, with a fourth level."""

    def __init__(self, channels: list[int], c: int, act: str = "leaky") -> None:
        super().__init__()
        self.lateral = nn.LayerList([ConvBN(n, c, act=act) for n in channels])
        self.td = nn.LayerList([CSP(2 * c, c, act) for _ in range(2)])
        self.down = nn.LayerList([DP(c, c, stride=2, act=act) for _ in range(2)])
        self.bu = nn.LayerList([CSP(2 * c, c, act) for _ in range(2)])
        self.top1, self.top2 = DP(c, c, stride=2, act=act), DP(c, c, stride=2, act=act)

    def forward(self, feats: list[Any]) -> list[Any]:
        feats = [conv(f) for conv, f in zip(self.lateral, feats)]  # noqa: B905
        inner = [feats[-1]]
        for i, low in enumerate(feats[-2::-1]):
            up = F.upsample(inner[0], size=paddle.shape(low)[2:4], mode="nearest")
            inner.insert(0, self.td[i](paddle.concat([up, low], 1)))
        outs = [inner[0]]
        for i, high in enumerate(inner[1:]):
            outs.append(self.bu[i](paddle.concat([self.down[i](outs[-1]), high], 1)))
        outs.append(self.top1(feats[-1]) + self.top2(outs[-1]))
        return outs


class PicoHead(nn.Layer):
    """Generalised focal head: classes times quality, distances as distributions."""

    def __init__(self, c: int, classes: int = 5, levels: int = 4, reg_max: int = 7) -> None:
        super().__init__()
        self.classes, self.reg_max = classes, reg_max
        self.feat = nn.LayerList([DP(c, c, 5) for _ in range(levels)])
        self.se = nn.LayerList([SE(c, gate="sigmoid") for _ in range(levels)])
        self.cls = nn.LayerList([nn.Conv2D(c, classes, 1) for _ in range(levels)])
        self.reg = nn.LayerList([nn.Conv2D(c, 4 * (reg_max + 1), 1) for _ in range(levels)])
        self.align = nn.LayerList([DP(c, 1, 5, act="none") for _ in range(levels)])
        self.register_buffer("project", paddle.linspace(0, reg_max, reg_max + 1))

    def anchors(self, feats: list[Any], strides: list[int]) -> tuple[Any, Any]:
        points, scale = [], []
        for feat, stride in zip(feats, strides):  # noqa: B905
            h, w = paddle.shape(feat)[2], paddle.shape(feat)[3]
            sx = (paddle.arange(end=w, dtype="float32") + 0.5) * stride
            sy = (paddle.arange(end=h, dtype="float32") + 0.5) * stride
            y, x = paddle.meshgrid(sy, sx)
            points.append(paddle.stack([x, y], axis=-1).reshape([-1, 2]))
            scale.append(paddle.full([h * w, 1], stride, dtype="float32"))
        return paddle.concat(points), paddle.concat(scale)

    def forward(self, feats: list[Any], strides: list[int]) -> tuple[Any, Any]:
        points, scale = self.anchors(feats, strides)
        scores, boxes = [], []
        for i, feat in enumerate(feats):
            feat = self.feat[i](feat)
            refined = self.se[i](feat)
            quality = F.sigmoid(self.align[i](feat))
            score = (F.sigmoid(self.cls[i](feat)) * quality + 1e-9).sqrt()
            score = score.transpose([0, 2, 3, 1])
            b, h, w, _ = paddle.shape(score)
            scores.append(score.reshape([b, -1, self.classes]))
            reg = self.reg[i](refined).transpose([0, 2, 3, 1])
            reg = F.softmax(reg.reshape([-1, self.reg_max + 1]), axis=1)
            boxes.append(F.linear(reg, self.project.unsqueeze(1)).reshape([b, h * w, 4]))
        distance = paddle.concat(boxes, axis=1) * scale
        lt, rb = paddle.split(distance, 2, -1)
        corners = paddle.concat([points - lt, points + rb], -1)
        return corners, paddle.concat(scores, axis=1).transpose([0, 2, 1])


class PicoDet(nn.Layer):
    """Backbone, neck, head, NMS; boxes in the original picture's pixels."""

    def __init__(
        self, backbone: nn.Layer, act: str, post: str = "nms", threshold: float = 0.3
    ) -> None:
        super().__init__()
        self.backbone = backbone
        self.neck = CSPPAN([24, 32, 48], 24, act)
        self.head = PicoHead(24)
        self.post, self.threshold = post, threshold

    def forward(self, image: Any, scale_factor: Any = None, im_shape: Any = None) -> Any:
        boxes, scores = self.head(self.neck(self.backbone(image)), [8, 16, 32, 64])
        if self.post == "raw":
            return scores, boxes
        if self.post == "clip":
            limits = paddle.concat([im_shape[:, ::-1], im_shape[:, ::-1]], -1).unsqueeze(1)
            boxes = paddle.minimum(paddle.maximum(boxes, paddle.zeros_like(boxes)), limits)
        factor = paddle.concat([scale_factor[:, ::-1], scale_factor[:, ::-1]], axis=-1)
        boxes = boxes / factor.unsqueeze(1)
        out, index, count = multiclass_nms3(boxes, scores, score_threshold=self.threshold)
        return (out, count, index) if self.post == "clip" else (out, count)


SPECS = {
    "image": ([None, 3, None, None], "float32"),
    "scale_factor": ([None, 2], "float32"),
    "im_shape": ([None, 2], "float32"),
}


def only(*names: str) -> tuple[dict[str, Any], Any]:
    """Specs and runs with these inputs: an unused one cannot be exported."""
    return {k: SPECS[k] for k in names}, lambda: [
        {k: feed[k] for k in names} for feed in detection_feeds()
    ]


def detection_feeds() -> list[Feed]:
    feeds: list[Feed] = []
    for i, (n, h, w) in enumerate([(1, 128, 128), (2, 64, 96), (1, 97, 131), (3, 64, 64)]):
        feeds.append(
            {
                "image": picture((n, 3, h, w), i),
                "im_shape": np.array([[h, w]] * n, "float32"),
                "scale_factor": np.array([[0.5 + 0.25 * k, 0.75] for k in range(n)], "float32"),
            }
        )
    return feeds


PICO_SPECS, pico_feeds = only("image", "scale_factor")
RAW_SPECS, raw_feeds = only("image")
model("picodet_esnet", pico_feeds)(jit(lambda: PicoDet(ESNet(), "leaky"), PICO_SPECS))
model("picodet_lcnet_clip", detection_feeds)(
    jit(lambda: PicoDet(LCNet(), "hardswish", "clip"), SPECS)
)
model("picodet_raw", raw_feeds, slow=True)(
    jit(lambda: PicoDet(LCNet(), "hardswish", "raw"), RAW_SPECS)
)
model("picodet_none_found", pico_feeds)(
    jit(lambda: PicoDet(LCNet(), "leaky", threshold=0.995), PICO_SPECS)
)


class YoloV3(nn.Layer):
    """Three scales of yolo_box and one NMS."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(ConvBN(3, 8, 3, 2, act="leaky"), ConvBN(8, 16, 3, 2, act="leaky"))
        self.c3 = ConvBN(16, 24, 3, 2, act="leaky")
        self.c4 = ConvBN(24, 32, 3, 2, act="leaky")
        self.c5 = ConvBN(32, 48, 3, 2, act="leaky")
        self.route5, self.route4 = ConvBN(48, 32, act="leaky"), ConvBN(64, 24, act="leaky")
        self.out5 = nn.Conv2D(48, 3 * 9, 1)
        self.out4 = nn.Conv2D(64, 3 * 9, 1)
        self.out3 = nn.Conv2D(48, 3 * 9, 1)

    def forward(self, image: Any, scale_factor: Any, im_shape: Any) -> Any:
        c3 = self.c3(self.stem(image))
        c4 = self.c4(c3)
        c5 = self.c5(c4)
        p4 = paddle.concat([F.interpolate(self.route5(c5), scale_factor=2.0), c4], 1)
        p3 = paddle.concat([F.interpolate(self.route4(p4), scale_factor=2.0), c3], 1)
        origin = paddle.cast(paddle.floor(im_shape / scale_factor + 0.5), "int32")
        boxes, scores = [], []
        anchors = [[60, 50, 80, 90, 120, 110], [20, 30, 30, 25, 45, 40], [8, 10, 12, 18, 22, 14]]
        for i, out in enumerate([self.out5(c5), self.out4(p4), self.out3(p3)]):
            box, score = paddle.vision.ops.yolo_box(
                out, origin, anchors[i], 4, 0.05, 32 >> i, scale_x_y=1.05 if i else 1.0
            )
            boxes.append(box)
            scores.append(paddle.transpose(score, [0, 2, 1]))
        out, _, count = multiclass_nms3(
            paddle.concat(boxes, 1),
            paddle.concat(scores, 2),
            normalized=False,
            nms_eta=0.9,
            score_threshold=0.1,
        )
        return out, count


def yolo_feeds() -> list[Feed]:
    feeds: list[Feed] = []
    for i, (n, h, w) in enumerate([(1, 128, 128), (2, 64, 96), (1, 96, 32)]):
        feeds.append(
            {
                "image": picture((n, 3, h, w), i),
                "im_shape": np.array([[h, w]] * n, "float32"),
                "scale_factor": np.array([[0.5, 0.4]] * n, "float32"),
            }
        )
    return feeds


model("yolov3", yolo_feeds, needs=["floor"])(jit(YoloV3, SPECS))


class Ssd(nn.Layer):
    """Priors of two levels, box_coder, softmax, multiclass_nms3."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(ConvBN(3, 8, 3, 2), ConvBN(8, 16, 3, 2), ConvBN(16, 24, 3, 2))
        self.down = ConvBN(24, 32, 3, 2)
        self.loc = nn.LayerList([nn.Conv2D(c, 4 * 4, 3, padding=1) for c in (24, 32)])
        self.conf = nn.LayerList([nn.Conv2D(c, 4 * 4, 3, padding=1) for c in (24, 32)])

    def forward(self, image: Any, scale_factor: Any, im_shape: Any) -> Any:
        c1 = self.body(image)
        feats = [c1, self.down(c1)]
        priors, variances, locs, confs = [], [], [], []
        for i, feat in enumerate(feats):
            box, var = paddle.vision.ops.prior_box(
                feat,
                image,
                [16.0 + 16 * i],
                [32.0 + 16 * i],
                [2.0],
                flip=True,
                clip=True,
                variance=[0.1, 0.1, 0.2, 0.2],
            )
            priors.append(paddle.reshape(box, [-1, 4]))
            variances.append(paddle.reshape(var, [-1, 4]))
            loc = paddle.transpose(self.loc[i](feat), [0, 2, 3, 1])
            locs.append(paddle.reshape(loc, [0, -1, 4]))
            conf = paddle.transpose(self.conf[i](feat), [0, 2, 3, 1])
            confs.append(paddle.reshape(conf, [0, -1, 4]))
        boxes = paddle.vision.ops.box_coder(
            paddle.concat(priors),
            paddle.concat(variances),
            paddle.concat(locs, 1),
            code_type="decode_center_size",
        )
        scores = paddle.transpose(F.softmax(paddle.concat(confs, 1)), [0, 2, 1])
        height, width = paddle.split(im_shape / scale_factor, 2, -1)
        size = paddle.stack([width, height, width, height], axis=-1)
        out, _, count = multiclass_nms3(boxes * size, scores, background_label=0)
        return out, count


model("ssd", detection_feeds)(jit(Ssd, SPECS))
