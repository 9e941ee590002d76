"""Small nets that find things at every place of a map: PaddleX publishes them without classes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import paddle
from cases import add, f
from detectors import NMS, two_sizes
from paddle import nn
from recipes import ConvBN

F = nn.functional


class Fcos(nn.Layer):
    """Distances of places to four sides, a scale a level, centreness, NMS."""

    def __init__(self) -> None:
        super().__init__()
        self.stages = nn.LayerList([ConvBN(3, 8, 3, 4), ConvBN(8, 8, 3, 2)])
        self.tower = nn.Sequential(nn.Conv2D(8, 8, 3, padding=1), nn.GroupNorm(4, 8), nn.ReLU())
        self.cls, self.reg, self.ctr = (
            nn.Conv2D(8, 3, 3, padding=1),
            nn.Conv2D(8, 4, 3, padding=1),
            nn.Conv2D(8, 1, 3, padding=1),
        )
        self.scales = nn.ParameterList([self.create_parameter([1]) for _ in range(2)])

    def forward(self, image: Any, scale_factor: Any) -> Any:
        x, boxes, scores = image, [], []
        for level, stage in enumerate(self.stages):
            x, stride = stage(x), 4 * 2**level
            y = self.tower(x)
            h, w = paddle.shape(x)[2], paddle.shape(x)[3]
            ys, xs = paddle.meshgrid(
                paddle.arange(0, h * stride, stride), paddle.arange(0, w * stride, stride)
            )
            point = (paddle.stack([xs, ys], -1).astype("float32") + stride // 2).reshape([1, -1, 2])
            reg = F.relu(self.reg(y) * self.scales[level]) * stride
            reg = reg.flatten(2).transpose([0, 2, 1])
            boxes.append(paddle.concat([point - reg[:, :, :2], point + reg[:, :, 2:]], -1))
            both = F.sigmoid(self.cls(y)) * F.sigmoid(self.ctr(y))
            scores.append(both.sqrt().flatten(2))
        found = paddle.concat(boxes, 1) / paddle.concat([scale_factor.flip(-1)] * 2, -1).unsqueeze(
            1
        )
        return NMS(found, paddle.concat(scores, -1), None, 0.25, 40, 8, 0.6, False, 1.0, -1)


add(Fcos, *two_sizes("scale_factor"))


class Yolox(nn.Layer):
    """Focus by slices, SiLU, boxes by grids and exponentials, NMS over objectness times class."""

    def __init__(self) -> None:
        super().__init__()
        self.focus = ConvBN(12, 8, 3, 1, act="swish")
        self.stages = nn.LayerList(
            [ConvBN(8, 8, 3, 2, act="swish"), ConvBN(8, 8, 3, 2, act="swish")]
        )
        self.pools = nn.LayerList([nn.MaxPool2D(k, 1, k // 2) for k in (3, 5)])
        self.heads = nn.LayerList([nn.Conv2D(24, 4 + 1 + 2, 1) for _ in range(2)])

    def forward(self, image: Any, scale_factor: Any) -> Any:
        a, b = image[:, :, 0::2, 0::2], image[:, :, 1::2, 0::2]
        c, d = image[:, :, 0::2, 1::2], image[:, :, 1::2, 1::2]
        x, outputs, grids, strides = self.focus(paddle.concat([a, b, c, d], 1)), [], [], []
        for level, stage in enumerate(self.stages):
            x = stage(x)
            y = self.heads[level](paddle.concat([x] + [pool(x) for pool in self.pools], 1))
            h, w = paddle.shape(y)[2], paddle.shape(y)[3]
            reg, rest = y.split([4, 3], 1)
            outputs.append(paddle.concat([reg, F.sigmoid(rest)], 1).flatten(2).transpose([0, 2, 1]))
            ys, xs = paddle.meshgrid(paddle.arange(h), paddle.arange(w))
            grids.append(paddle.stack((xs, ys), 2).reshape([1, -1, 2]).astype("float32"))
            strides.append(paddle.full([1, h * w, 1], 4 * 2**level, dtype="float32"))
        found, grid, stride = (
            paddle.concat(outputs, 1),
            paddle.concat(grids, 1),
            paddle.concat(strides, 1),
        )
        centre, size = (found[..., :2] + grid) * stride, paddle.exp(found[..., 2:4]) * stride
        boxes = paddle.concat([centre - size / 2, centre + size / 2], -1)
        boxes = boxes / scale_factor.flip(-1).tile([1, 2]).unsqueeze(1)
        scores = (found[..., 4:5] * found[..., 5:]).transpose([0, 2, 1])
        return NMS(boxes, scores, None, 0.2, 60, 10, 0.65, True, 1.0, -1)


add(Yolox, *two_sizes("scale_factor"))


class PpYoloeR(nn.Layer):
    """Turned boxes: an angle as the mean of bins, eight corners, NMS of polygons."""

    def __init__(self) -> None:
        super().__init__()
        self.stages = nn.LayerList(
            [ConvBN(3, 8, 3, 4, act="swish"), ConvBN(8, 8, 3, 2, act="swish")]
        )
        self.cls = nn.LayerList([nn.Conv2D(8, 2, 3, padding=1) for _ in range(2)])
        self.reg = nn.LayerList([nn.Conv2D(8, 4, 3, padding=1) for _ in range(2)])
        self.angle = nn.LayerList([nn.Conv2D(8, 11, 3, padding=1) for _ in range(2)])

    def forward(self, image: Any, scale_factor: Any) -> Any:
        x, scores, boxes = image, [], []
        bins = paddle.linspace(0, math.pi / 2, 11)
        for level, stage in enumerate(self.stages):
            x, stride = stage(x), 4.0 * 2**level
            h, w = paddle.shape(x)[2], paddle.shape(x)[3]
            ys, xs = paddle.meshgrid(
                (paddle.arange(h) + 0.5) * stride, (paddle.arange(w) + 0.5) * stride
            )
            point = paddle.stack([xs, ys], -1).astype("float32").reshape([1, -1, 2])
            xy, wh = self.reg[level](x).flatten(2).transpose([0, 2, 1]).split(2, -1)
            angle = F.softmax(self.angle[level](x).flatten(2).transpose([0, 2, 1])) @ bins
            wh = (F.elu(wh) + 1.0) * stride * 2
            boxes.append(paddle.concat([point + xy * stride, wh, angle.unsqueeze(-1)], -1))
            scores.append(F.sigmoid(self.cls[level](x)).flatten(2))
        x, y, w, h, angle = paddle.concat(boxes, 1).split(5, -1)
        cos, sin = paddle.cos(angle) * 0.5, paddle.sin(angle) * 0.5
        corners = []
        for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
            corners += [x + a * w * cos - b * h * sin, y + a * w * sin + b * h * cos]
        turned = paddle.concat(corners, -1) / scale_factor.flip(-1).tile([1, 4]).unsqueeze(1)
        return NMS(turned, paddle.concat(scores, -1), None, 0.3, 40, 8, 0.1, True, 1.0, -1)


add(PpYoloeR, *two_sizes("scale_factor"))


class BlazeFace(nn.Layer):
    """Depthwise 5x5, channels padded beside pools, prior boxes decoded, NMS of one class."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = ConvBN(3, 8, 3, 2)
        self.blocks = nn.LayerList(
            [
                nn.Sequential(
                    nn.Conv2D(8 + 4 * k, 8 + 4 * k, 5, 2, 2, groups=8 + 4 * k),
                    nn.Conv2D(8 + 4 * k, 12 + 4 * k, 1),
                    nn.BatchNorm2D(12 + 4 * k),
                )
                for k in range(2)
            ]
        )
        self.score = nn.LayerList([nn.Conv2D(12 + 4 * k, 2 * 2, 3, padding=1) for k in range(2)])
        self.box = nn.LayerList([nn.Conv2D(12 + 4 * k, 2 * 4, 3, padding=1) for k in range(2)])

    def forward(self, image: Any, im_shape: Any, scale_factor: Any) -> Any:
        x, boxes, scores, priors = self.stem(image), [], [], []
        for k, block in enumerate(self.blocks):
            pool = F.max_pool2d(x, 2, 2, ceil_mode=True)
            short = paddle.concat([pool, paddle.zeros_like(pool[:, :4])], 1)
            x = F.relu(short + block(x))
            boxes.append(self.box[k](x).transpose([0, 2, 3, 1]).reshape([0, -1, 4]))
            scores.append(self.score[k](x).transpose([0, 2, 3, 1]).reshape([0, -1, 2]))
            box, _ = paddle.vision.ops.prior_box(
                x,
                image,
                [8.0 * (k + 1), 12.0 * (k + 1)],
                None,
                [1.0],
                steps=[4.0 * 2**k] * 2,
                offset=0.5,
            )
            priors.append(box.reshape([-1, 4]))
        prior = paddle.concat(priors)
        delta, score = paddle.concat(boxes, 1), F.softmax(paddle.concat(scores, 1))
        wh = prior[:, 2:] - prior[:, :2]
        centre = prior[:, :2] + wh * 0.5
        found = delta[:, :, :2] * 0.1 * wh + centre
        size = paddle.exp(delta[:, :, 2:] * 0.2) * wh
        whole = paddle.concat([found - size * 0.5, found + size * 0.5], -1)
        height, width = (im_shape / scale_factor).split(2, -1)
        whole = whole * paddle.concat([width, height, width, height], -1).unsqueeze(1)
        return NMS(whole, score.transpose([0, 2, 1]), None, 0.3, 60, 10, 0.3, False, 1.0, 0)


add(BlazeFace, *two_sizes("im_shape", "scale_factor"))


class SoloV2(nn.Layer):
    """Kernels of the picture's own: cells above a score filter the masks; matrix NMS."""

    def __init__(self) -> None:
        super().__init__()
        self.net, self.pixels = (
            nn.Sequential(ConvBN(3, 8, 3, 4), ConvBN(8, 8, 3, 1)),
            nn.Conv2D(10, 4, 1),
        )
        self.kernel, self.score = nn.Conv2D(10, 4, 3, padding=1), nn.Conv2D(8, 2, 3, padding=1)

    def coordinates(self, x: Any) -> Any:
        h, w = paddle.shape(x)[2], paddle.shape(x)[3]
        ys, xs = paddle.meshgrid([paddle.linspace(-1, 1, h), paddle.linspace(-1, 1, w)])
        return paddle.concat([x, paddle.stack([xs, ys]).unsqueeze(0)], 1)

    def forward(self, image: Any) -> Any:
        x = self.net(image)
        grid = F.interpolate(x, size=[5, 5], mode="bilinear", align_corners=False)
        pixels = F.relu(self.pixels(self.coordinates(x)))
        kernels = self.kernel(self.coordinates(grid)).transpose([0, 2, 3, 1]).reshape([-1, 4])
        score = F.sigmoid(self.score(grid))
        score = (
            (score * (F.max_pool2d(score, 2, 1, 1)[:, :, :-1, :-1] == score).astype("float32"))
            .transpose([0, 2, 3, 1])
            .reshape([-1, 2])
        )
        at = paddle.nonzero(score > 0.3)
        best = score.masked_select(score > 0.3)
        labels = at[:, 1]
        masks = F.conv2d(pixels, paddle.gather(kernels, at[:, 0]).unsqueeze([2, 3]))
        masks = F.sigmoid(masks).squeeze(0)
        on = (masks > 0.5).astype("float32")
        area = on.sum([1, 2])
        best = best * masks.mean([1, 2])
        order = paddle.argsort(best, descending=True)
        best, labels, on, area = (paddle.gather(v, order) for v in (best, labels, on, area))
        flat = on.flatten(1)
        common = flat @ flat.t()
        areas = area.unsqueeze(0).expand([area.shape[0], area.shape[0]])
        iou = (common / (areas + areas.t() - common + 1e-6)).triu(1)
        same = (labels.unsqueeze(0) == labels.unsqueeze(1)).astype("float32").triu(1)
        iou = iou * same
        most = iou.max(0)
        decay = (paddle.exp(-2 * iou**2) / paddle.exp(-2 * most.unsqueeze(-1) ** 2)).min(0)
        big = F.interpolate(on.unsqueeze(0), scale_factor=4, mode="bilinear").squeeze(0)
        return labels, best * decay, (big > 0.5).astype("uint8")


add(SoloV2, {"image": f(1, 3, 32, 32)}, {"image": f(1, 3, 48, 40)}, dynamic={"image": (0,)})


class BevFusion(nn.Layer):
    """The dense part: pillars scattered, pictures lifted by depth and sampled, heat maps."""

    def __init__(self) -> None:
        super().__init__()
        self.pillar = nn.Linear(6, 8)
        self.image = ConvBN(3, 4, 3, 4)
        self.depth = nn.Conv2D(4, 3 + 4, 1)
        self.down, self.up = ConvBN(12, 8, 3, 2), nn.Conv2DTranspose(8, 8, 2, 2)
        self.heat, self.box = nn.Conv2D(8, 2, 3, padding=1), nn.Conv2D(8, 6, 1)

    def forward(self, voxels: Any, coords: Any, image: Any, grid: Any) -> Any:
        feature = F.relu(self.pillar(voxels)).max(1)
        place = coords[:, 0] * 8 + coords[:, 1]
        flat = paddle.zeros([64, 8])
        dense = paddle.scatter(flat, place, feature, overwrite=True).t().reshape([1, 8, 8, 8])
        both = self.depth(self.image(image))
        lifted = F.softmax(both[:, :3], 1).unsqueeze(1) * both[:, 3:].unsqueeze(2)
        sampled = F.grid_sample(
            lifted, grid, mode="bilinear", padding_mode="zeros", align_corners=True
        )
        sampled = sampled.sum(2).mean(0, keepdim=True)
        x = self.down(paddle.concat([dense, sampled], 1))
        x = F.relu(self.up(x))
        heat = F.sigmoid(self.heat(x)).clip(1e-4, 1 - 1e-4)
        keep = (F.max_pool2d(heat, 3, 1, 1) == heat).astype("float32")
        best, index = (heat * keep).flatten(1).topk(4)
        box = self.box(x).flatten(2).transpose([0, 2, 1])
        box = paddle.take_along_axis(box, (index % 64).unsqueeze(-1).expand([-1, -1, 6]), 1)
        turn = paddle.atan2(box[..., 4:5], box[..., 5:6])
        return paddle.concat([box[..., :2], box[..., 2:4].exp(), turn], -1), best, index // 64


def pillars(count: int) -> dict[str, np.ndarray]:
    places = np.random.RandomState(count).permutation(64)[:count]
    return {
        "voxels": f(count, 5, 6),
        "coords": np.stack([places // 8, places % 8], 1),
        "image": f(2, 3, 16, 24),
        "grid": f(2, 3, 8, 8, 3) / 2,
    }


add(BevFusion, pillars(9), pillars(30))
