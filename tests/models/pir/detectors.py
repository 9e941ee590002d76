"""Small nets of detectors and segmenters that PaddleX publishes and whose classes it has not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import paddle
from cases import add, f, i
from paddle import nn
from recipes import ConvBN
from vision import inverse_sigmoid

F = nn.functional
NMS = paddle._C_ops.multiclass_nms3


def two_sizes(*more: str) -> list[dict[str, np.ndarray]]:
    """A picture and a pair of another size, with sizes and scales where they are asked for."""
    runs: list[dict[str, np.ndarray]] = []
    for n, h, w in ((1, 32, 32), (2, 40, 48)):
        run = {"image": f(n, 3, h, w)}
        if "im_shape" in more:
            run["im_shape"] = np.tile(np.array([[h, w]], "float32"), (n, 1))
        if "scale_factor" in more:
            run["scale_factor"] = np.full((n, 2), 0.5, "float32")
        runs.append(run)
    return runs


def sine_position(mask: Any, width: int) -> Any:
    """DETR's: sums of the mask along both axes, sine and cosine by turns."""
    y, x = mask.cumsum(1, dtype="float32"), mask.cumsum(2, dtype="float32")
    y = (y - 0.5) / (y[:, -1:, :] + 1e-6) * (2 * math.pi)
    x = (x - 0.5) / (x[:, :, -1:] + 1e-6) * (2 * math.pi)
    each = 2 * (paddle.arange(width // 2) // 2).astype("float32")
    each = 10000 ** (each / (width // 2))
    found = []
    for angle in (y, x):
        angle = angle.unsqueeze(-1) / each
        turns = paddle.stack((angle[:, :, :, 0::2].sin(), angle[:, :, :, 1::2].cos()), axis=4)
        found.append(turns.flatten(3))
    return paddle.concat(found, axis=3).transpose([0, 3, 1, 2])


class Detr(nn.Layer):
    """Padding masks, encoder, queries, classes without the last one."""

    def __init__(self) -> None:
        super().__init__()
        self.backbone = nn.Sequential(ConvBN(3, 8, 3, 4), ConvBN(8, 8, 3, 2))
        self.project = nn.Conv2D(8, 16, 1)
        self.encoder = nn.TransformerEncoderLayer(16, 2, 32, 0.0)
        self.decoder = nn.TransformerDecoderLayer(16, 2, 32, 0.0)
        self.query = nn.Embedding(5, 16)
        self.score, self.box = (
            nn.Linear(16, 4),
            nn.Sequential(nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 4)),
        )

    def forward(self, image: Any, pad_mask: Any, im_shape: Any) -> Any:
        x = self.project(self.backbone(image))
        n, h, w = x.shape[0], paddle.shape(x)[2], paddle.shape(x)[3]
        mask = F.interpolate(pad_mask.unsqueeze(1), size=(h, w), mode="nearest").squeeze(1)
        place = sine_position(mask.astype("bool").astype("float32"), 16)
        x, place = (v.flatten(2).transpose([0, 2, 1]) for v in (x, place))
        keep = mask.flatten(1).unsqueeze([1, 2])
        memory = self.encoder(x + place, (keep - 1) * 1e9)
        query = self.query.weight.unsqueeze(0).tile([n, 1, 1])
        found = self.decoder(
            paddle.zeros_like(query) + query, memory + place, None, (keep - 1) * 1e9
        )
        scores = F.softmax(self.score(found))[:, :, :-1]
        centre, size = F.sigmoid(self.box(found)).split(2, -1)
        boxes = paddle.concat([centre - 0.5 * size, centre + 0.5 * size], -1)
        height, width = im_shape.split(2, -1)
        boxes = boxes * paddle.concat([width, height, width, height], -1).unsqueeze(1)
        best, index = scores.flatten(1).topk(4, axis=-1)
        picked = paddle.take_along_axis(boxes, (index // 3).unsqueeze(-1).tile([1, 1, 4]), 1)
        labels = (index % 3).astype("float32").unsqueeze(-1)
        return paddle.concat([labels, best.unsqueeze(-1), picked], -1).reshape([-1, 6])


MASKED = [
    {
        "image": run["image"],
        "pad_mask": np.ones(run["image"].shape[:1] + run["image"].shape[2:], "float32"),
        "im_shape": run["im_shape"],
    }
    for run in two_sizes("im_shape")
]
MASKED[1]["pad_mask"][1, 24:] = 0
MASKED[1]["pad_mask"][1, :, 32:] = 0
add(Detr, *MASKED)


class Dino(nn.Layer):
    """Proposals of two levels, the best of them, deformable attention, refined boxes."""

    def __init__(self) -> None:
        super().__init__()
        self.stages = nn.LayerList([ConvBN(3, 8, 3, 4), ConvBN(8, 8, 3, 2)])
        self.inputs = nn.LayerList(
            [nn.Sequential(nn.Conv2D(8, 8, 1), nn.GroupNorm(2, 8)) for _ in range(2)]
        )
        self.level = self.create_parameter([2, 8])
        self.out, self.norm = nn.Linear(8, 8), nn.LayerNorm(8)
        self.score, self.box = nn.Linear(8, 3), nn.Linear(8, 4)
        self.where, self.weight = nn.Linear(8, 2 * 2 * 2 * 2), nn.Linear(8, 2 * 2 * 2)
        self.value = nn.Linear(8, 8)
        self.tokens = nn.Embedding(4, 8)
        self.position = nn.Linear(16, 8)

    def proposals(self, memory: Any, shapes: Any) -> Any:
        found = []
        for level in range(2):
            h, w = shapes[level][0], shapes[level][1]
            y, x = paddle.meshgrid(
                paddle.linspace(0, h.astype("float32") - 1, h),
                paddle.linspace(0, w.astype("float32") - 1, w),
            )
            grid = (paddle.stack([x, y], -1) + 0.5) / paddle.stack([w, h]).astype(
                "float32"
            ).reshape([1, 1, 2])
            wh = paddle.ones_like(grid) * 0.05 * (2.0**level)
            found.append(paddle.concat([grid, wh], -1).reshape([1, -1, 4]))
        boxes = paddle.concat(found, 1).tile([memory.shape[0], 1, 1])
        valid = paddle.logical_and(boxes > 0.01, boxes < 0.99).all(-1, keepdim=True)
        boxes = paddle.log(boxes / (1 - boxes))
        boxes = paddle.where(valid.expand_as(boxes), boxes, paddle.full_like(boxes, float("inf")))
        return paddle.where(valid.expand_as(memory), memory, paddle.zeros_like(memory)), boxes

    def sine(self, boxes: Any) -> Any:
        scale = 10000 ** (paddle.arange(4, dtype="float32") / 4)
        parts = []
        for at in range(4):
            angle = boxes[:, :, at : at + 1] * 2 * math.pi / scale
            parts.append(
                paddle.stack((angle[:, :, 0::2].sin(), angle[:, :, 1::2].cos()), 3).flatten(2)
            )
        return paddle.concat(parts, -1)

    def forward(self, image: Any, im_shape: Any, scale_factor: Any) -> Any:
        x, flat, shapes, begins = image, [], [], [0]
        for level, stage in enumerate(self.stages):
            x = stage(x)
            y = self.inputs[level](x)
            shapes.append(paddle.shape(y)[2:])
            flat.append(y.flatten(2).transpose([0, 2, 1]) + self.level[level])
            begins.append(begins[-1] + shapes[-1][0] * shapes[-1][1])
        memory, boxes = self.proposals(paddle.concat(flat, 1), shapes)
        memory = self.norm(self.out(memory))
        scores, boxes = self.score(memory), self.box(memory) + boxes
        _, pick = paddle.topk(scores.max(-1), 4, axis=1)
        rows = paddle.arange(end=memory.shape[0]).unsqueeze(-1).tile([1, 4])
        index = paddle.stack([rows, pick], -1)
        reference = F.sigmoid(paddle.gather_nd(boxes, index).detach())
        target = self.tokens.weight.unsqueeze(0).tile([memory.shape[0], 1, 1]) + self.position(
            self.sine(reference)
        )
        offsets = self.where(target).reshape([-1, 4, 2, 2, 2, 2])
        weights = F.softmax(self.weight(target).reshape([-1, 4, 2, 4])).reshape([-1, 4, 2, 2, 2])
        points = (
            reference[:, :, None, None, None, :2]
            + offsets / 2 * reference[:, :, None, None, None, 2:] * 0.5
        )
        value = self.value(memory).reshape([memory.shape[0], -1, 2, 4])
        sampled = []
        for level in range(2):
            h, w = shapes[level][0], shapes[level][1]
            part = (
                value[:, begins[level] : begins[level + 1]]
                .transpose([0, 2, 3, 1])
                .reshape([-1, 4, h, w])
            )
            grid = (2 * points - 1)[:, :, :, level].transpose([0, 2, 1, 3, 4]).flatten(0, 1)
            sampled.append(
                F.grid_sample(
                    part, grid, mode="bilinear", padding_mode="zeros", align_corners=False
                )
            )
        weights = weights.transpose([0, 2, 1, 3, 4]).reshape([-1, 1, 4, 4])
        seen = (
            (paddle.stack(sampled, -2).flatten(-2) * weights)
            .sum(-1)
            .reshape([-1, 8, 4])
            .transpose([0, 2, 1])
        )
        target = self.norm(target + seen)
        boxes = F.sigmoid(self.box(target) + inverse_sigmoid(reference))
        best, index = F.sigmoid(self.score(target)).flatten(1).topk(3, axis=-1)
        labels, place = (index % 3).astype("int32"), index // 3
        sizes = paddle.floor(im_shape / scale_factor + 0.5).flip(-1).tile([1, 2]).unsqueeze(1)
        centre, size = paddle.take_along_axis(
            boxes, place.unsqueeze(-1).expand([-1, -1, 4]), 1
        ).split(2, -1)
        boxes = paddle.concat([centre - size / 2, centre + size / 2], -1) * sizes
        found = paddle.concat(
            [labels.unsqueeze(-1).astype("float32"), best.unsqueeze(-1), boxes], -1
        )
        return found.reshape([-1, 6]), (paddle.ones([memory.shape[0]]) * 3).astype("int32")


add(Dino, *two_sizes("im_shape", "scale_factor"))


class GroundingDino(nn.Layer):
    """Words and picture attend to each other; scores are products with words, -inf for padding."""

    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(ConvBN(3, 8, 3, 4), ConvBN(8, 8, 3, 2))
        self.words, self.place, self.kind = (
            nn.Embedding(30, 8),
            nn.Embedding(12, 8),
            nn.Embedding(2, 8),
        )
        self.encoder = nn.TransformerEncoderLayer(8, 2, 16, 0.0, "gelu")
        self.v, self.t = nn.Linear(8, 8), nn.Linear(8, 8)
        self.v_value, self.t_value = nn.Linear(8, 8), nn.Linear(8, 8)
        self.v_gamma, self.t_gamma = self.create_parameter([8]), self.create_parameter([8])
        self.box = nn.Linear(8, 4)

    def text_mask(self, ids: Any) -> Any:
        """Words see those between the same full stops."""
        special = paddle.logical_or(ids == 1, ids == 2).astype("int64")
        group = special.cumsum(1) - special
        same = group.unsqueeze(1) == group.unsqueeze(2)
        both = paddle.logical_and(same, (ids != 0).unsqueeze(1))
        eye = paddle.eye(ids.shape[1], dtype="int32").astype("bool").unsqueeze(0)
        place = (
            paddle.arange(ids.shape[1]).unsqueeze(0)
            - paddle.where(
                special > 0, paddle.arange(ids.shape[1]).unsqueeze(0), paddle.zeros_like(ids)
            ).cummax(1)[0]
        )
        return paddle.logical_or(both, eye), place

    def forward(self, image: Any, input_ids: Any) -> Any:
        mask, place = self.text_mask(input_ids)
        text = (
            self.words(input_ids)
            + self.place(paddle.clip(place, 0))
            + self.kind(paddle.zeros_like(input_ids))
        )
        text = self.encoder(text, (1.0 - mask.astype("float32").unsqueeze(1)) * -10000.0)
        x = self.net(image).flatten(2).transpose([0, 2, 1])
        n = x.shape[0]
        heads = [
            y.reshape([n, -1, 2, 4]).transpose([0, 2, 1, 3]).flatten(0, 1)
            for y in (self.v(x) * 0.5, self.t(text), self.v_value(x), self.t_value(text))
        ]
        scores = paddle.bmm(heads[0], heads[1].transpose([0, 2, 1]))
        scores = (scores - scores.max()).clip(-50000, 50000)
        back = scores.transpose([0, 2, 1])
        back = (back - paddle.max(back, axis=-1, keepdim=True)[0]).clip(-50000, 50000)
        padding = (input_ids == 0).astype("int64")[:, None, None, :]
        padding = padding.tile([1, 2, scores.shape[1], 1]).flatten(0, 1).astype("bool")
        scores = paddle.where(padding, paddle.full_like(scores, float("-inf")), scores)
        seen = (
            paddle.bmm(F.softmax(scores), heads[3])
            .reshape([n, 2, -1, 4])
            .transpose([0, 2, 1, 3])
            .flatten(2)
        )
        read = (
            paddle.bmm(F.softmax(back), heads[2])
            .reshape([n, 2, -1, 4])
            .transpose([0, 2, 1, 3])
            .flatten(2)
        )
        x, text = x + self.v_gamma * seen, text + self.t_gamma * read
        logits = x @ text.transpose([0, 2, 1])
        logits = logits.masked_fill((input_ids == 0).unsqueeze(1), float("-inf"))
        all_words = paddle.full([n, logits.shape[1], 16], float("-inf"))
        all_words[:, :, : logits.shape[2]] = logits
        _, pick = paddle.topk(logits.max(-1), 3, axis=1)
        boxes = F.sigmoid(
            paddle.take_along_axis(self.box(x), pick.unsqueeze(-1).tile([1, 1, 4]), 1)
        )
        return F.sigmoid(
            paddle.take_along_axis(all_words, pick.unsqueeze(-1).tile([1, 1, 16]), 1)
        ), boxes


def words(n: int, length: int) -> np.ndarray:
    ids = i(28, n, length) + 3
    ids = np.minimum(ids, 29)
    ids[:, 0], ids[:, 4], ids[:, -1] = 1, 2, 2
    ids[1:, -2:] = 0
    return ids


add(
    GroundingDino,
    {"image": f(1, 3, 32, 32), "input_ids": words(1, 8)},
    {"image": f(2, 3, 40, 48), "input_ids": words(2, 11)},
)


class MaskFormer(nn.Layer):
    """Queries, masks as products with pixels, classes mixed over queries, the best a pixel."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = ConvBN(3, 8, 3, 4), ConvBN(8, 8, 3, 2)
        self.side, self.pixels = nn.Conv2D(8, 8, 1), nn.Conv2D(8, 8, 3, padding=1)
        self.norm = nn.GroupNorm(2, 8)
        self.query = self.create_parameter([6, 8])
        self.decoder = nn.TransformerDecoderLayer(8, 2, 16, 0.0)
        self.score, self.mask = nn.Linear(8, 4), nn.Linear(8, 8)

    def forward(self, image: Any) -> Any:
        large = self.a(image)
        small = self.b(large)
        up = F.interpolate(small, size=paddle.shape(large)[2:], mode="nearest")
        pixels = self.pixels(F.relu(self.norm(self.side(large) + up)))
        n = image.shape[0]
        place = sine_position(paddle.ones([n, *small.shape[2:]]), 8).flatten(2).transpose([0, 2, 1])
        memory = small.flatten(2).transpose([0, 2, 1]) + place
        found = self.decoder(self.query.unsqueeze(0).expand([n, -1, -1]), memory)
        masks = paddle.einsum("bqc,bchw->bqhw", self.mask(found), pixels)
        masks = F.interpolate(
            masks, size=paddle.shape(image)[2:], mode="bilinear", align_corners=False
        )
        classes = F.softmax(self.score(found))[..., :-1]
        maps = paddle.einsum("bqc,bqhw->bchw", classes, F.sigmoid(masks))
        return maps, maps.argmax(1, dtype="int32")


add(MaskFormer, *two_sizes())
