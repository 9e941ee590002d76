"""Small nets of the published families for pictures, as their repositories write them."""

from __future__ import annotations

from typing import Any

import numpy as np
import paddle
from cases import add, f
from paddle import nn
from recipes import ConvBN

F = nn.functional


class Window(nn.Layer):
    """Swin's attention in windows, with a table of relative positions and a mask."""

    def __init__(self, dim: int, window: int, heads: int, shift: int) -> None:
        super().__init__()
        self.window, self.heads, self.shift = window, heads, shift
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.proj = nn.Linear(dim, dim * 3), nn.Linear(dim, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, dim * 2), nn.GELU(), nn.Linear(dim * 2, dim))
        self.table = self.create_parameter([(2 * window - 1) ** 2, heads])
        coords = np.stack(np.meshgrid(np.arange(window), np.arange(window), indexing="ij"))
        flat = coords.reshape(2, -1)
        relative = (flat[:, :, None] - flat[:, None, :]).transpose(1, 2, 0) + window - 1
        index = relative[..., 0] * (2 * window - 1) + relative[..., 1]
        self.register_buffer("index", paddle.to_tensor(index))
        self.scale = (dim // heads) ** -0.5

    def mask(self, h: int, w: int) -> Any:
        image = paddle.zeros([1, h, w, 1])
        count = 0
        cuts = (slice(0, -self.window), slice(-self.window, -self.shift), slice(-self.shift, None))
        for rows in cuts:
            for columns in cuts:
                image[:, rows, columns, :] = count
                count += 1
        windows = self.partition(image, h, w, 1).reshape([-1, self.window * self.window])
        apart = windows.unsqueeze(1) - windows.unsqueeze(2)
        return paddle.where(apart != 0, paddle.full_like(apart, -100.0), paddle.zeros_like(apart))

    def partition(self, x: Any, h: int, w: int, c: int) -> Any:
        k = self.window
        x = x.reshape([-1, h // k, k, w // k, k, c])
        return x.transpose([0, 1, 3, 2, 4, 5]).reshape([-1, k, k, c])

    def forward(self, x: Any, h: int, w: int) -> Any:
        c = x.shape[-1]
        k, shortcut = self.window, x
        x = self.norm1(x).reshape([-1, h, w, c])
        if self.shift:
            x = paddle.roll(x, shifts=(-self.shift, -self.shift), axis=(1, 2))
        x = self.partition(x, h, w, c).reshape([-1, k * k, c])
        qkv = self.qkv(x).reshape([-1, k * k, 3, self.heads, c // self.heads])
        q, key, v = qkv.transpose([2, 0, 3, 1, 4]).unbind(0)
        weights = paddle.mm(q * self.scale, key.transpose([0, 1, 3, 2]))
        bias = self.table[self.index.reshape([-1])].reshape([k * k, k * k, -1])
        weights = weights + bias.transpose([2, 0, 1]).unsqueeze(0)
        if self.shift:
            mask = self.mask(h, w)
            count = mask.shape[0]
            weights = weights.reshape([-1, count, self.heads, k * k, k * k])
            weights = weights + mask.unsqueeze(1).unsqueeze(0)
            weights = weights.reshape([-1, self.heads, k * k, k * k])
        x = self.proj(
            paddle.mm(F.softmax(weights), v).transpose([0, 2, 1, 3]).reshape([-1, k * k, c])
        )
        x = x.reshape([-1, h // k, w // k, k, k, c]).transpose([0, 1, 3, 2, 4, 5])
        x = x.reshape([-1, h, w, c])
        if self.shift:
            x = paddle.roll(x, shifts=(self.shift, self.shift), axis=(1, 2))
        x = shortcut + x.reshape([-1, h * w, c])
        return x + self.mlp(self.norm2(x))


class SwinBlocks(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.patch = nn.Conv2D(3, 8, 2, 2)
        self.blocks = nn.LayerList([Window(8, 4, 2, 0), Window(8, 4, 2, 2)])
        self.reduce, self.norm = nn.Linear(32, 16, bias_attr=False), nn.LayerNorm(32)
        self.head = nn.Linear(16, 5)

    def forward(self, x: Any) -> Any:
        x = self.patch(x)
        h, w = 8, 8
        x = x.flatten(2).transpose([0, 2, 1])
        for block in self.blocks:
            x = block(x, h, w)
        x = x.reshape([-1, h, w, 8])
        corners = [x[:, r::2, c::2, :] for c in (0, 1) for r in (0, 1)]
        x = self.norm(paddle.concat(corners, -1).reshape([-1, 16, 32]))
        return self.head(self.reduce(x).mean(1))


add(SwinBlocks, {"x": f(1, 3, 16, 16)}, {"x": f(2, 3, 16, 16)})


class ConvNext(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2D(3, 8, 4, 4)
        self.dw = nn.Conv2D(8, 8, 7, padding=3, groups=8)
        self.norm = nn.LayerNorm(8)
        self.up, self.down = nn.Linear(8, 32), nn.Linear(32, 8)
        self.gamma = self.create_parameter([8])
        self.head = nn.Linear(8, 5)

    def forward(self, x: Any) -> Any:
        x = self.stem(x)
        y = self.norm(self.dw(x).transpose([0, 2, 3, 1]))
        y = self.gamma * self.down(F.gelu(self.up(y)))
        x = x + y.transpose([0, 3, 1, 2])
        return self.head(x.mean([-2, -1]))


add(ConvNext, {"x": f(1, 3, 32, 32)}, {"x": f(2, 3, 24, 40)})


class HgStem(nn.Layer):
    """HGNetV2: a stem that pads on two sides, learnable affines, ESE."""

    def __init__(self) -> None:
        super().__init__()
        self.stem1 = ConvBN(3, 8, 3, 2)
        self.stem2a, self.stem2b = nn.Conv2D(8, 4, 2), nn.Conv2D(4, 8, 2)
        self.pool = nn.MaxPool2D(2, 1, ceil_mode=True)
        self.stem3 = ConvBN(16, 8, 3, 2)
        self.scale, self.bias = self.create_parameter([1]), self.create_parameter([1])
        self.layers = nn.LayerList([ConvBN(8, 8, 3) for _ in range(3)])
        self.squeeze, self.expand = ConvBN(32, 8, 1), ConvBN(8, 16, 1)
        self.ese = nn.Conv2D(16, 16, 1)

    def forward(self, x: Any) -> Any:
        x = F.pad(self.stem1(x), [0, 1, 0, 1])
        x2 = F.pad(F.relu(self.stem2a(x)), [0, 1, 0, 1])
        x2 = F.relu(self.stem2b(x2))
        x = self.stem3(paddle.concat([self.pool(x), x2], 1))
        x = self.scale * x + self.bias
        outputs = [x]
        for layer in self.layers:
            x = layer(x)
            outputs.append(x)
        x = self.expand(self.squeeze(paddle.concat(outputs, 1)))
        return x * F.sigmoid(self.ese(x.mean([2, 3], keepdim=True)))


add(HgStem, {"x": f(1, 3, 32, 32)}, {"x": f(2, 3, 40, 24)})


def inverse_sigmoid(x: Any, eps: float = 1e-5) -> Any:
    x = x.clip(min=0.0, max=1.0)
    return paddle.log(x.clip(min=eps) / (1 - x).clip(min=eps))


class RtDetr(nn.Layer):
    """Queries picked by topk, deformable attention by grid_sample, boxes refined."""

    def __init__(self) -> None:
        super().__init__()
        self.backbone = nn.LayerList([ConvBN(3, 8, 3, 4), ConvBN(8, 8, 3, 2)])
        self.score, self.box = nn.Linear(8, 4), nn.Linear(8, 4)
        self.offsets, self.weights = nn.Linear(8, 2 * 2 * 2 * 2), nn.Linear(8, 2 * 2 * 2)
        self.value, self.out = nn.Linear(8, 8), nn.Linear(8, 8)
        self.position = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 8))
        self.attention = nn.MultiHeadAttention(8, 2)
        self.norm = nn.LayerNorm(8)

    def anchors(self, sizes: list[Any]) -> Any:
        found = []
        for level, (h, w) in enumerate(sizes):
            y, x = paddle.meshgrid(
                paddle.arange(end=h, dtype="float32"), paddle.arange(end=w, dtype="float32")
            )
            grid = paddle.stack([x, y], -1)
            size = paddle.stack([w, h]).astype("float32")
            centre = (grid.unsqueeze(0) + 0.5) / size
            wh = paddle.ones_like(centre) * 0.05 * (2.0**level)
            found.append(paddle.concat([centre, wh], -1).reshape([-1, h * w, 4]))
        boxes = paddle.concat(found, 1)
        valid = ((boxes > 0.01) * (boxes < 0.99)).all(-1, keepdim=True)
        boxes = paddle.log(boxes / (1 - boxes))
        return paddle.where(valid, boxes, paddle.to_tensor(float("inf"))), valid

    def deformable(self, query: Any, boxes: Any, memory: Any, sizes: list[Any]) -> Any:
        n, length = memory.shape[0], query.shape[1]
        value = self.value(memory)
        offsets = self.offsets(query).reshape([n, length, 2, 2, 2, 2])
        weights = F.softmax(self.weights(query).reshape([n, length, 2, 4]))
        weights = weights.transpose([0, 2, 1, 3]).reshape([n * 2, 1, length, 4])
        where = boxes[:, :, None, None, None, :2] + offsets / 2 * (
            boxes[:, :, None, None, None, 2:] * 0.5
        )
        grids = 2 * where - 1
        sampled, begin = [], 0
        for level, (h, w) in enumerate(sizes):
            part = value[:, begin : begin + h * w]
            begin = begin + h * w
            part = part.flatten(2).transpose([0, 2, 1]).reshape([n * 2, 4, h, w])
            grid = grids[:, :, :, level].transpose([0, 2, 1, 3, 4]).flatten(0, 1)
            sampled.append(F.grid_sample(part, grid, align_corners=False))
        mixed = (paddle.stack(sampled, -2).flatten(-2) * weights).sum(-1)
        return self.out(mixed.reshape([n, 8, length]).transpose([0, 2, 1]))

    def forward(self, x: Any) -> Any:
        maps = []
        for stage in self.backbone:
            x = stage(x)
            maps.append(x)
        sizes = [(paddle.shape(m)[2], paddle.shape(m)[3]) for m in maps]
        memory = paddle.concat([m.flatten(2).transpose([0, 2, 1]) for m in maps], 1)
        anchors, valid = self.anchors(sizes)
        memory = paddle.where(valid, memory, paddle.to_tensor(0.0))
        scores, boxes = self.score(memory), self.box(memory) + anchors
        _, picks = paddle.topk(scores.max(-1), 6, axis=1)
        rows = paddle.arange(end=x.shape[0], dtype=picks.dtype)
        rows = rows.unsqueeze(-1).tile([1, 6])
        where = paddle.stack([rows, picks], -1)
        target = paddle.gather_nd(memory, where)
        reference = F.sigmoid(paddle.gather_nd(boxes, where))
        q = target + self.position(reference)
        target = self.norm(target + self.attention(q, q, target))
        target = target + self.deformable(
            target + self.position(reference), reference, memory, sizes
        )
        reference = F.sigmoid(self.box(target) + inverse_sigmoid(reference))
        centre, size = reference.split(2, -1)
        return paddle.concat([centre - size / 2, centre + size / 2], -1), F.sigmoid(
            self.score(target)
        )


add(RtDetr, {"x": f(1, 3, 32, 32)}, {"x": f(2, 3, 48, 32)})


class YoloHead(nn.Layer):
    """An anchor-free head with distribution focal boxes, decoded, and NMS."""

    def __init__(self) -> None:
        super().__init__()
        self.stages = nn.LayerList([ConvBN(3, 8, 3, 4, act="swish"), ConvBN(8, 8, 3, 2)])
        self.cls = nn.LayerList([nn.Conv2D(8, 3, 3, padding=1) for _ in range(2)])
        self.reg = nn.LayerList([nn.Conv2D(8, 4 * 5, 3, padding=1) for _ in range(2)])
        self.project = nn.Conv2D(5, 1, 1, bias_attr=False)

    def forward(self, x: Any, scale: Any) -> Any:
        scores, boxes, points, strides = [], [], [], []
        for level, stage in enumerate(self.stages):
            x = stage(x)
            h, w = paddle.shape(x)[2], paddle.shape(x)[3]
            length = h * w
            scores.append(F.sigmoid(self.cls[level](x)).reshape([-1, 3, length]))
            reg = self.reg[level](x).reshape([-1, 4, 5, length]).transpose([0, 2, 3, 1])
            boxes.append(self.project(F.softmax(reg, 1)).reshape([-1, length, 4]))
            y, xs = paddle.meshgrid(paddle.arange(h) + 0.5, paddle.arange(w) + 0.5)
            points.append(paddle.stack([xs, y], -1).reshape([-1, 2]).astype("float32"))
            strides.append(paddle.full([length, 1], 4.0 * 2**level))
        centre, stride = paddle.concat(points), paddle.concat(strides)
        left, right = paddle.split(paddle.concat(boxes, 1), 2, -1)
        found = paddle.concat([centre - left, centre + right], -1) * stride
        ratio = paddle.concat([scale.flip(-1), scale.flip(-1)], -1).unsqueeze(1)
        found = found / ratio
        return paddle._C_ops.multiclass_nms3(
            found, paddle.concat(scores, -1), None, 0.3, 50, 10, 0.6, True, 1.0, -1
        )


class YoloHeadRaw(YoloHead):
    """The same without NMS: boxes and scores."""

    def forward(self, x: Any) -> Any:
        scores = []
        for level, stage in enumerate(self.stages):
            x = stage(x)
            scores.append(F.sigmoid(self.cls[level](x)).flatten(2))
        best = paddle.concat(scores, -1).transpose([0, 2, 1])
        return best.max(-1), best.argmax(-1), (best.max(-1) > 0.5).astype("int32").sum(-1)


add(
    YoloHead,
    {"x": f(1, 3, 32, 32), "scale": np.ones([1, 2], "float32")},
    {"x": f(2, 3, 40, 32), "scale": np.full([2, 2], 0.5, "float32")},
)
add(YoloHeadRaw, {"x": f(1, 3, 32, 32)}, {"x": f(2, 3, 40, 32)})


class Anchored(nn.Layer):
    """YOLOv3's decoding with yolo_box and NMS of its boxes."""

    def __init__(self) -> None:
        super().__init__()
        self.stages = nn.LayerList([ConvBN(3, 8, 3, 8), ConvBN(8, 8, 3, 2)])
        self.heads = nn.LayerList([nn.Conv2D(8, 3 * 7, 1) for _ in range(2)])

    def forward(self, x: Any, size: Any) -> Any:
        boxes, scores = [], []
        for level, stage in enumerate(self.stages):
            x = stage(x)
            box, score = paddle.vision.ops.yolo_box(
                self.heads[level](x), size, [10, 13, 16, 30, 33, 23], 2, 0.01, 8 * 2**level
            )
            boxes.append(box)
            scores.append(score.transpose([0, 2, 1]))
        return paddle._C_ops.multiclass_nms3(
            paddle.concat(boxes, 1), paddle.concat(scores, 2), None, 0.3, 50, 10, 0.5, True, 1.0, -1
        )


add(
    Anchored,
    {"x": f(1, 3, 32, 32), "size": np.array([[32, 32]], "int32")},
    {"x": f(2, 3, 48, 64), "size": np.array([[48, 64], [96, 128]], "int32")},
)


class UNet(nn.Layer):
    """An encoder and a decoder that resizes to the encoder's maps, and argmax over classes."""

    def __init__(self) -> None:
        super().__init__()
        self.down = nn.LayerList([ConvBN(3, 4, 3), ConvBN(4, 8, 3), ConvBN(8, 8, 3)])
        self.up = nn.LayerList([ConvBN(16, 8, 3), ConvBN(12, 4, 3)])
        self.head = nn.Conv2D(4, 3, 1)

    def forward(self, x: Any) -> Any:
        size, skips = paddle.shape(x)[2:], []
        for index, stage in enumerate(self.down):
            x = stage(x)
            if index < 2:
                skips.append(x)
                x = F.max_pool2d(x, 2, 2)
        for stage in self.up:
            skip = skips.pop()
            x = F.interpolate(x, paddle.shape(skip)[2:], mode="bilinear")
            x = stage(paddle.concat([x, skip], 1))
        logits = F.interpolate(self.head(x), size, mode="bilinear", align_corners=False)
        return logits.argmax(1), F.softmax(logits, 1)


add(UNet, {"x": f(1, 3, 16, 16)}, {"x": f(2, 3, 21, 27)})


class PpLiteSeg(nn.Layer):
    """Pyramid pooling and a fusion by attention on means and maxima."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = ConvBN(3, 8, 3, 2), ConvBN(8, 8, 3, 2)
        self.pools = nn.LayerList(
            [nn.Sequential(nn.AdaptiveAvgPool2D(n), ConvBN(8, 8, 1)) for n in (1, 2, 4)]
        )
        self.after = ConvBN(8, 8, 3)
        self.atten = nn.Sequential(ConvBN(4, 2, 3), nn.Conv2D(2, 1, 3, padding=1))
        self.head = nn.Conv2D(8, 2, 1)

    def forward(self, x: Any) -> Any:
        size = paddle.shape(x)[2:]
        low = self.a(x)
        high = self.b(low)
        total = None
        for pool in self.pools:
            y = F.interpolate(pool(high), paddle.shape(high)[2:], mode="bilinear")
            total = y if total is None else total + y
        up = F.interpolate(self.after(total), paddle.shape(low)[2:], mode="bilinear")
        marks = [g(v, axis=1, keepdim=True) for v in (low, up) for g in (paddle.mean, paddle.max)]
        gate = F.sigmoid(self.atten(paddle.concat(marks, 1)))
        fused = self.head(up * gate + low * (1 - gate))
        return F.interpolate(fused, size, mode="bilinear").argmax(1, dtype="int32")


add(PpLiteSeg, {"x": f(1, 3, 16, 24)}, {"x": f(2, 3, 32, 16)})


class LcNet(nn.Layer):
    """PP-LCNet: depthwise separable blocks, SE, h-swish, dropout before the classifier."""

    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(
            ConvBN(3, 8, 3, 2, act="hardswish"),
            ConvBN(8, 8, 3, groups=8, act="hardswish"),
            ConvBN(8, 16, 1, act="hardswish"),
            ConvBN(16, 16, 5, 2, groups=16, act="hardswish"),
        )
        self.se1, self.se2 = nn.Conv2D(16, 4, 1), nn.Conv2D(4, 16, 1)
        self.last, self.fc = nn.Conv2D(16, 20, 1, bias_attr=False), nn.Linear(20, 6)
        self.drop = nn.Dropout(0.2, mode="downscale_in_infer")

    def forward(self, x: Any) -> Any:
        x = self.net(x)
        x = x * F.hardsigmoid(self.se2(F.relu(self.se1(F.adaptive_avg_pool2d(x, 1)))))
        x = self.drop(F.hardswish(self.last(F.adaptive_avg_pool2d(x, 1))))
        return F.softmax(self.fc(paddle.flatten(x, 1, -1)))


add(LcNet, {"x": f(1, 3, 32, 32)}, {"x": f(3, 3, 24, 40)})


class ShuffleNet(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.stem = ConvBN(3, 8, 3, 2)
        self.branch = nn.Sequential(
            ConvBN(4, 4, 1), ConvBN(4, 4, 3, groups=4, act="none"), ConvBN(4, 4, 1)
        )
        self.fc = nn.Linear(8, 5)

    def forward(self, x: Any) -> Any:
        x = F.max_pool2d(self.stem(x), 3, 2, 1)
        a, b = paddle.split(x, 2, 1)
        x = paddle.concat([a, self.branch(b)], 1)
        n, _, h, w = paddle.shape(x).unbind()
        x = x.reshape([n, 2, 4, h, w]).transpose([0, 2, 1, 3, 4]).reshape([n, 8, h, w])
        return self.fc(x.mean([2, 3]))


add(ShuffleNet, {"x": f(1, 3, 32, 32)}, {"x": f(2, 3, 20, 28)})


class EdsrRep(nn.Layer):
    """Super-resolution: residual blocks, pixel shuffle, a clipped byte picture."""

    def __init__(self) -> None:
        super().__init__()
        self.head, self.body = nn.Conv2D(3, 8, 3, padding=1), nn.Conv2D(8, 8, 3, padding=1)
        self.prelu, self.tail = nn.PReLU(8), nn.Conv2D(8, 12, 3, padding=1)
        self.shuffle = nn.PixelShuffle(2)

    def forward(self, x: Any) -> Any:
        x = x.astype("float32").transpose([0, 3, 1, 2]) / 255.0
        y = self.head(x)
        y = y + 0.1 * self.body(self.prelu(y))
        y = self.shuffle(self.tail(y)) + F.interpolate(x, scale_factor=2, mode="bicubic")
        return (y.clip(0, 1) * 255.0).round().transpose([0, 2, 3, 1])


add(
    EdsrRep,
    {"x": np.random.RandomState(0).randint(0, 255, (1, 8, 10, 3)).astype("uint8")},
    {"x": np.random.RandomState(1).randint(0, 255, (2, 6, 7, 3)).astype("uint8")},
)


class VitDet(nn.Layer):
    """ViT with a class token and positions resized to the picture at hand."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = nn.Conv2D(3, 8, 4, 4)
        self.token = self.create_parameter([1, 1, 8])
        self.position = self.create_parameter([1, 8, 4, 4])
        self.block = nn.TransformerEncoderLayer(8, 2, 16, 0.0, "gelu", normalize_before=True)
        self.head = nn.Linear(8, 5)

    def forward(self, x: Any) -> Any:
        x = self.patch(x)
        n, size = paddle.shape(x)[0], paddle.shape(x)[2:]
        x = x + F.interpolate(self.position, size, mode="bicubic")
        x = x.flatten(2).transpose([0, 2, 1])
        x = paddle.concat([self.token.expand([n, -1, -1]), x], 1)
        return self.head(self.block(x)[:, 0])


add(VitDet, {"x": f(1, 3, 16, 16)}, {"x": f(2, 3, 24, 20)})


class FaceMatch(nn.Layer):
    """An embedding of unit length compared with a gallery."""

    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(ConvBN(3, 8, 3, 2), nn.PReLU(), ConvBN(8, 8, 3, 2))
        self.fc = nn.Linear(8, 6)

    def forward(self, x: Any, gallery: Any) -> Any:
        y = F.normalize(self.fc(self.net(x).mean([2, 3])))
        score = F.linear(y, F.normalize(gallery).t())
        best, index = score.topk(2)
        return (
            y,
            best,
            paddle.where(best[:, 0] > 0.3, index[:, 0], paddle.full_like(index[:, 0], -1)),
        )


add(
    FaceMatch,
    {"x": f(1, 3, 16, 16), "gallery": f(5, 6)},
    {"x": f(3, 3, 16, 16), "gallery": f(7, 6)},
)


class HeatMaps(nn.Layer):
    """Keypoints: maxima of heat maps and a quarter step towards the higher neighbour."""

    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(ConvBN(3, 8, 3, 2), nn.Conv2D(8, 4, 3, padding=1))

    def forward(self, x: Any) -> Any:
        heat = self.net(x)
        w = paddle.shape(heat)[3]
        flat = heat.flatten(2)
        index = flat.argmax(-1)
        xs = (index % w).astype("float32")
        ys = (index // w).astype("float32")
        score = flat.max(-1)
        points = paddle.stack([xs, ys], -1) * (score > 0).astype("float32").unsqueeze(-1)
        return points, score, F.max_pool2d(heat, 3, 1, 1) == heat


add(HeatMaps, {"x": f(1, 3, 16, 16)}, {"x": f(2, 3, 20, 12)})


class CenterNet(nn.Layer):
    """Peaks by pooling, topk over the flattened map, gathered sizes."""

    def __init__(self) -> None:
        super().__init__()
        self.net = ConvBN(3, 8, 3, 4)
        self.heat, self.size = nn.Conv2D(8, 2, 1), nn.Conv2D(8, 2, 1)

    def forward(self, x: Any) -> Any:
        x = self.net(x)
        heat, size = F.sigmoid(self.heat(x)), self.size(x)
        heat = heat * (F.max_pool2d(heat, 3, 1, 1) == heat).astype("float32")
        n, w = paddle.shape(heat)[0], paddle.shape(heat)[3]
        scores, index = heat.reshape([n, -1]).topk(5)
        cells = paddle.shape(heat)[2] * w
        classes = index // cells
        place = index % cells
        wh = size.transpose([0, 2, 3, 1]).reshape([n, -1, 2])
        wh = paddle.take_along_axis(wh, place.unsqueeze(-1).tile([1, 1, 2]), 1)
        centre = paddle.stack([place % w, place // w], -1).astype("float32")
        return paddle.concat([centre - wh / 2, centre + wh / 2], -1), scores, classes


add(CenterNet, {"x": f(1, 3, 32, 32)}, {"x": f(2, 3, 40, 32)})
