"""Small nets in two stages, with heads of queries and of faces, as their authors write them."""

from __future__ import annotations

from typing import Any

import paddle
from cases import add, f
from detectors import NMS, two_sizes
from paddle import nn
from recipes import ConvBN

F = nn.functional


class MaskRcnn(nn.Layer):
    """Proposals of two levels, dealt out to them again, boxes by class, masks of what is left."""

    def __init__(self) -> None:
        super().__init__()
        self.stages = nn.LayerList([ConvBN(3, 8, 3, 4), ConvBN(8, 8, 3, 2)])
        self.rpn, self.objectness, self.delta = (
            nn.Conv2D(8, 8, 3, padding=1),
            nn.Conv2D(8, 3, 1),
            nn.Conv2D(8, 12, 1),
        )
        self.fc, self.score, self.box = nn.Linear(8 * 9, 16), nn.Linear(16, 3), nn.Linear(16, 8)
        self.mask = nn.Sequential(nn.Conv2DTranspose(8, 8, 2, 2), nn.ReLU(), nn.Conv2D(8, 2, 1))

    def anchors(self, x: Any, stride: int) -> Any:
        h, w = paddle.shape(x)[2], paddle.shape(x)[3]
        size = stride * 2.0
        base = paddle.to_tensor(
            [
                [-size, -size / 2, size, size / 2],
                [-size, -size, size, size],
                [-size / 2, -size, size / 2, size],
            ]
        )
        y, xs = paddle.meshgrid(
            paddle.arange(0, h * stride, stride, dtype="float32"),
            paddle.arange(0, w * stride, stride, dtype="float32"),
        )
        shift = paddle.stack([xs.flatten(), y.flatten(), xs.flatten(), y.flatten()], -1)
        return (shift.unsqueeze(1) + base).reshape([-1, 4])

    def rois(self, maps: list[Any], boxes: Any, count: Any, size: int) -> Any:
        parts, restore, counts = paddle.vision.ops.distribute_fpn_proposals(
            boxes, 2, 3, 3, 16, rois_num=count
        )
        found = [
            paddle.vision.ops.roi_align(
                x, part, n, size, 1.0 / stride, sampling_ratio=2, aligned=True
            )
            for x, part, n, stride in (
                (maps[0], parts[0], counts[0], 4),
                (maps[1], parts[1], counts[1], 8),
            )
        ]
        return paddle.gather(paddle.concat(found), restore.flatten())

    def forward(self, image: Any, im_shape: Any, scale_factor: Any) -> Any:
        x, maps, boxes, scores = image, [], [], []
        for level, stage in enumerate(self.stages):
            x = stage(x)
            maps.append(x)
            y = F.relu(self.rpn(x))
            anchor = self.anchors(x, 4 * 2**level)
            box, score, count = paddle.vision.ops.generate_proposals(
                F.sigmoid(self.objectness(y)),
                self.delta(y),
                im_shape,
                anchor,
                paddle.ones_like(anchor),
                40,
                12,
                0.7,
                2.0,
                return_rois_num=True,
            )
            boxes.append(box)
            scores.append(score)
        both, score = paddle.concat(boxes), paddle.concat(scores).flatten()
        _, best = paddle.topk(
            score, paddle.minimum(paddle.to_tensor(8), paddle.shape(score)[0].astype("int64"))
        )
        boxes = paddle.gather(both, best)
        count = paddle.shape(boxes)[0:1].astype("int32")
        y = F.relu(self.fc(self.rois(maps, boxes, count, 3).flatten(1)))
        prob = F.softmax(self.score(y))
        centre, size = (boxes[:, :2] + boxes[:, 2:]) / 2, boxes[:, 2:] - boxes[:, :2]
        delta = self.box(y).reshape([-1, 2, 4])
        middle = delta[:, :, :2] * 0.1 * size.unsqueeze(1) + centre.unsqueeze(1)
        half = paddle.exp(delta[:, :, 2:] * 0.2) * size.unsqueeze(1) / 2
        decoded = paddle.concat([middle - half, middle + half], -1)
        height, width = im_shape[0, 0], im_shape[0, 1]
        decoded = paddle.stack(
            [
                decoded[:, :, 0].clip(0, width),
                decoded[:, :, 1].clip(0, height),
                decoded[:, :, 2].clip(0, width),
                decoded[:, :, 3].clip(0, height),
            ],
            -1,
        )
        found, _, number = NMS(decoded, prob[:, :2], count, 0.2, 30, 5, 0.5, True, 1.0, -1)
        masks = paddle.zeros([1, 2, 6, 6])
        if paddle.shape(found)[0] > 0:
            inner = self.rois(maps, found[:, 2:], number, 3)
            masks = F.sigmoid(self.mask(inner))
        scale = paddle.concat([scale_factor.flip(-1)] * 2, -1)
        return paddle.concat([found[:, :2], found[:, 2:] / scale], 1), number, masks


add(
    MaskRcnn,
    *[
        {
            **run,
            "image": run["image"][:1],
            "im_shape": run["im_shape"][:1],
            "scale_factor": run["scale_factor"][:1],
        }
        for run in two_sizes("im_shape", "scale_factor")
    ],
)


class MlDecoder(nn.Layer):
    """Labels as groups of queries; each group has a product of its own, written into the result."""

    def __init__(self) -> None:
        super().__init__()
        self.net, self.embed = (
            nn.Sequential(ConvBN(3, 8, 3, 4), ConvBN(8, 8, 3, 2)),
            nn.Linear(8, 8),
        )
        self.query = nn.Embedding(3, 8)
        self.decoder = nn.TransformerDecoderLayer(8, 2, 16, 0.0)
        self.products, self.bias = self.create_parameter([3, 8, 4]), self.create_parameter([10])

    def forward(self, x: Any) -> Any:
        x = self.net(x).flatten(2).transpose([0, 2, 1])
        memory = F.relu(self.embed(x))
        n = memory.shape[0]
        query = self.query.weight.unsqueeze(0).expand([n, 3, 8])
        h = self.decoder(query, memory)
        out = paddle.zeros([n, 3, 4])
        for at in range(3):
            out[:, at, :] = paddle.matmul(h[:, at, :], self.products[at])
        return F.sigmoid(out.reshape([n, 12])[:, :10] + self.bias)


add(MlDecoder, {"x": f(1, 3, 32, 32)}, {"x": f(3, 3, 40, 24)})


class ClipVision(nn.Layer):
    """A class token before patches, quick GELU, a vector of unit length, scores of fixed words."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = nn.Conv2D(3, 8, 8, 8, bias_attr=False)
        self.token, self.place = self.create_parameter([8]), self.create_parameter([17, 8])
        self.a, self.b, self.c = nn.LayerNorm(8), nn.LayerNorm(8), nn.LayerNorm(8)
        self.attention, self.up, self.down = (
            nn.MultiHeadAttention(8, 2),
            nn.Linear(8, 16),
            nn.Linear(16, 8),
        )
        self.project, self.words, self.scale = (
            self.create_parameter([8, 6]),
            self.create_parameter([5, 6]),
            self.create_parameter([1]),
        )

    def forward(self, x: Any) -> Any:
        x = self.patch(x).flatten(2).transpose([0, 2, 1])
        x = (
            paddle.concat([self.token + paddle.zeros([x.shape[0], 1, 8], x.dtype), x], 1)
            + self.place
        )
        x = self.a(x)
        x = x + self.attention(self.b(x))
        y = self.up(self.c(x))
        x = x + self.down(y * F.sigmoid(1.702 * y))
        x = x[:, 0] @ self.project
        x = x / x.norm(axis=-1, keepdim=True)
        words = self.words / paddle.linalg.norm(self.words, p=2, axis=-1, keepdim=True)
        return F.softmax(self.scale.exp() * x @ words.t()), x


add(ClipVision, {"x": f(1, 3, 32, 32)}, {"x": f(4, 3, 32, 32)})


class MobileFace(nn.Layer):
    """PReLU a channel, a depthwise layer as large as the map, both turns in one vector."""

    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(ConvBN(3, 8, 3, 2), nn.PReLU(8), ConvBN(8, 8, 3, 2), nn.PReLU(8))
        self.all = nn.Conv2D(8, 8, (7, 7), groups=8, bias_attr=False)
        self.norm, self.fc, self.last = (
            nn.BatchNorm2D(8),
            nn.Conv2D(8, 6, 1, bias_attr=False),
            nn.BatchNorm1D(6),
        )

    def forward(self, x: Any) -> Any:
        both = paddle.concat([x, paddle.flip(x, [3])], 0)
        y = self.last(self.fc(self.norm(self.all(self.net(both)))).flatten(1))
        a, b = paddle.split(y, 2, axis=0)
        return F.normalize(a + b)


add(MobileFace, {"x": f(1, 3, 28, 28)}, {"x": f(3, 3, 28, 28)})


class MobileSeg(nn.Layer):
    """Pools and resizes whose sizes follow the picture, gates of details."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = ConvBN(3, 8, 3, 4, act="hardswish"), ConvBN(8, 8, 3, 2, act="hardswish")
        self.mix, self.gate, self.head = nn.Conv2D(16, 8, 1), nn.Conv2D(8, 8, 1), nn.Conv2D(8, 4, 1)

    def forward(self, x: Any) -> Any:
        size = paddle.shape(x)[2:]
        large = self.a(x)
        small = self.b(large)
        pooled = F.avg_pool2d(large, 2, 2, ceil_mode=True)
        y = self.mix(paddle.concat([pooled, small], 1))
        y = F.interpolate(y, paddle.shape(large)[2:], mode="bilinear", align_corners=True)
        gate = F.hardsigmoid(
            F.interpolate(
                self.gate(large), paddle.shape(large)[-2:], mode="bicubic", align_corners=False
            )
        )
        y = self.head(y * gate + large)
        y = F.interpolate(y, size, mode="bilinear", align_corners=False)
        best = paddle.argmax(y, axis=1, keepdim=False, dtype="int32")
        return best, paddle.max(F.softmax(y, axis=1), axis=1)


add(MobileSeg, {"x": f(1, 3, 32, 32)}, {"x": f(2, 3, 40, 56)})


class MaskRtDetr(nn.Layer):
    """Masks of queries as products, pasted by a threshold that differs by class."""

    def __init__(self) -> None:
        super().__init__()
        self.net, self.pixels = ConvBN(3, 8, 3, 4), nn.Conv2DTranspose(8, 8, 4, 2, 1)
        self.query, self.mask = (
            nn.Embedding(6, 8),
            nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8)),
        )
        self.attention, self.score, self.box = (
            nn.MultiHeadAttention(8, 2),
            nn.Linear(8, 3),
            nn.Linear(8, 4),
        )
        self.limits = paddle.to_tensor([0.3, 0.5, 0.4])

    def forward(self, image: Any, im_shape: Any, scale_factor: Any) -> Any:
        x = self.net(image)
        memory = x.flatten(2).transpose([0, 2, 1])
        n = memory.shape[0]
        query = paddle.tile(self.query.weight, [n, 1]).reshape([n, 6, 8])
        query = query + self.attention(query, memory, memory)
        masks = paddle.bmm(self.mask(query), self.pixels(x).flatten(2)).reshape(
            [n, 6, *paddle.shape(self.pixels(x))[2:]]
        )
        score, label = F.sigmoid(self.score(query)).max(-1), F.sigmoid(self.score(query)).argmax(-1)
        best, order = paddle.topk(score, 4, axis=-1)
        rows = paddle.arange(n, dtype="int64").unsqueeze(-1).tile([1, 4]).flatten()
        index = paddle.stack([rows, order.flatten()], -1)
        label, masks = paddle.gather_nd(label, index), paddle.gather_nd(masks, index)
        size = (im_shape / scale_factor + 0.5).floor()[0].astype("int32")
        masks = F.interpolate(
            masks.unsqueeze(0), size=[size[0], size[1]], mode="bilinear", align_corners=False
        )[0]
        limit = paddle.gather(self.limits, label).reshape([-1, 1, 1])
        box = paddle.gather_nd(F.sigmoid(self.box(query)), index)
        return (
            label.astype("int32"),
            best.flatten(),
            box,
            (F.sigmoid(masks) > limit).astype("int32"),
        )


add(MaskRtDetr, *two_sizes("im_shape", "scale_factor"))
