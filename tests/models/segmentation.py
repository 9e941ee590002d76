"""Segmenters: HRNet with an OCR head (interactive), UNet, DeepLab, PP-LiteSeg's fusion."""

from __future__ import annotations

from typing import Any

import numpy as np
import paddle
import paddle.nn.functional as F  # noqa: N812
from paddle import nn
from recipes import ConvBN, Feed, images, jit, model, picture


class Basic(nn.Layer):
    """Residual block of two 3x3 convolutions."""

    def __init__(self, c: int) -> None:
        super().__init__()
        self.a, self.b = ConvBN(c, c, 3), ConvBN(c, c, 3, act="none")

    def forward(self, x: Any) -> Any:
        return F.relu(self.b(self.a(x)) + x)


class Bottleneck(nn.Layer):
    """Residual block of 1x1, 3x3, 1x1."""

    def __init__(self, cin: int, c: int) -> None:
        super().__init__()
        self.a, self.b = ConvBN(cin, c, 1), ConvBN(c, c, 3)
        self.c = ConvBN(c, 4 * c, 1, act="none")
        self.short = ConvBN(cin, 4 * c, 1, act="none") if cin != 4 * c else None

    def forward(self, x: Any) -> Any:
        short = x if self.short is None else self.short(x)
        return F.relu(self.c(self.b(self.a(x))) + short)


class HRModule(nn.Layer):
    """Parallel branches and their exchange."""

    def __init__(self, channels: list[int], align: bool) -> None:
        super().__init__()
        n, self.align = len(channels), align
        self.branches = nn.LayerList(
            [nn.Sequential(*[Basic(c) for _ in range(2)]) for c in channels]
        )
        rows = []
        for i in range(n):
            row = []
            for j in range(n):
                if j > i:
                    row.append(ConvBN(channels[j], channels[i], 1, act="none"))
                else:
                    steps = []
                    for k in range(i - j):
                        last = k == i - j - 1
                        steps.append(
                            ConvBN(
                                channels[j],
                                channels[i] if last else channels[j],
                                3,
                                2,
                                act="none" if last else "relu",
                            )
                        )
                    row.append(nn.Sequential(*steps))
            rows.append(nn.LayerList(row))
        self.fuse = nn.LayerList(rows)

    def forward(self, xs: list[Any]) -> list[Any]:
        xs = [branch(x) for branch, x in zip(self.branches, xs)]  # noqa: B905
        outs = []
        for i in range(len(xs)):
            total = xs[i]
            size = paddle.shape(total)[2:]
            for j in range(len(xs)):
                if j > i:
                    y = self.fuse[i][j](xs[j])
                    y = F.interpolate(y, size, mode="bilinear", align_corners=self.align)
                    total = total + y
                elif j < i:
                    total = total + self.fuse[i][j](xs[j])
            outs.append(F.relu(total))
        return outs


class HRNet(nn.Layer):
    """HRNet with `modules` exchange modules in stages 2, 3 and 4."""

    def __init__(self, cin: int, width: int, modules: tuple[int, int, int], align: bool) -> None:
        super().__init__()
        self.align = align
        self.stem = nn.Sequential(ConvBN(cin, 16, 3, 2), ConvBN(16, 16, 3, 2))
        self.layer1 = nn.Sequential(Bottleneck(16, 8), Bottleneck(32, 8))
        ch = [width * 2**i for i in range(4)]
        self.t1 = nn.LayerList([ConvBN(32, ch[0], 3), ConvBN(32, ch[1], 3, 2)])
        self.t2, self.t3 = ConvBN(ch[1], ch[2], 3, 2), ConvBN(ch[2], ch[3], 3, 2)
        self.s2, self.s3, self.s4 = (
            nn.LayerList([HRModule(ch[: i + 2], align) for _ in range(count)])
            for i, count in enumerate(modules)
        )

    def forward(self, x: Any) -> Any:
        x = self.layer1(self.stem(x))
        xs = [t(x) for t in self.t1]
        for m in self.s2:
            xs = m(xs)
        xs = [*xs, self.t2(xs[-1])]
        for m in self.s3:
            xs = m(xs)
        xs = [*xs, self.t3(xs[-1])]
        for m in self.s4:
            xs = m(xs)
        size = paddle.shape(xs[0])[2:]
        ups = [F.interpolate(y, size, mode="bilinear", align_corners=self.align) for y in xs[1:]]
        return paddle.concat([xs[0], *ups], axis=1)


class OCRHead(nn.Layer):
    """Object-contextual representations."""

    def __init__(self, cin: int, c: int = 16, key: int = 8, classes: int = 1) -> None:
        super().__init__()
        self.c, self.key, self.classes = c, key, classes
        self.conv3 = ConvBN(cin, c, 3)
        self.aux = nn.Sequential(ConvBN(cin, cin, 1), nn.Conv2D(cin, classes, 1))
        self.f_pixel = nn.Sequential(ConvBN(c, key), ConvBN(key, key))
        self.f_object = nn.Sequential(ConvBN(c, key), ConvBN(key, key))
        self.f_down, self.f_up = ConvBN(c, key), ConvBN(key, c)
        self.mix = ConvBN(2 * c, c)
        self.cls = nn.Conv2D(c, classes, 1)

    def forward(self, feats: Any) -> tuple[Any, Any]:
        aux = self.aux(feats)
        pixels = self.conv3(feats)
        flat = paddle.transpose(paddle.reshape(pixels, (0, self.c, -1)), (0, 2, 1))
        regions = F.softmax(paddle.reshape(aux, (0, self.classes, -1)), axis=2)
        context = paddle.transpose(paddle.bmm(regions, flat), (0, 2, 1)).unsqueeze(-1)
        query = paddle.reshape(self.f_pixel(pixels), (0, self.key, -1))
        keys = paddle.reshape(self.f_object(context), (0, self.key, -1))
        value = paddle.reshape(self.f_down(context), (0, self.key, -1))
        sim = paddle.matmul(query, keys, transpose_x=True) * self.key**-0.5
        att = paddle.matmul(F.softmax(sim, axis=-1), paddle.transpose(value, (0, 2, 1)))
        shape = paddle.shape(pixels)
        att = paddle.reshape(paddle.transpose(att, (0, 2, 1)), (0, self.key, shape[2], shape[3]))
        return self.cls(self.mix(paddle.concat([self.f_up(att), pixels], axis=1))), aux


class Interactive(nn.Layer):
    """Image, click maps and the previous mask in; mask out, at the image's size."""

    def __init__(self, modules: tuple[int, int, int], align: bool, points: bool) -> None:
        super().__init__()
        self.points, self.align = points, align
        self.rgb = nn.Sequential(nn.Conv2D(6, 8, 1), nn.LeakyReLU(0.2), nn.Conv2D(8, 3, 1))
        self.backbone = HRNet(3, 4, modules, align)
        self.head = OCRHead(60)

    def distance(self, points: Any, image: Any) -> Any:
        """tanh of the distance to the nearest positive and negative click."""
        shape = paddle.shape(image)
        rows, cols = shape[2], shape[3]
        half = points.shape[1] // 2
        flat, _ = paddle.split(points.reshape([-1, 3]), [2, 1], axis=1)
        y, x = paddle.meshgrid(
            paddle.arange(0, rows, dtype="float32"), paddle.arange(0, cols, dtype="float32")
        )
        coords = paddle.stack([y, x], axis=0).unsqueeze(0)
        coords = (coords - flat.reshape([-1, 2, 1, 1])) / 5.0
        coords = (coords * coords).sum(axis=1, keepdim=True)
        missing = paddle.cast(flat.max(axis=1) < 0, "float32").reshape([-1, 1, 1, 1])
        coords = (coords + missing * 1e6).reshape([-1, half, 1, rows, cols])
        coords = paddle.min(coords, axis=1).reshape([-1, 2, rows, cols])
        return paddle.tanh(paddle.sqrt(coords) * 2)

    def maps(self, offsets: Any) -> Any:
        """The same from offsets that the caller computed: abs, sqrt and tanh alone."""
        return paddle.tanh(paddle.sqrt(paddle.abs(offsets)) * 2.0)

    def forward(self, image: Any, clicks: Any) -> Any:
        rgb, mask = paddle.split(image, [3, 1], axis=1)
        coord = self.distance(clicks, rgb) if self.points else self.maps(clicks)
        feats = self.backbone(self.rgb(paddle.concat([rgb, F.sigmoid(mask), coord], axis=1)))
        out, aux = self.head(feats)
        size = paddle.shape(image)[2:]
        out = F.interpolate(out, size, mode="bilinear", align_corners=True)
        return F.sigmoid(out), F.interpolate(aux, size, mode="bilinear", align_corners=self.align)


def click_feeds() -> list[Feed]:
    feeds: list[Feed] = []
    for i, (n, h, w) in enumerate([(1, 64, 64), (2, 48, 80), (1, 45, 67)]):
        clicks = np.full((n, 6, 3), -1, "float32")
        clicks[:, 0], clicks[:, 3] = [h / 3, w / 2, 0], [h / 2, w / 4, 1]
        feeds.append({"image": picture((n, 4, h, w), i), "clicks": clicks})
    return feeds


def map_feeds() -> list[Feed]:
    sizes = [(1, 64, 64), (2, 48, 80), (1, 45, 67)]
    return [
        {"image": picture((n, 4, h, w), i), "clicks": picture((n, 2, h, w), i + 9)}
        for i, (n, h, w) in enumerate(sizes)
    ]


IMAGE4 = ([None, 4, None, None], "float32")
model(
    "hrnet_ocr_points",
    click_feeds,
    needs=["less_than", "reduce_max", "reduce_min", "reduce_sum"],
)(
    jit(
        lambda: Interactive((1, 1, 1), True, True),
        {"image": IMAGE4, "clicks": ([None, 6, 3], "float32")},
    )
)
model("hrnet_ocr_deep", map_feeds, slow=True)(
    jit(
        lambda: Interactive((1, 4, 3), False, False),
        {"image": IMAGE4, "clicks": ([None, 2, None, None], "float32")},
    )
)
model("hrnet_ocr_maps", map_feeds)(
    jit(
        lambda: Interactive((1, 1, 1), False, False),
        {"image": IMAGE4, "clicks": ([None, 2, None, None], "float32")},
    )
)


class UNet(nn.Layer):
    """Three levels, one way up with transposed convolutions and one with interpolation."""

    def __init__(self, transposed: bool) -> None:
        super().__init__()
        self.transposed = transposed
        self.inc = nn.Sequential(ConvBN(3, 8, 3), ConvBN(8, 8, 3))
        self.d1, self.d2 = ConvBN(8, 16, 3), ConvBN(16, 16, 3)
        self.pool = nn.MaxPool2D(2, 2, ceil_mode=not transposed)
        self.t1 = nn.Conv2DTranspose(16, 16, 2, 2)
        self.t2 = nn.Conv2DTranspose(8, 8, 3, 2, 1, 1)
        self.u1, self.u2 = ConvBN(32, 8, 3), ConvBN(16, 8, 3)
        self.out = nn.Conv2D(8, 4, 3, padding=1)

    def up(self, x: Any, skip: Any, layer: Any) -> Any:
        if self.transposed:
            return paddle.concat([skip, layer(x)], 1)
        x = F.interpolate(x, paddle.shape(skip)[-2:], mode="bilinear")
        return paddle.concat([skip, x], 1)

    def forward(self, x: Any) -> Any:
        a = self.inc(x)
        b = self.d1(self.pool(a))
        c = self.d2(self.pool(b))
        y = self.u2(self.up(self.u1(self.up(c, b, self.t1)), a, self.t2))
        return paddle.argmax(self.out(y), axis=1), F.softmax(self.out(y), axis=1)


X = {"x": ([None, 3, None, None], "float32")}
model("unet_transposed", images((1, 3, 32, 32), (2, 3, 48, 16), (3, 3, 4, 4)))(
    jit(lambda: UNet(True), X)
)
model("unet_resize", images((1, 3, 32, 32), (2, 3, 33, 17), (1, 3, 1, 1), (1, 3, 5, 1)))(
    jit(lambda: UNet(False), X)
)


class DeepLab(nn.Layer):
    """ASPP with dilations and image pooling, decoder with a low-level skip."""

    def __init__(self, align: bool) -> None:
        super().__init__()
        self.align = align
        self.low = nn.Sequential(ConvBN(3, 8, 3, 2), ConvBN(8, 16, 3, 2))
        self.high = nn.Sequential(ConvBN(16, 24, 3, 2), ConvBN(24, 24, 3, dilation=2))
        self.aspp = nn.LayerList(
            [ConvBN(24, 8), *[ConvBN(24, 8, 3, dilation=d) for d in (6, 12, 18)]]
        )
        self.sep = nn.Sequential(
            ConvBN(24, 24, 3, groups=24, dilation=3, act="none"), ConvBN(24, 8)
        )
        self.pool = nn.Sequential(
            nn.AdaptiveAvgPool2D(1),
            nn.Conv2D(24, 8, 1, bias_attr=False),
            nn.BatchNorm2D(8),
            nn.ReLU(),
        )
        self.project, self.drop = ConvBN(48, 8), nn.Dropout(0.1, mode="downscale_in_infer")
        self.reduce, self.cls = ConvBN(16, 4), nn.Conv2D(12, 5, 1)

    def forward(self, x: Any) -> Any:
        low = self.low(x)
        high = self.high(low)
        size = paddle.shape(high)[2:]
        outs = [f(high) for f in self.aspp] + [self.sep(high)]
        pooled = self.pool(high)
        outs.append(F.interpolate(pooled, size, mode="bilinear", align_corners=self.align))
        y = self.drop(self.project(paddle.concat(outs, axis=1)))
        y = F.interpolate(y, paddle.shape(low)[2:], mode="bilinear", align_corners=self.align)
        y = self.cls(paddle.concat([y, self.reduce(low)], axis=1))
        y = F.interpolate(y, paddle.shape(x)[2:], mode="bilinear", align_corners=self.align)
        return paddle.cast(paddle.argmax(y, axis=1, keepdim=True), "int32"), y


SIZES = images((1, 3, 64, 64), (2, 3, 65, 47), (1, 3, 33, 97), (1, 3, 1, 3))
model("deeplab", SIZES)(jit(lambda: DeepLab(False), X))
model("deeplab_aligned", SIZES)(jit(lambda: DeepLab(True), X))


class LiteSeg(nn.Layer):
    """PP-LiteSeg: pyramid pooling and attention from channel means and maxima."""

    def __init__(self) -> None:
        super().__init__()
        self.c1 = nn.Sequential(ConvBN(3, 8, 3, 2), ConvBN(8, 16, 3, 2))
        self.c2 = ConvBN(16, 16, 3, 2)
        self.stages = nn.LayerList(
            [nn.Sequential(nn.AdaptiveAvgPool2D(s), ConvBN(16, 8)) for s in (1, 2, 4)]
        )
        self.out, self.x, self.att = (
            ConvBN(8, 16, 3),
            ConvBN(16, 16, 3),
            ConvBN(4, 1, 3, act="none"),
        )
        self.head = nn.Sequential(ConvBN(16, 8, 3), nn.Conv2D(8, 3, 1, bias_attr=False))

    def forward(self, x: Any) -> Any:
        low = self.c1(x)
        high = self.c2(low)
        size = paddle.shape(high)[2:]
        total = None
        for stage in self.stages:
            y = F.interpolate(stage(high), size, mode="bilinear", align_corners=False)
            total = y if total is None else total + y
        up = F.interpolate(self.out(total), paddle.shape(low)[2:], mode="bilinear")
        low = self.x(low)
        parts = []
        for t in (up, low):
            parts += [paddle.mean(t, axis=1, keepdim=True), paddle.max(t, axis=1, keepdim=True)]
        att = F.sigmoid(self.att(paddle.concat(parts, axis=1)))
        y = self.head(up * att + low * (1 - att))
        return F.interpolate(y, paddle.shape(x)[2:], mode="bilinear", align_corners=False)


model("liteseg", images((1, 3, 64, 64), (2, 3, 65, 47)), needs=["reduce_max", "reduce_mean"])(
    jit(LiteSeg, X)
)
