"""Networks that paddle.vision does not have, as their publications describe them; random weights.

PP-LCNet (arXiv:2109.15099), PP-HGNet (PaddleClas), ConvNeXt (arXiv:2201.03545), ViT
(arXiv:2010.11929) and PicoDet (arXiv:2111.00902).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import paddle
from paddle import nn

F = nn.functional


def conv_bn(
    inside: int, outside: int, kernel: int, stride: int = 1, groups: int = 1, act: Any = None
) -> nn.Layer:
    """A convolution that keeps the size but for its stride, batch norm, an activation."""
    conv = nn.Conv2D(
        inside, outside, kernel, stride, (kernel - 1) // 2, groups=groups, bias_attr=False
    )
    return nn.Sequential(conv, nn.BatchNorm2D(outside), *([act()] if act else []))


class SqueezeExcite(nn.Layer):
    """Channels times what two fully connected layers make of their means."""

    def __init__(self, channels: int, gate: type[nn.Layer] = nn.Hardsigmoid) -> None:
        super().__init__()
        self.down = nn.Conv2D(channels, channels // 4, 1)
        self.up = nn.Conv2D(channels // 4, channels, 1)
        self.gate = gate()

    def forward(self, x: Any) -> Any:
        y = F.adaptive_avg_pool2d(x, 1)
        return x * self.gate(self.up(F.relu(self.down(y))))


def separable(inside: int, outside: int, kernel: int, stride: int, excite: bool) -> nn.Layer:
    """PP-LCNet's block."""
    parts = [conv_bn(inside, inside, kernel, stride, inside, nn.Hardswish)]
    parts += [SqueezeExcite(inside)] if excite else []
    return nn.Sequential(*parts, conv_bn(inside, outside, 1, act=nn.Hardswish))


# kernel, width, stride, squeeze-excite; a list a resolution
LC_BLOCKS: list[list[tuple[int, int, int, bool]]] = [
    [(3, 32, 1, False)],
    [(3, 64, 2, False), (3, 64, 1, False)],
    [(3, 128, 2, False), (3, 128, 1, False)],
    [(3, 256, 2, False), *[(5, 256, 1, False)] * 5],
    [(5, 512, 2, True), (5, 512, 1, True)],
]


class LcNet(nn.Layer):
    """PP-LCNet; the features of the last three resolutions where there are no classes."""

    def __init__(self, scale: float = 1.0, classes: int = 1000) -> None:
        super().__init__()
        width = int(16 * scale)
        self.stem = conv_bn(3, width, 3, 2, act=nn.Hardswish)
        self.stages = nn.LayerList()
        self.widths: list[int] = []
        for blocks in LC_BLOCKS:
            stage = []
            for kernel, channels, stride, excite in blocks:
                stage.append(separable(width, int(channels * scale), kernel, stride, excite))
                width = int(channels * scale)
            self.stages.append(nn.Sequential(*stage))
            self.widths.append(width)
        self.classes = classes
        if classes:
            self.last = nn.Conv2D(width, 1280, 1, bias_attr=False)
            self.head = nn.Linear(1280, classes)

    def forward(self, x: Any) -> Any:
        x = self.stem(x)
        features = []
        for stage in self.stages:
            x = stage(x)
            features.append(x)
        if not self.classes:
            return features[2:]
        x = F.hardswish(self.last(F.adaptive_avg_pool2d(x, 1)))
        return self.head(x.flatten(1))


class HgBlock(nn.Layer):
    """Five convolutions in a row, all their results side by side, squeezed and weighted."""

    def __init__(self, inside: int, middle: int, outside: int, identity: bool) -> None:
        super().__init__()
        self.convs = nn.LayerList(
            [conv_bn(inside if i == 0 else middle, middle, 3, act=nn.ReLU) for i in range(5)]
        )
        self.squeeze = conv_bn(inside + 5 * middle, outside, 1, act=nn.ReLU)
        self.weigh = nn.Conv2D(outside, outside, 1)
        self.identity = identity

    def forward(self, x: Any) -> Any:
        results = [x]
        for conv in self.convs:
            results.append(conv(results[-1]))
        y = self.squeeze(paddle.concat(results, 1))
        y = y * F.sigmoid(self.weigh(F.adaptive_avg_pool2d(y, 1)))
        return y + x if self.identity else y


def hg_net() -> nn.Layer:
    """PP-HGNet-tiny."""
    stem = [conv_bn(3, 48, 3, 2, act=nn.ReLU), conv_bn(48, 48, 3, act=nn.ReLU)]
    parts = [*stem, conv_bn(48, 96, 3, act=nn.ReLU), nn.MaxPool2D(3, 2, 1)]
    inside = 96
    for middle, outside, blocks in ((96, 224, 1), (128, 448, 1), (160, 512, 2), (192, 768, 1)):
        if inside != 96:
            parts.append(conv_bn(inside, inside, 3, 2, inside))
        for number in range(blocks):
            parts.append(HgBlock(inside, middle, outside, number > 0))
            inside = outside
    head = [nn.AdaptiveAvgPool2D(1), nn.Conv2D(768, 2048, 1, bias_attr=False), nn.ReLU()]
    return nn.Sequential(*parts, *head, nn.Flatten(), nn.Linear(2048, 1000))


class ChannelNorm(nn.Layer):
    """Layer normalisation over the channels of NCHW."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(channels, epsilon=1e-6)

    def forward(self, x: Any) -> Any:
        return self.norm(x.transpose([0, 2, 3, 1])).transpose([0, 3, 1, 2])


class ConvNextBlock(nn.Layer):
    """A 7x7 depthwise convolution and a perceptron a pixel."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.depthwise = nn.Conv2D(channels, channels, 7, padding=3, groups=channels)
        self.norm = nn.LayerNorm(channels, epsilon=1e-6)
        self.up, self.down = nn.Linear(channels, 4 * channels), nn.Linear(4 * channels, channels)
        self.gamma = self.create_parameter([channels])

    def forward(self, x: Any) -> Any:
        y = self.norm(self.depthwise(x).transpose([0, 2, 3, 1]))
        y = self.gamma * self.down(F.gelu(self.up(y)))
        return x + y.transpose([0, 3, 1, 2])


def conv_next() -> nn.Layer:
    """ConvNeXt-tiny."""
    parts = [nn.Conv2D(3, 96, 4, 4), ChannelNorm(96)]
    for number, blocks in enumerate((3, 3, 9, 3)):
        width = 96 << number
        if number:
            parts += [ChannelNorm(width // 2), nn.Conv2D(width // 2, width, 2, 2)]
        parts += [ConvNextBlock(width) for _ in range(blocks)]
    parts += [nn.AdaptiveAvgPool2D(1), nn.Flatten(), nn.LayerNorm(768), nn.Linear(768, 1000)]
    return nn.Sequential(*parts)


class VitBlock(nn.Layer):
    """Attention and a perceptron, each behind its normalisation."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.scale = heads, (width // heads) ** -0.5
        self.norm1 = nn.LayerNorm(width, epsilon=1e-6)
        self.norm2 = nn.LayerNorm(width, epsilon=1e-6)
        self.qkv, self.projection = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def attention(self, x: Any) -> Any:
        tokens, width = x.shape[1:]
        qkv = self.qkv(x).reshape([-1, tokens, 3, self.heads, width // self.heads])
        q, k, v = qkv.transpose([2, 0, 3, 1, 4]).unbind(0)
        weights = F.softmax(q.matmul(k.transpose([0, 1, 3, 2])) * self.scale)
        return self.projection(weights.matmul(v).transpose([0, 2, 1, 3]).flatten(2))

    def forward(self, x: Any) -> Any:
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Vit(nn.Layer):
    """ViT-S/16 for 224x224."""

    def __init__(self, width: int = 384, heads: int = 6, blocks: int = 12) -> None:
        super().__init__()
        self.patches = nn.Conv2D(3, width, 16, 16)
        self.token = self.create_parameter([1, 1, width])
        self.positions = self.create_parameter([1, 197, width])
        self.blocks = nn.Sequential(*[VitBlock(width, heads) for _ in range(blocks)])
        self.norm, self.head = nn.LayerNorm(width, epsilon=1e-6), nn.Linear(width, 1000)

    def forward(self, x: Any) -> Any:
        x = self.patches(x).flatten(2).transpose([0, 2, 1])
        token = self.token.expand([x.shape[0], -1, -1])
        x = self.blocks(paddle.concat([token, x], 1) + self.positions)
        return self.head(self.norm(x)[:, 0])


class PicoDet(nn.Layer):
    """PicoDet-S for 320x320: LCNet x0.75, a path of four resolutions, heads without decoding."""

    def __init__(self, width: int = 96, classes: int = 80, bins: int = 8) -> None:
        super().__init__()
        self.backbone = LcNet(0.75, 0)
        self.reduce = nn.LayerList(
            [conv_bn(c, width, 1, act=nn.Hardswish) for c in self.backbone.widths[2:]]
        )

        def separable5(inside: int, stride: int = 1) -> nn.Layer:
            return separable(inside, width, 5, stride, False)

        self.down = nn.LayerList([separable5(2 * width) for _ in range(2)])
        self.shrink = nn.LayerList([separable5(width, 2) for _ in range(2)])
        self.up = nn.LayerList([separable5(2 * width) for _ in range(2)])
        self.extra = separable5(width, 2)
        self.towers = nn.LayerList(
            [nn.Sequential(separable5(width), separable5(width)) for _ in range(4)]
        )
        self.heads = nn.LayerList([nn.Conv2D(width, classes + 4 * bins, 1) for _ in range(4)])
        self.classes = classes

    def forward(self, x: Any) -> Any:
        levels = [conv(y) for conv, y in zip(self.reduce, self.backbone(x))]  # noqa: B905
        for i in (1, 0):
            large = F.interpolate(levels[i + 1], scale_factor=2, mode="nearest")
            levels[i] = self.down[i](paddle.concat([large, levels[i]], 1))
        for i in (0, 1):
            levels[i + 1] = self.up[i](paddle.concat([self.shrink[i](levels[i]), levels[i + 1]], 1))
        levels.append(self.extra(levels[2]))
        found = [
            head(tower(y)).flatten(2).transpose([0, 2, 1])
            for head, tower, y in zip(self.heads, self.towers, levels)  # noqa: B905
        ]
        scores, boxes = paddle.concat(found, 1).split([self.classes, -1], -1)
        return F.sigmoid(scores), boxes


# name -> what makes it, and its input's size
NETWORKS: dict[str, tuple[Callable[[], nn.Layer], int]] = {
    "pp_lcnet_x1_0": (LcNet, 224),
    "pp_hgnet_tiny": (hg_net, 224),
    "convnext_tiny": (conv_next, 224),
    "vit_small_16": (Vit, 224),
    "picodet_s": (PicoDet, 320),
}
